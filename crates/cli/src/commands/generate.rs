//! `rtoscope generate`: synthetic traces.

use super::convert::Order;
use crate::output;
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use rtoscope_generate::Settings;
use rtoscope_wire::threadx::{DEFAULT_NAME_SIZE, Layout, UlongSize};
use std::io::{IsTerminal, Write};
use std::path::PathBuf;

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

    /// Where to write the trace; standard output if not given
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
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
    };
    let mut output = output::binary(arguments.output.as_deref())?;
    let bar = progress(arguments.events);
    rtoscope_generate::write(&settings, &mut output, &mut |events| {
        bar.set_position(events);
    })?;
    output.flush()?;
    bar.finish_and_clear();
    Ok(())
}

/// Shown only on a terminal, on work that takes longer than a blink.
fn progress(events: u64) -> ProgressBar {
    const WORTH_SHOWING: u64 = 5_000_000;
    if events < WORTH_SHOWING || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(events);
    let template = "{wide_bar} {human_pos}/{human_len} events, {eta} left";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
