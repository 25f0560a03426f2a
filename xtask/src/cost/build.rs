//! Builds the programs of `firmware/cost` for size and for speed, and measures
//! them.

use super::c_program::{CProgram, SIZE, SPEED};
use super::count::{self, Counts};
use super::program::{Memory, Program};
use crate::firmware::c::board::{self, Core};
use crate::firmware::toolchain::{Toolchain, add_flag};
use crate::shell;
use anyhow::{Context as _, bail, ensure};
use std::collections::BTreeMap;
use std::path::Path;

const TARGET: &str = "thumbv7m-none-eabi";
const MANIFEST: &str = "firmware/cost/Cargo.toml";
const C_FOLDER: &str = "firmware/cost/c";

/// The optimiser moves similar instructions into functions of their own; the
/// cases are more alike than the calls of any real program.
const FLAG: &str = "-Cllvm-args=-enable-machine-outliner=never";

/// The program with all cases.
const CASES: &str = "cases";

/// Prefix of programs that use one recorder each; the one without a recorder is
/// the baseline.
const MEMORY: &str = "memory-";
const NO_RECORDER: &str = "memory-none";
const RECORDERS: [&str; 4] = ["cswitch", "stream", "txtb", "rkh"];

/// Prefix of calibration functions: their names end with the expected number of
/// instructions.
const CALIBRATION: &str = "calibration_";

/// All figures.
#[derive(Debug)]
pub(crate) struct Measured {
    /// Programs in Rust, with `opt-level` "z" and 3.
    pub(crate) rust: LanguageCosts,
    /// Programs in C with `-Os` and `-O2`, and the C library as its users build it.
    pub(crate) c: LanguageCosts,
    /// The version of the Rust compiler.
    pub(crate) compiler: String,
    /// The version of the C compiler.
    pub(crate) c_compiler: String,
}

/// The figures of one language.
#[derive(Debug)]
pub(crate) struct LanguageCosts {
    /// Optimised for size.
    pub(crate) size: ProfileCosts,
    /// Optimised for speed.
    pub(crate) speed: ProfileCosts,
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
    let rust = LanguageCosts {
        size: built(&toolchain, "size")?,
        speed: built(&toolchain, "speed")?,
    };
    board::library(Core::CortexM3)?;
    let cases = c_program("cases", "")?;
    let counts = cases.count()?;
    Ok(Measured {
        rust,
        c: LanguageCosts {
            size: ProfileCosts {
                instructions: counts.size,
                memory: c_memory(SIZE)?,
            },
            speed: ProfileCosts {
                instructions: counts.speed,
                memory: c_memory(SPEED)?,
            },
        },
        compiler: compiler()?,
        c_compiler: cases.compiler()?,
    })
}

/// A program of `firmware/cost/c` with the C library; `recorder` selects that of
/// `memory.c`.
fn c_program(source: &str, recorder: &str) -> anyhow::Result<CProgram> {
    let mut program = CProgram::new(
        &format!("{source}-{recorder}"),
        &format!("{C_FOLDER}/{source}.c"),
    );
    program.include(Path::new("crates/record-c/include"));
    program
        .flags
        .push("-Tcrates/record-c/rtoscope.x".to_owned());
    program
        .flags
        .push(format!("-DRECORDER_{}", recorder.to_uppercase()));
    program.source(board::library_path(Core::CortexM3)?);
    Ok(program)
}

/// The memory of each recorder in a program in C.
fn c_memory(optimization: &str) -> anyhow::Result<BTreeMap<&'static str, Memory>> {
    let taken = |recorder: &str| {
        let program = c_program("memory", recorder)?.compile(optimization)?;
        Ok::<_, anyhow::Error>(Program::read(&program)?.memory)
    };
    added_memory(&RECORDERS, taken("none")?, taken)
}

/// The memory that each recorder adds to `base`.
fn added_memory(
    recorders: &[&'static str],
    base: Memory,
    taken: impl Fn(&str) -> anyhow::Result<Memory>,
) -> anyhow::Result<BTreeMap<&'static str, Memory>> {
    let added = recorders.iter().map(|&recorder| {
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
    let taken = |name: &str| Ok::<_, anyhow::Error>(Program::read(&folder.join(name))?.memory);
    let memory = added_memory(&RECORDERS, taken(NO_RECORDER)?, |recorder| {
        taken(&format!("{MEMORY}{recorder}"))
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
