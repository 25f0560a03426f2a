//! Long runs, which are no part of the tests.

mod board_run;
mod boards;
mod counts;
mod http;

use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum SoakCommand {
    /// Run programs on real kernels in QEMU, follow their streams through a serial port and a
    /// debug probe, command them meanwhile, and compare the events with the kernels' counts
    Boards(boards::BoardsArgs),
}

pub(crate) fn run(command: &SoakCommand) -> anyhow::Result<()> {
    match command {
        SoakCommand::Boards(arguments) => boards::run(arguments),
    }
}
