//! Recordings of the programs for tests without QEMU.

use super::command::Command;
use super::figures::address;
use super::run::{Run, Truth};
use super::{RUN, camera, cargo_build, compare};
use crate::shell;
use crate::toolchain::add_flag;
use anyhow::Context as _;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Map, Value, json};
use std::fs;
use std::io::Write as _;
use std::path::Path;

/// Runs the programs and keeps their recordings if they are correct.
pub(crate) fn bless() -> anyhow::Result<()> {
    let target = RUN.first().copied().context("no target")?;
    let mut build = cargo_build(target)?;
    // Their debug information says where they were built. Other builds keep the paths: with the
    // flag, `core` would be built again for each checkout.
    let root = shell::root();
    add_flag(
        &mut build,
        &format!("--remap-path-prefix={}=rtoscope", root.display()),
    );
    shell::run(&mut build)?;
    let command = Command::build()?;
    let folder = shell::root().join("testdata/firmware");
    let run = compare(&command, target)?;
    keep(&run, &truth(&run)?, &folder)?;
    fs::copy(&run.stream, folder.join("stream.rkh"))?;
    let run = camera::compare(&command, target)?;
    keep(&run, &camera::truth(&run)?, &folder.join("camera"))
}

/// Keeps the memory, the program and its counters.
fn keep<T: Truth>(run: &Run<T>, truth: &Value, folder: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder)?;
    let mut memory = GzEncoder::new(Vec::new(), Compression::best());
    memory.write_all(&fs::read(&run.memory)?)?;
    fs::write(folder.join("memory.bin.gz"), memory.finish()?)?;
    // The copy is not executable.
    let program = folder.join(T::PROGRAM).with_extension("elf");
    fs::write(program, fs::read(&run.program)?)?;
    let mut truth = serde_json::to_string_pretty(truth)?;
    truth.push('\n');
    fs::write(folder.join("truth.json"), truth)?;
    Ok(())
}

/// The program's counters by name.
fn truth(run: &Run) -> anyhow::Result<Value> {
    let truth = &run.truth;
    let mut threads = Vec::new();
    for thread in run.threads() {
        let mut counters = counters(thread.named());
        counters.insert("name".to_owned(), json!(run.text(thread.name)?));
        counters.insert("address".to_owned(), address(thread.address));
        threads.push(Value::Object(counters));
    }
    let handlers = truth.handlers.iter().filter(|handler| handler.number != 0);
    let handlers = handlers.map(|handler| {
        let mut counters = counters(handler.named());
        counters.insert("address".to_owned(), address(handler.address));
        counters
    });
    let records = truth
        .records
        .iter()
        .enumerate()
        .filter(|(_, count)| **count > 0);
    let records = records.map(|(id, count)| (format!("{id:#04x}"), json!(count)));
    Ok(json!({
        "memory_start": address(run.memory_start),
        "totals": counters(truth.totals.named()),
        "threads": threads,
        "handlers": handlers.collect::<Vec<_>>(),
        "records": records.collect::<Map<_, _>>(),
    }))
}

pub(super) fn counters(named: impl Iterator<Item = (&'static str, u32)>) -> Map<String, Value> {
    named
        .map(|(name, count)| (name.to_owned(), json!(count)))
        .collect()
}
