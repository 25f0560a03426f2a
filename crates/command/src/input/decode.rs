//! What the user knows better than the recording.

use super::quantity::{frequency, number, period};
use super::rkh::RkhArguments;
use super::symbols::SymbolArguments;
use anyhow::Context as _;
use clap::{Args, ValueEnum};
use rtoscope_decode::clock::ClockOptions;
use rtoscope_decode::threadx::{self, CoreBits, NetxDialect, custom};
use rtoscope_decode::{Format, Options, cswitch};
use rtoscope_trace::clock::Direction;
use rtoscope_trace::printable::Printable;
use rtoscope_trace::{Frequency, Kind};
use std::path::{Path, PathBuf};

/// What the user knows better than the recording.
#[derive(Args)]
pub struct DecodeArguments {
    /// How fast the trace's clock ticks: 240MHz, 32768 (Hz; a
    /// bare number below 1000 is refused), 25ns (a tick) or
    /// 240/us (ticks); turns ticks into time
    #[arg(
        long,
        value_name = "SPEED",
        visible_alias = "clock-frequency",
        value_parser = frequency,
        allow_hyphen_values = true,
        help_heading = "Clock"
    )]
    clock: Option<Frequency>,

    /// Which way the clock counts, instead of what most stamps speak for
    #[arg(long, value_name = "WAY", help_heading = "Clock")]
    clock_direction: Option<Way>,

    /// The bits of a stamp that count, instead of the header's
    #[arg(long, value_name = "MASK", value_parser = number, help_heading = "Clock")]
    clock_mask: Option<u64>,

    /// Ticks after which the clock starts again, if that is before its mask is
    /// full: SysTick's reload value + 1, 1000000000 for nanoseconds of a second
    #[arg(long, value_name = "TICKS", value_parser = period, help_heading = "Clock")]
    clock_period: Option<u64>,

    /// Whether event numbers carry a core number (ThreadX SMP)
    #[arg(
        long,
        value_name = "HOW",
        default_value = "detect",
        help_heading = "Events"
    )]
    core_bits: Cores,

    /// What events mean.
    #[command(flatten)]
    pub catalogue: CatalogueArguments,

    #[command(flatten)]
    rkh: RkhArguments,

    #[command(flatten)]
    symbols: SymbolArguments,
}

/// What events mean.
#[derive(Args)]
pub struct CatalogueArguments {
    /// The network stack, which decides what events 441 to 448 and 469 mean
    #[arg(
        long,
        value_name = "STACK",
        default_value = "duo",
        help_heading = "Events"
    )]
    netx: Netx,

    /// Definitions of the application's own events: TraceX's .trxc or TOML;
    /// can be given several times
    #[arg(long, value_name = "FILE", help_heading = "Events")]
    custom_events: Vec<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Way {
    Up,
    Down,
}

#[derive(Clone, Copy, ValueEnum)]
enum Cores {
    /// If that makes sense of them
    Detect,
    /// Yes: bits 24 to 31 are the core
    Smp,
    /// No: all bits are the event's number
    SingleCore,
}

#[derive(Clone, Copy, ValueEnum)]
enum Netx {
    /// NetX Duo
    Duo,
    /// NetX, before it was discontinued
    Legacy,
}

impl DecodeArguments {
    /// For a recording of a format, or of any.
    pub fn options(&self, format: Option<Format>) -> anyhow::Result<Options> {
        let mut rkh = self.rkh.options(self.clock)?;
        if matches!(format, None | Some(Format::Rkh)) {
            rkh.symbols = self.symbols.names(&rkh)?;
        }
        Ok(Options {
            threadx: self.threadx()?,
            rkh,
            cswitch: cswitch::Options {
                clock: self.clock(),
                firmware: match format {
                    Some(Format::Cswitch) => self.symbols.programs()?,
                    // Not every file that helps with streams is one.
                    None => self.symbols.any_programs(),
                    Some(_) => Vec::new(),
                },
                ..cswitch::Options::default()
            },
        })
    }

    /// Whether the configuration of a stream is to be guessed.
    pub(super) fn guesses(&self) -> bool {
        self.rkh.guesses()
    }

    /// Warns of options that have no effect on a recording of a format.
    pub(super) fn warn_of_unused(&self, format: Format, name: &str) {
        let threadx = [
            ("--core-bits", !matches!(self.core_bits, Cores::Detect)),
            ("--netx", !matches!(self.catalogue.netx, Netx::Duo)),
            ("--custom-events", !self.catalogue.custom_events.is_empty()),
        ];
        let clock = [
            ("--clock-direction", self.clock_direction.is_some()),
            ("--clock-mask", self.clock_mask.is_some()),
            ("--clock-period", self.clock_period.is_some()),
        ];
        let symbols = [("--symbols", self.symbols.files().next().is_some())];
        let rkh = self.rkh.given();
        let unused: Vec<_> = match format {
            Format::ThreadX => rkh.iter().chain(&symbols).collect(),
            Format::Rkh => threadx.iter().chain(&clock).collect(),
            Format::Cswitch => threadx.iter().chain(&rkh).collect(),
        };
        let unused = unused.into_iter().filter(|(_, is_given)| *is_given);
        let unused: Vec<_> = unused.map(|(option, _)| *option).collect();
        if !unused.is_empty() {
            let what = match format {
                Format::ThreadX => "a ThreadX trace buffer",
                Format::Rkh => "an RKH trace stream",
                Format::Cswitch => "a context-switch log",
            };
            let options = unused.join(", ");
            crate::message!("{name}: no effect on {what}: {options}");
        }
    }

    /// The files that help to read a recording.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        let custom = self.catalogue.custom_events.iter();
        let custom = custom.map(PathBuf::as_path);
        custom.chain(self.rkh.file()).chain(self.symbols.files())
    }

    fn clock(&self) -> ClockOptions {
        ClockOptions {
            direction: self.clock_direction.map(|way| match way {
                Way::Up => Direction::Up,
                Way::Down => Direction::Down,
            }),
            mask: self.clock_mask,
            period: self.clock_period,
            frequency: self.clock,
        }
    }

    fn threadx(&self) -> anyhow::Result<threadx::Options> {
        Ok(threadx::Options {
            clock: self.clock(),
            netx: self.catalogue.dialect(),
            cores: match self.core_bits {
                Cores::Detect => CoreBits::Detect,
                Cores::Smp => CoreBits::Smp,
                Cores::SingleCore => CoreBits::SingleCore,
            },
            custom: self.catalogue.custom()?,
        })
    }
}

impl CatalogueArguments {
    /// The network stack.
    pub fn dialect(&self) -> NetxDialect {
        match self.netx {
            Netx::Duo => NetxDialect::Duo,
            Netx::Legacy => NetxDialect::Legacy,
        }
    }

    /// The application's own events.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, or is no such definition.
    pub fn custom(&self) -> anyhow::Result<Vec<Kind>> {
        let mut kinds = Vec::new();
        for path in &self.custom_events {
            let name = || Printable::path(&path).to_string();
            let text = std::fs::read(path).with_context(name)?;
            kinds.extend(custom::parse(&text).with_context(name)?);
        }
        Ok(kinds)
    }
}
