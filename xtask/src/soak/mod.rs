//! Long runs. The tests contain a short one.

mod board_run;
mod boards;
mod counts;
mod fleet;
mod hours;

pub(crate) use hours::run_short;

use crate::firmware::regressions;
use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum SoakCommand {
    /// Record a compact stream of hours in simulated time, and check each event of it
    Hours(hours::HoursArgs),
    /// Run programs on real kernels in QEMU, follow their streams through a serial port and a
    /// debug probe, command them meanwhile, and compare the events with the kernels' counts
    Boards(boards::BoardsArgs),
    /// Ingest the traces of many devices with processes that are killed, and find the devices and
    /// the version that differ
    Fleet(fleet::FleetArgs),
    /// Compare pairs of groups of runs of the camera that differ by chance alone, and count the
    /// false alarms
    FalseAlarms {
        /// Number of pairs
        #[arg(long, default_value_t = 100)]
        pairs: u32,
    },
}

pub(crate) fn run(command: &SoakCommand) -> anyhow::Result<()> {
    match command {
        SoakCommand::Hours(arguments) => hours::run(arguments),
        SoakCommand::Boards(arguments) => boards::run(arguments),
        SoakCommand::Fleet(arguments) => fleet::run(arguments),
        SoakCommand::FalseAlarms { pairs } => regressions::count_false_alarms(*pairs),
    }
}
