//! Programs on real kernels that send compact streams for a minute or longer, and one that saves a
//! context-switch log.

use super::board_run::{BoardRun, RunFigures};
use crate::firmware::c::kernel_programs::{self, Transport};
use crate::firmware::c::recordings;
use crate::firmware::c::rkh;
use crate::firmware::command::Command;
use crate::firmware::{self, embassy};
use anyhow::Context as _;
use clap::Args;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Args)]
pub(crate) struct BoardsArgs {
    /// Duration of each run in seconds
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(3..))]
    seconds: u64,

    /// Checkout of ThreadX, for its programs
    #[arg(long, value_name = "PATH")]
    threadx: Option<PathBuf>,

    /// Checkout of FreeRTOS's kernel, for its program
    #[arg(long, value_name = "PATH")]
    freertos: Option<PathBuf>,

    /// Checkout of RKH, whose framework runs with its own trace module and with rtoscope's
    #[arg(long, value_name = "PATH")]
    rkh: Option<PathBuf>,
}

/// A program for both transports.
struct Program<'a> {
    name: &'static str,
    build: Box<dyn Fn(Transport) -> anyhow::Result<PathBuf> + 'a>,
}

/// Runs each program with each transport, and prints what was received.
///
/// # Errors
///
/// If a program cannot be built, or a count differs.
pub(crate) fn run(arguments: &BoardsArgs) -> anyhow::Result<()> {
    let command = Command::build()?;
    let duration = Duration::from_secs(arguments.seconds);
    let mut rows = Vec::new();
    for program in programs(arguments)? {
        for transport in Transport::ALL {
            let name = format!("{}, {}", program.name, transport.name());
            eprintln!("{name}: {} s", arguments.seconds);
            let path = (program.build)(transport).with_context(|| name.clone())?;
            let run = BoardRun {
                command: &command,
                program: &path,
                transport,
                duration,
            };
            rows.push((name.clone(), run.follow().context(name)?));
        }
    }
    show(&rows);
    if let Some(sources) = absolute(arguments.rkh.as_deref())? {
        show_records(&rkh::compare(&command, &sources)?);
    }
    if let Some(kernel) = absolute(arguments.threadx.as_deref())? {
        let resumes = recordings::check_log(&command, &kernel_programs::threadx_log(&kernel)?)?;
        show_log(resumes);
    }
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the counts are what was asked for")]
fn show_log([synchronous, asynchronous]: [u64; 2]) {
    println!("ThreadX's log: {synchronous} synchronous and {asynchronous} asynchronous resumes");
}

fn programs(arguments: &BoardsArgs) -> anyhow::Result<Vec<Program<'_>>> {
    let [cortex_m3, _] = firmware::RUN;
    let mut programs = vec![
        Program {
            name: "no kernel",
            build: Box::new(kernel_programs::example),
        },
        Program {
            name: "embassy",
            build: Box::new(move |transport| embassy::live(cortex_m3, transport)),
        },
    ];
    if let Some(sources) = absolute(arguments.threadx.as_deref())? {
        programs.push(Program {
            name: "ThreadX",
            build: Box::new(move |transport| kernel_programs::threadx(&sources, transport)),
        });
    }
    if let Some(sources) = absolute(arguments.freertos.as_deref())? {
        for (name, more) in [
            ("FreeRTOS", "-DTICKS"),
            ("FreeRTOS, tickless", "-DTICKLESS"),
        ] {
            let sources = sources.clone();
            let build = move |transport| kernel_programs::freertos(&sources, transport, more);
            programs.push(Program {
                name,
                build: Box::new(build),
            });
        }
    }
    Ok(programs)
}

fn absolute(path: Option<&Path>) -> anyhow::Result<Option<PathBuf>> {
    let absolute = |path: &Path| {
        path.canonicalize()
            .with_context(|| path.display().to_string())
    };
    path.map(absolute).transpose()
}

#[expect(clippy::print_stdout, reason = "the table is what was asked for")]
fn show(rows: &[(String, RunFigures)]) {
    println!(
        "{:22} {:>9} {:>9} {:>10} {:>7} {:>5} {:>11}",
        "program", "events", "events/s", "bytes", "missing", "gaps", "comparisons"
    );
    for (name, figures) in rows {
        let rate = figures.events as f64 / figures.seconds;
        println!(
            "{name:22} {:>9} {rate:>9.0} {:>10} {:>7} {:>5} {:>11}",
            figures.events, figures.bytes, figures.missing, figures.gaps, figures.comparisons
        );
    }
}

#[expect(clippy::print_stdout, reason = "the table is what was asked for")]
fn show_records(counts: &[(String, usize)]) {
    println!("{:22} {:>13}", "RKH", "equal records");
    for (name, records) in counts {
        println!("{name:22} {records:>13}");
    }
}
