//! The signals of a capture, and what it says about itself.

use crate::decimal::decimal;
use rtoscope_trace::{Address, Frequency};
use std::collections::HashMap;

/// How a capture is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Syntax {
    /// Nothing is read yet.
    #[default]
    Undecided,
    Vcd,
    Csv,
    Session,
}

impl Syntax {
    /// The name in output.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Undecided => "unknown",
            Self::Vcd => "VCD",
            Self::Csv => "CSV",
            Self::Session => "sigrok session",
        }
    }
}

/// What the values of a signal are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SignalType {
    /// One bit.
    Digital,
    /// 2 to 64 bits.
    Vector,
    /// More bits.
    WideVector,
    /// A number with a fraction.
    Real,
    /// A text.
    Text,
    /// No value, only points in time.
    Event,
}

impl SignalType {
    /// The name in output.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Digital => "digital",
            Self::Vector => "vector",
            Self::WideVector => "wide-vector",
            Self::Real => "real",
            Self::Text => "text",
            Self::Event => "event",
        }
    }
}

/// A signal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Signal {
    /// Its name, in the file's encoding.
    pub(super) name: Box<[u8]>,
    pub(super) signal_type: SignalType,
    pub(super) bits: u32,
}

/// The number of a signal: index into [`SignalTable::all`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SignalId(pub(super) u32);

impl SignalId {
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    /// An address that identifies it: none is 0.
    pub(super) const fn address(self) -> Address {
        Address(self.0 as u64 + 1)
    }
}

/// The signals of a capture.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct SignalTable {
    pub(super) syntax: Syntax,
    pub(super) all: Vec<Signal>,
    /// The signals by their codes in a VCD.
    pub(super) codes: HashMap<Box<[u8]>, SignalId>,
    /// Number of further names of signals.
    pub(super) aliases: u64,
    /// Number of signals that are not decoded: analogue ones, and those beyond the maximum.
    pub(super) skipped: u64,
    /// Ticks per second, if the capture says it.
    pub(super) frequency: Option<Frequency>,
    /// What the capture says about itself: name and text.
    pub(super) properties: Vec<(&'static str, String)>,
    /// The header as it is written.
    pub(super) text: Vec<u8>,
}

/// Maximum number of signals.
const MAX_SIGNALS: usize = 1 << 16;

/// Maximum number of bytes of a name, a property and the header to keep.
const MAX_NAME_BYTES: usize = 1 << 10;
const MAX_PROPERTY_BYTES: usize = 200;
const MAX_TEXT_BYTES: usize = 1 << 20;

impl SignalTable {
    /// Adds a signal; `None` if there are too many.
    pub(super) fn add(
        &mut self,
        name: &[u8],
        signal_type: SignalType,
        bits: u32,
    ) -> Option<SignalId> {
        if self.all.len() >= MAX_SIGNALS {
            self.skipped += 1;
            return None;
        }
        let id = SignalId(u32::try_from(self.all.len()).ok()?);
        self.all.push(Signal {
            name: name.get(..MAX_NAME_BYTES).unwrap_or(name).into(),
            signal_type,
            bits,
        });
        Some(id)
    }

    /// Adds what the capture says about itself, once.
    pub(super) fn set_property(&mut self, key: &'static str, text: &[u8]) {
        let text = text.get(..MAX_PROPERTY_BYTES).unwrap_or(text).trim_ascii();
        if !text.is_empty() && self.properties.iter().all(|(known, _)| *known != key) {
            let text = String::from_utf8_lossy(text).into_owned();
            self.properties.push((key, text));
        }
    }

    /// Keeps a part of the header.
    pub(super) fn keep_text(&mut self, text: &[u8]) {
        if self.text.len() + text.len() <= MAX_TEXT_BYTES {
            self.text.extend_from_slice(text);
        }
    }
}

/// A number of hertz with a unit, such as `12.5 MHz`; `None` unless it is whole hertz.
pub(super) fn frequency(text: &[u8]) -> Option<Frequency> {
    let text = std::str::from_utf8(text).ok()?.trim();
    let end = text.find(|it: char| !it.is_ascii_digit() && it != '.');
    let (number, unit) = text.split_at(end.unwrap_or(text.len()));
    let unit = unit.trim().to_ascii_lowercase();
    let exponent = match unit.strip_suffix("hz").unwrap_or(&unit).trim() {
        "" => 0,
        "k" => 3,
        "m" => 6,
        "g" => 9,
        _ => return None,
    };
    Frequency::from_hertz(u64::try_from(decimal(number.as_bytes(), exponent)?).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_units() {
        let hertz = |text: &str| frequency(text.as_bytes()).map(Frequency::hertz);
        assert_eq!(hertz("1 MHz"), Some(1_000_000));
        assert_eq!(hertz("12.5 MHz"), Some(12_500_000));
        assert_eq!(hertz("200kHz"), Some(200_000));
        assert_eq!(hertz("24000000"), Some(24_000_000));
        assert_eq!(hertz("1 THz"), None);
        assert_eq!(hertz("0 Hz"), None);
    }
}
