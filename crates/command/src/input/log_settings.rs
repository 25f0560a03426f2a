//! The settings of context-switch logs.

use super::quantity::parse_number;
use clap::{Args, ValueEnum};
use rtoscope_decode::cswitch::{self, BufferLocation};
use rtoscope_decode::{DecodeOptions, Format};
use rtoscope_wire::ByteOrder;
use rtoscope_wire::cswitch::PointerSize;

pub(super) const HELP_HEADING: &str = "Context-switch logs";

/// Address and layout of a context-switch log, where the file does not contain
/// them. Any of these settings makes the file a context-switch log.
#[derive(Clone, Copy, Args)]
pub(super) struct LogSettings {
    /// Start address of the log's buffer in a memory image; taken from the
    /// recorder's variables if --symbols names the firmware's ELF file
    #[arg(long, value_name = "ADDRESS", value_parser = parse_number, help_heading = HELP_HEADING)]
    log_start: Option<u64>,

    /// Address of the next entry
    #[arg(long, value_name = "ADDRESS", value_parser = parse_number, help_heading = HELP_HEADING)]
    log_current: Option<u64>,

    /// End address of the log's buffer
    #[arg(long, value_name = "ADDRESS", value_parser = parse_number, help_heading = HELP_HEADING)]
    log_end: Option<u64>,

    /// Treat the buffer as a ring, or not; overrides detection
    #[arg(long, value_name = "YES", help_heading = HELP_HEADING)]
    log_cyclic: Option<bool>,

    /// Address of the file's first byte, for a memory image that holds more than
    /// the log
    #[arg(long, value_name = "ADDRESS", value_parser = parse_number, help_heading = HELP_HEADING)]
    log_base: Option<u64>,

    /// Size of the target's pointers in bytes: entries have 16 bytes with 4, 24
    /// with 8
    #[arg(long, value_name = "BYTES", help_heading = HELP_HEADING)]
    log_pointer_size: Option<PointerWidth>,

    /// Byte order of the target
    #[arg(long, value_name = "ORDER", help_heading = HELP_HEADING)]
    log_byte_order: Option<ByteOrderArg>,

    /// Width of the log's counter in bits, if it wraps before 32
    #[arg(
        long,
        value_name = "BITS",
        value_parser = clap::value_parser!(u8).range(1..=32),
        help_heading = HELP_HEADING
    )]
    counter_bits: Option<u8>,
}

#[derive(Clone, Copy, ValueEnum)]
enum PointerWidth {
    #[value(name = "4")]
    Four,
    #[value(name = "8")]
    Eight,
}

/// A byte order.
#[derive(Clone, Copy, ValueEnum)]
pub enum ByteOrderArg {
    /// Lowest byte first
    Little,
    /// Highest byte first
    Big,
}

impl From<ByteOrderArg> for ByteOrder {
    fn from(order: ByteOrderArg) -> Self {
        match order {
            ByteOrderArg::Little => Self::Little,
            ByteOrderArg::Big => Self::Big,
        }
    }
}

impl LogSettings {
    /// The format that these settings imply, if any of them is set.
    pub(super) fn implied_format(&self) -> Option<Format> {
        let is_any_set = !self.location().is_empty()
            || self.log_pointer_size.is_some()
            || self.log_byte_order.is_some()
            || self.counter_bits.is_some();
        is_any_set.then_some(cswitch::FORMAT)
    }

    /// Applies these settings to the decoder's options.
    pub(super) fn apply_to(&self, options: &mut DecodeOptions) {
        let options = &mut options.cswitch;
        options.location = self.location();
        options.pointer_size = self.log_pointer_size.map(|size| match size {
            PointerWidth::Four => PointerSize::Four,
            PointerWidth::Eight => PointerSize::Eight,
        });
        options.byte_order = self.log_byte_order.map(Into::into);
        options.counter_bits = self.counter_bits;
    }

    fn location(&self) -> BufferLocation {
        BufferLocation {
            base: self.log_base,
            start: self.log_start,
            current: self.log_current,
            end: self.log_end,
            cyclic: self.log_cyclic,
        }
    }
}
