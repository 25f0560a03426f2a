//! The input of a command: which file, which buffer, and what the user knows
//! better than the file.

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use rtoscope_decode::clock::ClockOptions;
use rtoscope_decode::source::{Input, Source};
use rtoscope_decode::threadx::{self, CoreBits, NetxDialect, custom};
use rtoscope_decode::{Choice, DecodeError, Opened};
use rtoscope_trace::clock::Direction;
use rtoscope_trace::diagnostic::counted;
use rtoscope_trace::{Address, Diagnostic, Diagnostics, Frequency, Kind, Severity, Statistic};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

/// Which recording is meant.
#[derive(Args)]
pub(crate) struct FileArguments {
    /// The recording: a raw buffer, Intel HEX, S-records, hex text of a
    /// debugger, a RAM image or an ELF core, also compressed with gzip or zstd;
    /// `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    #[command(flatten)]
    buffer: BufferArguments,
}

/// Which recordings are meant.
#[cfg(feature = "viewer")]
#[derive(Args)]
pub(crate) struct FilesArguments {
    /// The recordings: raw buffers, Intel HEX, S-records, hex text of a
    /// debugger, RAM images or ELF cores, also compressed with gzip or zstd;
    /// `-` is standard input
    #[arg(value_name = "FILE", required = true, num_args = 1..=rtoscope_server::MOST_TRACES)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    buffer: BufferArguments,
}

/// Which buffer of a recording is meant.
#[derive(Clone, Copy, Args)]
struct BufferArguments {
    /// The number of the buffer, from 0, where the file holds several
    #[arg(
        long,
        value_name = "NUMBER",
        conflicts_with = "at",
        help_heading = "Input"
    )]
    buffer: Option<usize>,

    /// The address or file offset of the buffer, where the file holds several
    #[arg(long, value_name = "ADDRESS", value_parser = number, help_heading = "Input")]
    at: Option<u64>,
}

/// What the user knows better than the recording.
#[derive(Args)]
pub(crate) struct DecodeArguments {
    /// How fast the trace's clock ticks: 240MHz, 32768 (Hz), 25ns (a tick) or
    /// 240/us (ticks); turns ticks into time
    #[arg(
        long,
        value_name = "SPEED",
        visible_alias = "clock-frequency",
        value_parser = frequency,
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

    #[command(flatten)]
    pub(crate) catalogue: CatalogueArguments,
}

/// What events mean.
#[derive(Args)]
pub(crate) struct CatalogueArguments {
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

impl FileArguments {
    /// The bytes of the file.
    pub(crate) fn read(&self) -> anyhow::Result<Source> {
        let source = if self.file == Path::new("-") {
            Source::stdin()
        } else {
            Source::open(&self.file)
        };
        source.map_err(|error| self.named(error))
    }

    /// The buffers in the bytes.
    pub(crate) fn open<'a>(&self, input: Input<'a>) -> anyhow::Result<Opened<'a>> {
        let choice = match (self.buffer.buffer, self.buffer.at) {
            (Some(number), _) => Choice::Number(number),
            (None, Some(address)) => Choice::At(Address(address)),
            (None, None) => Choice::First,
        };
        rtoscope_decode::open(input, choice).map_err(|error| self.named(error))
    }

    /// The recording in the chosen buffer.
    pub(crate) fn decode(
        &self,
        opened: &Opened<'_>,
        arguments: &DecodeArguments,
    ) -> anyhow::Result<threadx::Recording> {
        let decoded = opened.decode(&arguments.options()?);
        decoded.map_err(|error| self.named(error))
    }

    /// Says on standard error that there is more to know than the command shows.
    pub(crate) fn hint(&self, diagnostics: &Diagnostics) {
        let grave = |diagnostic: &&Diagnostic| diagnostic.severity() > Severity::Info;
        let count = diagnostics.iter().filter(grave).count();
        if count > 0 {
            let problems = counted(count as u64, "problem", "problems");
            anstream::eprintln!(
                "rtoscope: {}: {problems} with this recording; `rtoscope info` tells",
                self.name()
            );
        }
    }

    /// The name of the file for people.
    pub(crate) fn name(&self) -> String {
        if self.file == Path::new("-") {
            "standard input".to_owned()
        } else {
            self.file.display().to_string()
        }
    }

    /// Where the file is, if it is one.
    #[cfg(feature = "viewer")]
    pub(crate) fn path(&self) -> Option<&Path> {
        Some(self.file.as_path()).filter(|file| *file != Path::new("-"))
    }

    /// The name of the file without its folder.
    #[cfg(feature = "viewer")]
    pub(crate) fn title(&self) -> String {
        match self.path().and_then(Path::file_name) {
            Some(name) => name.to_string_lossy().into_owned(),
            None => self.name(),
        }
    }

    fn named(&self, error: DecodeError) -> anyhow::Error {
        match error {
            // These name the file themselves.
            DecodeError::Io { .. }
            | DecodeError::Directory { .. }
            | DecodeError::EndlessStream { .. } => error.into(),
            _ => anyhow::Error::new(error).context(self.name()),
        }
    }
}

#[cfg(feature = "viewer")]
impl FilesArguments {
    /// Each of them.
    pub(crate) fn each(&self) -> impl Iterator<Item = FileArguments> {
        self.files.iter().map(|file| FileArguments {
            file: file.clone(),
            buffer: self.buffer,
        })
    }
}

