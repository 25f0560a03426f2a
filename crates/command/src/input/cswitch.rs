//! Where a context-switch log lies, and how its entries are laid out.

use super::quantity::parse_number;
use clap::{Args, ValueEnum};
use rtoscope_decode::cswitch::{BufferLocation, CswitchOptions};
use rtoscope_wire::ByteOrder;
use rtoscope_wire::cswitch::PointerSize;

const HELP_HEADING: &str = "Context-switch log";

/// Where a context-switch log lies, and how its entries are laid out, where the
/// file does not say it. The file is taken for one if any of these is given.
#[derive(Clone, Copy, Args)]
pub(super) struct LogArgs {
    /// The address where the log's buffer starts, in an image of memory; found by
    /// the recorder's variables if --symbols names the firmware's ELF file
    #[arg(long, value_name = "ADDRESS", value_parser = parse_number, help_heading = HELP_HEADING)]
    log_start: Option<u64>,

    /// The address where the next entry would go
    #[arg(long, value_name = "ADDRESS", value_parser = parse_number, help_heading = HELP_HEADING)]
    log_current: Option<u64>,

    /// The address where the log's buffer ends
    #[arg(long, value_name = "ADDRESS", value_parser = parse_number, help_heading = HELP_HEADING)]
    log_end: Option<u64>,

    /// Whether the buffer is a ring, instead of what its entries speak for
    #[arg(
        long,
        value_name = "YES",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true",
        help_heading = HELP_HEADING
    )]
    log_cyclic: Option<bool>,

    /// The address of the file's first byte, where the file is an image of memory
    /// that holds more than the log
    #[arg(long, value_name = "ADDRESS", value_parser = parse_number, help_heading = HELP_HEADING)]
    log_base: Option<u64>,

    /// Bytes of the target's pointers: entries have 16 bytes with 4, 24 with 8
    #[arg(long, value_name = "BYTES", help_heading = HELP_HEADING)]
    log_pointer_size: Option<PointerWidth>,

    /// The target's byte order
    #[arg(long, value_name = "ORDER", help_heading = HELP_HEADING)]
    log_byte_order: Option<ByteOrderArg>,

    /// Bits that the log's counter counts with, where it starts again before 32
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
    /// The lowest byte first.
    Little,
    /// The highest byte first.
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

impl LogArgs {
    /// Whether any of them is given.
    pub(super) fn is_any_set(&self) -> bool {
        !self.location().is_empty()
            || self.log_pointer_size.is_some()
            || self.log_byte_order.is_some()
            || self.counter_bits.is_some()
    }

    /// Adds what they say to what is known of a log.
    pub(super) fn apply_to(&self, options: &mut CswitchOptions) {
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
