//! Builds the programs of `firmware/cost` for size and for speed, and measures
//! them.

use super::c_program::{CProgram, OPTIONS};
use super::count::{self, Counts};
use super::program::{Memory, Program};
use crate::firmware::c::board::Core;
use crate::shell;
use crate::toolchain::{Toolchain, add_flag};
use anyhow::{Context as _, bail, ensure};
use std::collections::BTreeMap;

const TARGET: &str = "thumbv7m-none-eabi";
const MANIFEST: &str = "firmware/cost/Cargo.toml";
const C_FOLDER: &str = "firmware/cost/c";

/// The optimiser moves similar instructions into functions of their own; the
/// cases are more alike than the calls of any real program.
const FLAG: &str = "-Cllvm-args=-enable-machine-outliner=never";

/// The program with all cases.
const CASES: &str = "cases";

/// The recorders, each with a program of its own.
const RECORDERS: [&str; 4] = ["cswitch", "stream", "txtb", "rkh"];

/// The hooks of kernels in C, each with a program of its own that also has its cases: the arguments of
/// the compiler.
const HOOKS: [(&str, &[&str]); 3] = [
    (
        "threadx-stream",
        &[
            "-DSTREAM",
            "-Icrates/record-c/threadx",
            "-Ifirmware/cost/c/threadx",
            "firmware/cost/c/threadx/hooks.c",
            "crates/record-c/threadx/rtoscope_threadx_stream.c",
        ],
    ),
    (
        "threadx-log",
        &[
            "-Ifirmware/cost/c/threadx",
            "firmware/cost/c/threadx/hooks.c",
            "crates/record-c/threadx/rtoscope_execution.c",
        ],
    ),
    (
        "freertos-stream",
        &[
            "-Icrates/record-c/freertos",
            "firmware/cost/c/freertos/hooks.c",
        ],
    ),
];

/// Prefix of calibration functions: their names end with the expected number of
/// instructions.
const CALIBRATION: &str = "calibration_";

/// All figures.
#[derive(Debug)]
pub(crate) struct Measured {
    /// Of programs in Rust with `opt-level` "z" and 3, and in C with `-Os` and `-O2`; the C library
    /// is built as its users build it.
    pub(crate) profiles: [ProfileCosts; 4],
    /// The version of the Rust compiler.
    pub(crate) compiler: String,
    /// The version of the C compiler.
    pub(crate) c_compiler: String,
}

/// The figures with one optimisation.
#[derive(Debug)]
pub(crate) struct ProfileCosts {
    pub(crate) instructions: Counts,
    /// The memory of each recorder.
    pub(crate) memory: BTreeMap<&'static str, Memory>,
}

pub(crate) fn measure() -> anyhow::Result<Measured> {
    let toolchain = Toolchain::find(TARGET)?;
    let rust = |profile| built(&toolchain, profile);
    let (size, speed) = (rust("size")?, rust("speed")?);
    Core::CortexM3.build_library()?;
    let [c_size, c_speed] = OPTIONS.map(c_costs);
    Ok(Measured {
        profiles: [size, speed, c_size?, c_speed?],
        compiler: compiler()?,
        c_compiler: c_program("cases", "")?.compiler()?,
    })
}

/// A program of `firmware/cost/c` with the C library; `recorder` selects that of
/// `memory.c`.
fn c_program(source: &str, recorder: &str) -> anyhow::Result<CProgram> {
    Ok(CProgram {
        name: format!("{source}-{recorder}"),
        arguments: vec![
            format!("{C_FOLDER}/{source}.c"),
            "-Icrates/record-c/include".to_owned(),
            "-Tcrates/record-c/rtoscope.x".to_owned(),
            format!("-DRECORDER_{}", recorder.to_uppercase()),
            Core::CortexM3.library()?.display().to_string(),
        ],
    })
}

/// The program of `memory.c` with the hooks of a kernel.
fn hooks_program(name: &str, arguments: &[&str]) -> anyhow::Result<CProgram> {
    let mut program = c_program("memory", "hooks")?;
    program.name = format!("memory-{name}");
    let arguments = arguments.iter().map(|&argument| argument.to_owned());
    program.arguments.splice(0..0, arguments);
    Ok(program)
}

/// Builds all programs in C with an optimisation and measures them.
fn c_costs(optimization: &str) -> anyhow::Result<ProfileCosts> {
    let mut instructions = c_program("cases", "")?.count(optimization)?;
    for (name, arguments) in HOOKS {
        instructions.extend(hooks_program(name, arguments)?.count(optimization)?);
    }
    let recorders = RECORDERS.into_iter().chain(HOOKS.map(|(name, _)| name));
    let memory = added_memory(recorders, |recorder| {
        let hooks = HOOKS.iter().find(|(name, _)| *name == recorder);
        let program = match hooks {
            Some((name, arguments)) => hooks_program(name, arguments)?,
            None => c_program("memory", recorder)?,
        };
        Ok(Program::read(&program.compile(optimization)?)?.memory)
    })?;
    Ok(ProfileCosts {
        instructions,
        memory,
    })
}

/// The memory that each recorder adds to a program without one.
fn added_memory(
    recorders: impl Iterator<Item = &'static str>,
    taken: impl Fn(&str) -> anyhow::Result<Memory>,
) -> anyhow::Result<BTreeMap<&'static str, Memory>> {
    let base = taken("none")?;
    let added = recorders.map(|recorder| {
        let added = taken(recorder)?.checked_sub(base);
        let added = added.context("a program is smaller than the one without a recorder")?;
        Ok((recorder, added))
    });
    added.collect()
}

/// Builds all programs with a profile and measures them.
fn built(toolchain: &Toolchain, profile: &str) -> anyhow::Result<ProfileCosts> {
    let build = ["build", "--quiet", "--profile", profile];
    let mut build = toolchain.cargo(MANIFEST, TARGET, &build)?;
    add_flag(&mut build, FLAG);
    shell::run(&mut build)?;
    let folder = Toolchain::outputs(TARGET, profile)?;
    let mut instructions = count::instructions(&folder.join(CASES))?;
    calibrate(&mut instructions)?;
    let memory = added_memory(RECORDERS.into_iter(), |recorder| {
        let program = folder.join(format!("memory-{recorder}"));
        Ok(Program::read(&program)?.memory)
    })?;
    Ok(ProfileCosts {
        instructions,
        memory,
    })
}

/// Removes the functions whose instructions are known, and fails if they were
/// counted wrong.
fn calibrate(counts: &mut Counts) -> anyhow::Result<()> {
    let known: Counts = counts
        .iter()
        .filter(|(name, _)| name.starts_with(CALIBRATION))
        .map(|(name, count)| (name.clone(), *count))
        .collect();
    ensure!(!known.is_empty(), "there are no calibration functions");
    for (name, counted) in known {
        let number: u32 = name.trim_start_matches(CALIBRATION).parse()?;
        if number != counted {
            bail!("{number} instructions are counted as {counted}");
        }
        counts.remove(&name);
    }
    Ok(())
}

/// The version of the compiler that built the programs.
fn compiler() -> anyhow::Result<String> {
    let program = Program::read(&Toolchain::outputs(TARGET, "size")?.join(CASES))?;
    let mut names = program.compilers.iter();
    let named = names.find_map(|name| name.strip_prefix("rustc version "));
    let version = named.and_then(|named| named.split(' ').next());
    Ok(version
        .context("the program does not name its compiler")?
        .to_owned())
}