impl DecodeArguments {
    pub(crate) fn options(&self) -> anyhow::Result<threadx::Options> {
        Ok(threadx::Options {
            clock: ClockOptions {
                direction: self.clock_direction.map(|way| match way {
                    Way::Up => Direction::Up,
                    Way::Down => Direction::Down,
                }),
                mask: self.clock_mask,
                period: self.clock_period,
                frequency: self.clock,
            },
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
    pub(crate) fn dialect(&self) -> NetxDialect {
        match self.netx {
            Netx::Duo => NetxDialect::Duo,
            Netx::Legacy => NetxDialect::Legacy,
        }
    }

    /// What the components of the target count.
    pub(crate) fn statistics(&self) -> &'static [Statistic] {
        threadx::catalogue::statistics(self.dialect())
    }

    pub(crate) fn custom(&self) -> anyhow::Result<Vec<Kind>> {
        let mut kinds = Vec::new();
        for path in &self.custom_events {
            let name = || path.display().to_string();
            let text = std::fs::read(path).with_context(name)?;
            kinds.extend(custom::parse(&text).with_context(name)?);
        }
        Ok(kinds)
    }
}

/// A number as people and debuggers write it: decimal or 0x hexadecimal.
pub(crate) fn number(text: &str) -> Result<u64, String> {
    let plain = text.replace('_', "");
    let lower = plain.to_ascii_lowercase();
    let parsed = match lower.strip_prefix("0x") {
        Some(digits) if !digits.starts_with('+') => u64::from_str_radix(digits, 16),
        _ => plain.parse(),
    };
    parsed.map_err(|_| "expected a number, decimal or with 0x".to_owned())
}

fn period(text: &str) -> Result<u64, String> {
    let ticks = number(text)?;
    if ticks < 2 {
        return Err("expected at least 2 ticks".to_owned());
    }
    Ok(ticks)
}

/// A frequency, the time of a tick, or the ticks of a time.
fn frequency(text: &str) -> Result<Frequency, String> {
    let expected =
        || "expected a speed such as 25MHz, 32.768kHz, 1000000, 40ns or 25/us".to_owned();
    let lower = text.trim().to_ascii_lowercase();
    let positive = |number: &str| {
        let value = number.trim().parse::<f64>().ok();
        value.filter(|value| *value > 0.0).ok_or_else(expected)
    };
    let (hertz, exact) = if let Some((ticks, unit)) = lower.split_once('/') {
        let ticks = ticks.trim_end().trim_end_matches("ticks");
        let seconds = unit_seconds(unit.trim()).ok_or_else(expected)?;
        (positive(ticks)? / seconds, true)
    } else if let Some((number, seconds)) = duration(&lower) {
        // 30ns are 33333333.3 Hz: rounding to whole hertz is off by less than
        // any oscillator.
        (1.0 / (positive(number)? * seconds), false)
    } else {
        let value = lower.strip_suffix("hz").unwrap_or(&lower).trim_end();
        let (value, factor) = match value.char_indices().next_back() {
            Some((at, 'k')) => (&value[..at], 1e3),
            Some((at, 'm')) => (&value[..at], 1e6),
            Some((at, 'g')) => (&value[..at], 1e9),
            _ => (value, 1.0),
        };
        (positive(value)? * factor, true)
    };
    // 16.6667 MHz is a whole number of hertz, though not in binary fractions.
    let whole = hertz.round();
    if !(1.0..=1e12).contains(&whole) || exact && (hertz - whole).abs() > 1e-3 {
        return Err(format!(
            "{}, a whole number of hertz from 1 to 10^12",
            expected()
        ));
    }
    NonZeroU64::new(whole as u64)
        .map(Frequency)
        .ok_or_else(expected)
}

fn unit_seconds(unit: &str) -> Option<f64> {
    Some(match unit {
        "s" => 1.0,
        "ms" => 1e-3,
        "us" | "\u{b5}s" | "\u{3bc}s" => 1e-6,
        "ns" => 1e-9,
        _ => return None,
    })
}

/// The number of a duration, and its unit in seconds.
fn duration(text: &str) -> Option<(&str, f64)> {
    let letters = text.find(|letter: char| letter.is_alphabetic())?;
    let (number, unit) = text.split_at_checked(letters)?;
    Some((number, unit_seconds(unit)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_decimal_or_hexadecimal() {
        assert_eq!(number("1_000"), Ok(1000));
        assert_eq!(number("0x2000A100"), Ok(0x2000_A100));
        assert!(number("0x").is_err());
        assert!(number("0x+1").is_err());
        assert!(number("-1").is_err());
    }

    #[test]
    fn frequencies_have_units() {
        let hertz = |text| frequency(text).map(|it| it.0.get());
        assert_eq!(hertz("25MHz"), Ok(25_000_000));
        assert_eq!(hertz("32.768 kHz"), Ok(32_768));
        assert_eq!(hertz("1000000"), Ok(1_000_000));
        assert_eq!(hertz("1g"), Ok(1_000_000_000));
        assert_eq!(hertz("16.6667MHz"), Ok(16_666_700));
        assert_eq!(hertz("25ns"), Ok(40_000_000));
        assert_eq!(hertz("0.5 us"), Ok(2_000_000));
        assert_eq!(hertz("30ns"), Ok(33_333_333));
        assert_eq!(hertz("240/us"), Ok(240_000_000));
        assert_eq!(hertz("1000 ticks/ms"), Ok(1_000_000));
        for bad in [
            "", "MHz", "0", "0.5", "nan", "1THz", "-5", "0ns", "ns", "1/", "/us", "5/min", "inf",
        ] {
            assert!(frequency(bad).is_err(), "{bad}");
        }
    }
}
