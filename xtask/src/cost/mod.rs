//! Costs of the recorders on their target: retired instructions per record,
//! counted by QEMU, and bytes of flash and RAM; compared with budgets and with
//! the originals in C.

mod budget;
mod build;
mod c_program;
mod count;
mod original;
mod program;
mod table;

use crate::shell;
use anyhow::{Context as _, bail};
use budget::Budgets;
use build::Measured;
use clap::Args;
use original::Originals;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(crate) struct CostArgs {
    /// Checkout of RKH whose trace facility to measure again
    #[arg(long, value_name = "PATH")]
    original_rkh: Option<PathBuf>,

    /// Checkout of ThreadX whose event trace to measure again
    #[arg(long, value_name = "PATH")]
    original_threadx: Option<PathBuf>,
}

/// The page of the book with the table, and the markers around the table.
const CHAPTER: &str = "docs/src/record/cost.md";
const BEGIN: &str = "<!-- figures: cargo xtask bless -->\n";
const END: &str = "<!-- end of figures -->\n";

/// Measures, prints the table and compares it with the budgets.
pub(crate) fn run(arguments: &CostArgs) -> anyhow::Result<()> {
    let originals = originals(arguments)?;
    let measured = build::measure()?;
    let budgets = Budgets::read()?;
    show(&table::render(&budgets, &measured, &originals)?);
    budgets.check(&measured, has_same_compiler(&written()?, &measured))
}

/// Writes the table into the book.
pub(crate) fn bless() -> anyhow::Result<()> {
    let measured = build::measure()?;
    fs::write(shell::root().join(CHAPTER), chapter(&measured)?).context(CHAPTER)
}

/// Fails if a budget is exceeded, or if the book is out of date. Another
/// compiler than that of the book can yield other figures.
pub(crate) fn check() -> anyhow::Result<()> {
    let measured = build::measure()?;
    let written = written()?;
    let same_compiler = has_same_compiler(&written, &measured);
    Budgets::read()?.check(&measured, same_compiler)?;
    if !same_compiler {
        eprintln!("{CHAPTER} has figures from another compiler");
    } else if written != chapter(&measured)? {
        bail!("{CHAPTER} is out of date; run `cargo xtask bless`");
    }
    Ok(())
}

fn written() -> anyhow::Result<String> {
    fs::read_to_string(shell::root().join(CHAPTER)).context(CHAPTER)
}

/// Whether the figures in the page come from the same compiler.
fn has_same_compiler(chapter: &str, measured: &Measured) -> bool {
    chapter.contains(&table::compilers(measured))
}

/// The committed figures of the originals, or those of checkouts, which then
/// have to be committed.
fn originals(arguments: &CostArgs) -> anyhow::Result<Originals> {
    let absolute = |path: &Path| {
        path.canonicalize()
            .with_context(|| path.display().to_string())
    };
    let CostArgs {
        original_rkh,
        original_threadx,
    } = arguments;
    if original_rkh.is_none() && original_threadx.is_none() {
        return Originals::read();
    }
    let mut originals = Originals::read()?;
    originals.measure_cswitch()?;
    if let Some(checkout) = original_rkh {
        originals.measure_rkh(&absolute(checkout)?)?;
    }
    if let Some(checkout) = original_threadx {
        originals.measure_threadx(&absolute(checkout)?)?;
    }
    originals.write()?;
    Ok(originals)
}

/// The page with these figures.
fn chapter(measured: &Measured) -> anyhow::Result<String> {
    let table = table::render(&Budgets::read()?, measured, &Originals::read()?)?;
    let written = written()?;
    let parts = written.split_once(BEGIN).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(END)?;
        Some((before, after))
    });
    let (before, after) = parts.with_context(|| format!("{CHAPTER} has no markers for figures"))?;
    Ok([before, BEGIN, "\n", &table, "\n", END, after].concat())
}

#[expect(clippy::print_stdout, reason = "the table is what was asked for")]
fn show(table: &str) {
    print!("{table}");
}
