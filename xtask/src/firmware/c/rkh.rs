//! RKH's framework, whose sources are elsewhere, with its own trace module and with rtoscope's in
//! its place.

use super::board::{self, Core, FOLDER, Platform};
use super::kernel_programs::WITH_KERNEL;
use crate::firmware::command::Command;
use crate::shell;
use anyhow::ensure;
use serde_json::Value;
use std::ffi::OsString;
use std::path::Path;

/// The parts of the framework.
const PARTS: [&str; 7] = ["fwk", "mempool", "queue", "sm", "sma", "tmr", TRACE];

const TRACE: &str = "trc";

/// The folder of the application.
const APPLICATION: &str = "demo/80x86/ahsm";

/// Runs an application on this machine and on a board, with two configurations and with both
/// modules, whose records must be equal. Returns the number of records of each run.
///
/// # Errors
///
/// If a program cannot be built, or a record differs.
pub(crate) fn compare(command: &Command, kernel: &Path) -> anyhow::Result<Vec<(String, usize)>> {
    let library = board::install()?;
    Core::CortexM3.build_library()?;
    let platforms = [
        ("host", Platform::Installed(&library)),
        ("Cortex-M3", Platform::Board(Core::CortexM3)),
    ];
    let mut counts = Vec::new();
    for (name, platform) in platforms {
        for configuration in ["FULL", "SMALL"] {
            let name = format!("{name}, {configuration}");
            let record = |module| records(command, kernel, platform, configuration, module);
            let (own, ours) = (record(Module::Rkh)?, record(Module::Rtoscope)?);
            let difference = own.iter().zip(&ours).find(|(own, ours)| own != ours);
            ensure!(difference.is_none(), "{name}: {difference:?}");
            ensure!(
                own.len() == ours.len() && own.len() > 1000,
                "{name}: {} and {} records",
                own.len(),
                ours.len()
            );
            counts.push((name, own.len()));
        }
    }
    Ok(counts)
}

/// Compiles rtoscope's module with models of RKH's headers, and compares what it records.
///
/// # Errors
///
/// If the program cannot be built, or a record differs.
pub(super) fn check(command: &Command, platform: Platform<'_>) -> anyhow::Result<()> {
    let sources = ["rkh/test/shim.c", "rkh/rtoscope_rkhtrc.c"];
    let folder = platform.run(&sources, &["rkh", "rkh/test/model", "rkh/test/model/trc"])?;
    let records = command.lines("events", &folder.join("shim.rkh"), &[])?;
    let records: Vec<_> = (records.iter())
        .map(|record| (record["kind"].as_str(), record["timestamp"].as_u64()))
        .collect();
    // The clock of 16 bits wraps after the first record; the filter admits the application's
    // records before those of the active object.
    let expected = [
        ("FWK TCFG", None),
        ("FWK AO", Some(0xFFF8)),
        ("FWK STATE", Some(0x1_0000)),
        ("FWK SIG", Some(0x1_0008)),
        ("USR 0", Some(0x1_0010)),
        ("SMA GET", Some(0x1_0018)),
        ("USR 0", Some(0x1_0020)),
    ];
    ensure!(
        records == expected.map(|(kind, time)| (Some(kind), time)),
        "RKH's trace module in {}: {records:?}",
        folder.display()
    );
    Ok(())
}

/// What writes the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Module {
    Rkh,
    Rtoscope,
}

/// The records of a run, without their addresses.
fn records(
    command: &Command,
    kernel: &Path,
    platform: Platform<'_>,
    configuration: &str,
    module: Module,
) -> anyhow::Result<Vec<Value>> {
    let name = match module {
        Module::Rkh => "rkh-own",
        Module::Rtoscope => "rkh-rtoscope",
    };
    let include = |folder: &Path| {
        let mut argument = OsString::from("-I");
        argument.push(folder);
        argument
    };
    let source = |file: &str| OsString::from(format!("{FOLDER}/rkh/{file}"));
    let mut arguments: Vec<_> = WITH_KERNEL.map(OsString::from).into();
    arguments.extend([
        format!("-D{configuration}").into(),
        format!("-DSTREAM=\"{name}.rkh\"").into(),
        "-D__PLAT_DEF_BY_BUILD__".into(),
        // The names of functions are those of the ELF file.
        "-no-pie".into(),
        format!("-I{FOLDER}/rkh/test").into(),
        source("test/demo.c"),
        kernel.join(APPLICATION).join("my.c").into(),
    ]);
    if module == Module::Rtoscope {
        let folder = format!("-I{FOLDER}/rkh").into();
        arguments.extend([folder, source("rtoscope_rkhtrc.c")]);
    }
    for part in PARTS {
        let part_folder = kernel.join("source").join(part);
        arguments.push(include(&part_folder.join("inc")));
        if part != TRACE || module == Module::Rkh {
            let files = shell::files_below(&part_folder.join("src"))?;
            arguments.extend(files.into_iter().map(OsString::from));
        }
    }
    arguments.push(include(&kernel.join(APPLICATION)));
    arguments.push(include(&kernel.join("demo/libbsp/common")));
    let folder = platform.run_compiled(Path::new(name), &arguments)?;
    let elf = folder.join(name).with_extension("elf");
    let elf = elf.display().to_string();
    let stream = folder.join(name).with_extension("rkh");
    let mut records = command.lines("events", &stream, &["--elf", &elf])?;
    for record in &mut records {
        if let Some(record) = record.as_object_mut() {
            // Names replace the addresses in the other members; a byte of an address may need an
            // escape.
            record.remove("args");
            record.remove("offset");
        }
    }
    Ok(records)
}
