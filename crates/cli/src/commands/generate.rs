//! `rtoscope generate`: synthetic traces.

use super::convert::Order;
use crate::output;
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use rtoscope_generate::{Settings, Truth};
use rtoscope_wire::threadx::{DEFAULT_NAME_SIZE, Layout, UlongSize};
use serde::Serialize;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(crate) struct Arguments {
    /// Events in the trace
    #[arg(long, value_name = "NUMBER", default_value_t = 10_000)]
    events: u64,

    /// Application threads
    #[arg(long, value_name = "NUMBER", default_value_t = 8)]
    threads: u16,

    /// Cores; more than one makes an SMP kernel's trace
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    cores: u8,

    /// Width of the clock's counter
    #[arg(long, value_name = "BITS", default_value_t = 32)]
    clock_bits: u8,

    /// Let the clock count down
    #[arg(long)]
    count_down: bool,

    /// Seed of the random numbers; the same gives the same trace
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// Byte order of the target
    #[arg(long, value_name = "ORDER", default_value = "little")]
    byte_order: Order,

    /// Bytes of the target's ULONG
    #[arg(long, value_name = "BYTES", default_value = "4")]
    ulong: Ulong,

    /// Bytes of a name in the object registry
    #[arg(long, value_name = "BYTES", default_value_t = DEFAULT_NAME_SIZE)]
    name_size: u16,

    /// Slots of the ring: fewer than events leave the last ones, more leave
    /// slots unused; as many as events if not given
    #[arg(long, value_name = "SLOTS")]
    capacity: Option<u64>,

    /// Let the timer interrupt log neither entry nor exit
    #[arg(long)]
    bare_ticks: bool,

    /// Let the owners of half of the mutexes inherit priorities
    #[arg(long)]
    inheritance: bool,

    /// Limit some waits for semaphores and mutexes
    #[arg(long)]
    timeouts: bool,

    /// Let cores make threads of other cores ready
    #[arg(long)]
    shared_objects: bool,

    /// Where to write the trace; standard output if not given
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Where to write, as JSON, what really happened in the trace
    #[arg(long, value_name = "FILE")]
    truth: Option<PathBuf>,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    #[serde(flatten)]
    truth: &'a Truth,
}

#[derive(Clone, Copy, ValueEnum)]
enum Ulong {
    #[value(name = "4")]
    Four,
    #[value(name = "8")]
    Eight,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let ulong = match arguments.ulong {
        Ulong::Four => UlongSize::Four,
        Ulong::Eight => UlongSize::Eight,
    };
    let settings = Settings {
        events: arguments.events,
        threads: arguments.threads,
        cores: arguments.cores,
        clock_bits: arguments.clock_bits,
        count_down: arguments.count_down,
        seed: arguments.seed,
        layout: Layout::new(arguments.byte_order.into(), ulong),
        name_size: arguments.name_size,
        capacity: arguments.capacity,
        bare_ticks: arguments.bare_ticks,
        inheritance: arguments.inheritance,
        timeouts: arguments.timeouts,
        shared_objects: arguments.shared_objects,
    };
    let mut output = output::binary(arguments.output.as_deref())?;
    let bar = progress(arguments.events);
    let mut progress = |events| bar.set_position(events);
    let truth = if arguments.truth.is_some() {
        let (_, truth) =
            rtoscope_generate::write_with_truth(&settings, &mut output, &mut progress)?;
        Some(truth)
    } else {
        rtoscope_generate::write(&settings, &mut output, &mut progress)?;
        None
    };
    output.flush()?;
    bar.finish_and_clear();
    if let Some((path, truth)) = arguments.truth.as_deref().zip(truth.as_ref()) {
        write_truth(path, truth)?;
    }
    Ok(())
}

/// On one line: it can be as long as the trace.
fn write_truth(path: &Path, truth: &Truth) -> anyhow::Result<()> {
    let mut output = output::binary(Some(path))?;
    let document = Document {
        schema: "rtoscope/truth/1",
        truth,
    };
    serde_json::to_writer(&mut output, &document).map_err(io::Error::from)?;
    writeln!(output)?;
    output.flush()?;
    Ok(())
}

/// Shown only on a terminal, on work that takes longer than a blink.
fn progress(events: u64) -> ProgressBar {
    const WORTH_SHOWING: u64 = 5_000_000;
    if events < WORTH_SHOWING || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(events);
    let template = "{wide_bar} {human_pos}/{human_len} events, {eta} left";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
