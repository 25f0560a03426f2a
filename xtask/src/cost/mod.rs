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

use anyhow::Context as _;
use budget::Budgets;
use clap::Args;
use original::Originals;
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

/// Measures, prints the tables and compares the figures with the budgets.
pub(crate) fn run(arguments: &CostArgs) -> anyhow::Result<()> {
    let originals = originals(arguments)?;
    let measured = build::measure()?;
    let budgets = Budgets::read()?;
    show(&table::of_figures(&budgets, &measured, &originals)?);
    budgets.check(&measured)
}

/// Fails if a budget is exceeded.
pub(crate) fn check() -> anyhow::Result<()> {
    Budgets::read()?.check(&build::measure()?)
}

/// The budgets as tables for the book.
pub(crate) fn budget_tables() -> anyhow::Result<String> {
    table::of_budgets(&Budgets::read()?, &Originals::read()?)
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

#[expect(clippy::print_stdout, reason = "the table is what was asked for")]
fn show(table: &str) {
    print!("{table}");
}
