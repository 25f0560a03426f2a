//! The decoding options.

use super::quantity::{parse_frequency, parse_number, parse_period};
use super::rkh::RkhArgs;
use super::set_options::set_options;
use super::symbols::SymbolArgs;
use super::threadx::ThreadXArgs;
use clap::{Args, ValueEnum};
use rtoscope_decode::clock::ClockOptions;
use rtoscope_decode::{DecodeOptions, Format, cswitch, rkh};
use rtoscope_trace::Frequency;
use rtoscope_trace::clock::ClockDirection;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

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

    #[command(flatten)]
    threadx: ThreadXArgs,

    #[command(flatten)]
    rkh: RkhArgs,

    #[command(flatten)]
    symbols: SymbolArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum ClockDirectionArg {
    Up,
    Down,
}

impl DecodeArgs {
    /// Creates the options for a format, or for any format.
    pub fn options(&self, format: Option<Format>) -> anyhow::Result<DecodeOptions> {
        let mut rkh = self.rkh.options(self.clock)?;
        if format.is_none_or(|format| format == rkh::FORMAT) {
            rkh.symbols = self.symbols.load_symbols(&rkh)?;
            rkh.own_records = Arc::new(self.threadx.own_records()?);
            rkh.firmware = self.symbols.load_available_firmware();
        }
        let firmware = match format {
            // Not every symbol file of a stream is an ELF file.
            None => self.symbols.load_available_firmware(),
            Some(format) if format == rkh::FORMAT => Vec::new(),
            Some(_) => self.symbols.load_firmware()?,
        };
        Ok(DecodeOptions {
            threadx: self.threadx.options(self.clock(), firmware.clone())?,
            rkh,
            cswitch: cswitch::CswitchOptions {
                clock: self.clock(),
                firmware,
                ..cswitch::CswitchOptions::default()
            },
            ..DecodeOptions::default()
        })
    }

    /// The format of input that fits no other, if an option implies it.
    pub(super) fn implied_format(&self) -> Option<Format> {
        self.rkh.implied_format()
    }

    /// Warns of options that do not apply to the format.
    pub(super) fn warn_of_unused(&self, format: Format, name: &str) {
        let clock = [
            ("--clock-direction", self.clock_direction.is_some()),
            ("--clock-mask", self.clock_mask.is_some()),
            ("--clock-period", self.clock_period.is_some()),
        ];
        let symbols = [("--symbols", self.symbols.files().next().is_some())];
        let set = self.threadx.set_options().chain(set_options(clock));
        let set = set
            .chain(self.rkh.set_options())
            .chain(set_options(symbols));
        let applicable = format.description().options;
        let unused: Vec<_> = set.filter(|option| !applicable.contains(option)).collect();
        if !unused.is_empty() {
            let (format, options) = (format.title_with_article(), unused.join(", "));
            let warning = format!("{name}: no effect on {format}: {options}");
            // A query can decode a recording more than once.
            static GIVEN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
            let mut given = GIVEN.lock().unwrap_or_else(PoisonError::into_inner);
            if given.insert(warning.clone()) {
                crate::message!("{warning}");
            }
        }
    }

    /// The files that these options read.
    pub(super) fn auxiliary_files(&self) -> impl Iterator<Item = &Path> {
        let custom = self.threadx.files();
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
}
