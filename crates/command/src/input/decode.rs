//! The decoding options.

use super::quantity::{parse_frequency, parse_number, parse_period};
use super::rkh::RkhArgs;
use super::symbols::SymbolArgs;
use anyhow::Context as _;
use clap::{Args, ValueEnum};
use rtoscope_decode::clock::ClockOptions;
use rtoscope_decode::threadx::{self, CoreBits, NetxDialect, custom_events};
use rtoscope_decode::{DecodeOptions, Format, cswitch};
use rtoscope_trace::clock::ClockDirection;
use rtoscope_trace::printable::Printable;
use rtoscope_trace::{EventKind, Frequency};
use std::path::{Path, PathBuf};

/// The decoding options.
#[derive(Args)]
pub struct DecodeArgs {
    /// Clock frequency: 240MHz, 32768 (Hz; a bare number below 1000 is refused),
    /// 25ns (per tick) or 240/us (ticks); converts ticks into time
    #[arg(
        long,
        value_name = "SPEED",
        visible_alias = "clock-frequency",
        value_parser = parse_frequency,
        allow_hyphen_values = true,
        help_heading = "Clock"
    )]
    clock: Option<Frequency>,

    /// Counting direction of the clock; overrides detection
    #[arg(long, value_name = "WAY", help_heading = "Clock")]
    clock_direction: Option<ClockDirectionArg>,

    /// Significant bits of a timestamp; overrides the header
    #[arg(long, value_name = "MASK", value_parser = parse_number, help_heading = "Clock")]
    clock_mask: Option<u64>,

    /// Ticks after which the clock restarts, if that is before its mask is full:
    /// SysTick's reload value + 1, 1000000000 for nanoseconds of a second
    #[arg(long, value_name = "TICKS", value_parser = parse_period, help_heading = "Clock")]
    clock_period: Option<u64>,

    /// Whether event numbers include a core number (ThreadX SMP)
    #[arg(
        long,
        value_name = "HOW",
        default_value = "detect",
        help_heading = "Events"
    )]
    core_bits: CoreBitsArg,

    /// Event definitions.
    #[command(flatten)]
    pub catalogue: CatalogueArgs,

    #[command(flatten)]
    rkh: RkhArgs,

    #[command(flatten)]
    symbols: SymbolArgs,
}

/// Event definitions.
#[derive(Args)]
pub struct CatalogueArgs {
    /// Network stack, which defines events 441 to 448 and 469
    #[arg(
        long,
        value_name = "STACK",
        default_value = "duo",
        help_heading = "Events"
    )]
    netx: NetxArg,

    /// Definitions of the application's own events: TraceX's .trxc or TOML;
    /// repeatable
    #[arg(long, value_name = "FILE", help_heading = "Events")]
    custom_events: Vec<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum ClockDirectionArg {
    Up,
    Down,
}

#[derive(Clone, Copy, ValueEnum)]
enum CoreBitsArg {
    /// Detect it from the events
    Detect,
    /// Yes: bits 24 to 31 are the core
    Smp,
    /// No: all bits are the event number
    SingleCore,
}

#[derive(Clone, Copy, ValueEnum)]
enum NetxArg {
    /// NetX Duo
    Duo,
    /// NetX, the discontinued predecessor
    Legacy,
}

impl DecodeArgs {
    /// Creates the options for a format, or for any format.
    pub fn options(&self, format: Option<Format>) -> anyhow::Result<DecodeOptions> {
        let mut rkh = self.rkh.options(self.clock)?;
        if matches!(format, None | Some(Format::Rkh)) {
            rkh.symbols = self.symbols.load_symbols(&rkh)?;
        }
        Ok(DecodeOptions {
            threadx: self.threadx()?,
            rkh,
            cswitch: cswitch::CswitchOptions {
                clock: self.clock(),
                firmware: match format {
                    Some(Format::Cswitch) => self.symbols.load_firmware()?,
                    // Not every symbol file of a stream is an ELF file.
                    None => self.symbols.load_available_firmware(),
                    Some(_) => Vec::new(),
                },
                ..cswitch::CswitchOptions::default()
            },
        })
    }

    /// Whether to guess the configuration of a stream.
    pub(super) fn guesses_rkh_config(&self) -> bool {
        self.rkh.guesses_config()
    }

    /// Warns of options that do not apply to the format.
    pub(super) fn warn_of_unused(&self, format: Format, name: &str) {
        let threadx = [
            (
                "--core-bits",
                !matches!(self.core_bits, CoreBitsArg::Detect),
            ),
            ("--netx", !matches!(self.catalogue.netx, NetxArg::Duo)),
            ("--custom-events", !self.catalogue.custom_events.is_empty()),
        ];
        let clock = [
            ("--clock-direction", self.clock_direction.is_some()),
            ("--clock-mask", self.clock_mask.is_some()),
            ("--clock-period", self.clock_period.is_some()),
        ];
        let symbols = [("--symbols", self.symbols.files().next().is_some())];
        let rkh = self.rkh.set_options();
        let unused: Vec<_> = match format {
            Format::ThreadX => rkh.iter().chain(&symbols).collect(),
            Format::Rkh => threadx.iter().chain(&clock).collect(),
            Format::Cswitch => threadx.iter().chain(&rkh).collect(),
        };
        let unused = unused.into_iter().filter(|(_, is_given)| *is_given);
        let unused: Vec<_> = unused.map(|(option, _)| *option).collect();
        if !unused.is_empty() {
            let format_name = match format {
                Format::ThreadX => "a ThreadX trace buffer",
                Format::Rkh => "an RKH trace stream",
                Format::Cswitch => "a context-switch log",
            };
            let options = unused.join(", ");
            crate::message!("{name}: no effect on {format_name}: {options}");
        }
    }

    /// The files that these options read.
    pub(super) fn auxiliary_files(&self) -> impl Iterator<Item = &Path> {
        let custom = self.catalogue.custom_events.iter();
        let custom = custom.map(PathBuf::as_path);
        custom
            .chain(self.rkh.config_file())
            .chain(self.symbols.files())
    }

    fn clock(&self) -> ClockOptions {
        ClockOptions {
            direction: self.clock_direction.map(|way| match way {
                ClockDirectionArg::Up => ClockDirection::Up,
                ClockDirectionArg::Down => ClockDirection::Down,
            }),
            mask: self.clock_mask,
            period: self.clock_period,
            frequency: self.clock,
        }
    }

    fn threadx(&self) -> anyhow::Result<threadx::ThreadXOptions> {
        Ok(threadx::ThreadXOptions {
            clock: self.clock(),
            netx: self.catalogue.dialect(),
            cores: match self.core_bits {
                CoreBitsArg::Detect => CoreBits::Detect,
                CoreBitsArg::Smp => CoreBits::Smp,
                CoreBitsArg::SingleCore => CoreBits::SingleCore,
            },
            custom: self.catalogue.load_custom_events()?,
        })
    }
}

impl CatalogueArgs {
    /// The network stack.
    pub fn dialect(&self) -> NetxDialect {
        match self.netx {
            NetxArg::Duo => NetxDialect::Duo,
            NetxArg::Legacy => NetxDialect::Legacy,
        }
    }

    /// Reads the definitions of the application's events.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or is not a valid definition.
    pub fn load_custom_events(&self) -> anyhow::Result<Vec<EventKind>> {
        let mut kinds = Vec::new();
        for path in &self.custom_events {
            let name = || Printable::path(&path).to_string();
            let text = std::fs::read(path).with_context(name)?;
            kinds.extend(custom_events::parse(&text).with_context(name)?);
        }
        Ok(kinds)
    }
}
