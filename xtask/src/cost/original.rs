//! The original recorders in C, for comparison: measured in the same way from a
//! checkout, and committed as figures.

use super::c_program::CProgram;
use crate::shell;
use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const HARNESS: &str = "firmware/cost/original";
const FIGURES: &str = "firmware/cost/original.json";

const WRITTEN_BY: &str = "cargo xtask cost --original-rkh PATH --original-threadx PATH";

/// Committed figures.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Originals {
    /// The command that writes the file, for its readers.
    pub(crate) written_by: String,
    /// The measured source, by the first word of the names of its cases.
    pub(crate) source: BTreeMap<String, Source>,
    /// Instructions of every case.
    pub(crate) instructions: BTreeMap<String, OptimizedCosts>,
}

/// The measured version and its compiler.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Source {
    pub(crate) of: String,
    pub(crate) compiler: String,
}

/// Instructions of one case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OptimizedCosts {
    /// With `-Os`.
    pub(crate) size: u32,
    /// With `-O2`.
    pub(crate) speed: u32,
}

impl OptimizedCosts {
    /// The better of both.
    pub(crate) fn best(self) -> u32 {
        self.size.min(self.speed)
    }
}

impl Originals {
    /// The committed figures.
    pub(crate) fn read() -> anyhow::Result<Self> {
        let path = shell::root().join(FIGURES);
        let text = fs::read_to_string(path).context(FIGURES)?;
        serde_json::from_str(&text).context(FIGURES)
    }

    /// Commits these figures.
    pub(crate) fn write(&self) -> anyhow::Result<()> {
        let path = shell::root().join(FIGURES);
        let text = serde_json::to_string_pretty(self)? + "\n";
        fs::write(path, text).context(FIGURES)
    }

    /// Measures the context-switch logger in C that is part of the harness.
    pub(crate) fn measure_cswitch(&mut self) -> anyhow::Result<()> {
        let program = CProgram {
            name: "original-cswitch".to_owned(),
            arguments: vec![format!("{HARNESS}/cswitch.c")],
        };
        let of = format!("context-switch logger: {HARNESS}/cswitch.c");
        self.add_costs("cswitch", &of, &[program])
    }

    /// Measures RKH's own trace facility.
    pub(crate) fn measure_rkh(&mut self, checkout: &Path) -> anyhow::Result<()> {
        let version = read(checkout, "source/fwk/inc/rkhfwk_version.h")?;
        let code = defined(&version, "RKH_VERSION_CODE")?;
        let source = checkout.join("source");
        let source = source.display();
        let mut programs = Vec::new();
        for filter in ["0", "1"] {
            let mut arguments = vec![
                format!("{HARNESS}/rkh/cases.c"),
                format!("-DRUNTIME_FILTER={filter}"),
                "-D__PLAT_DEF_BY_BUILD__".to_owned(),
                format!("-I{HARNESS}/rkh"),
                format!("{source}/fwk/src/rkhfwk_bittbl.c"),
            ];
            let parts = ["fwk", "trc", "sm", "sma", "queue", "mempool", "tmr"];
            arguments.extend(parts.map(|part| format!("-I{source}/{part}/inc")));
            let files = ["filter", "record", "stream"];
            arguments.extend(files.map(|file| format!("{source}/trc/src/rkhtrc_{file}.c")));
            let name = format!("original-rkh-{filter}");
            programs.push(CProgram { name, arguments });
        }
        let of = format!("RKH: version code {}", code.trim_end_matches('u'));
        self.add_costs("rkh", &of, &programs)
    }

    /// Measures ThreadX's own event trace.
    pub(crate) fn measure_threadx(&mut self, checkout: &Path) -> anyhow::Result<()> {
        let api = read(checkout, "common/inc/tx_api.h")?;
        let part = |part: &str| defined(&api, &format!("THREADX_{part}_VERSION"));
        let version = [part("MAJOR")?, part("MINOR")?, part("PATCH")?].join(".");
        let source = checkout.display();
        let mut arguments = vec![
            format!("{HARNESS}/threadx/cases.c"),
            "-DTX_ENABLE_EVENT_TRACE".to_owned(),
            format!("-I{source}/common/inc"),
            format!("-I{source}/ports/cortex_m3/gnu/inc"),
        ];
        arguments.extend(SOURCES.map(|file| format!("{source}/common/src/tx_{file}.c")));
        let name = "original-txtb".to_owned();
        let program = CProgram { name, arguments };
        let of = format!("ThreadX: {version}, port cortex_m3/gnu");
        self.add_costs("txtb", &of, &[program])
    }

    /// Replaces the figures of an original.
    fn add_costs(&mut self, name: &str, of: &str, programs: &[CProgram]) -> anyhow::Result<()> {
        self.instructions
            .retain(|case, _| case.split('_').next() != Some(name));
        let mut compiler = String::new();
        for program in programs {
            compiler = program.compiler()?;
            let mut speed = program.count("-O2")?;
            for (case, size) in program.count("-Os")? {
                let speed = speed.remove(&case).context("a case is not in both")?;
                self.instructions
                    .insert(case, OptimizedCosts { size, speed });
            }
        }
        self.written_by = WRITTEN_BY.to_owned();
        let of = of.to_owned();
        self.source.insert(name.to_owned(), Source { of, compiler });
        Ok(())
    }
}

/// The source files of ThreadX's event trace, and of the variables it reads.
const SOURCES: [&str; 7] = [
    "trace_initialize",
    "trace_enable",
    "trace_object_register",
    "trace_event_filter",
    "trace_user_event_insert",
    "thread_initialize",
    "timer_initialize",
];

fn read(checkout: &Path, file: &str) -> anyhow::Result<String> {
    let path = checkout.join(file);
    fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
}

/// The definition of a name in a header.
fn defined(header: &str, name: &str) -> anyhow::Result<String> {
    let mut definitions = header.lines().filter_map(|line| {
        let words: Vec<_> = line.split_whitespace().collect();
        (words.first() == Some(&"#define") && words.get(1) == Some(&name)).then_some(words)
    });
    let value = definitions.next().and_then(|words| words.get(2).copied());
    Ok(value
        .with_context(|| format!("{name} is not defined"))?
        .to_owned())
}
