//! Where the arguments of each record stand, worked out once a configuration.

use rtoscope_wire::rkh::record::{record, records};
use rtoscope_wire::rkh::{Configuration, Record, Shape, Width};

/// No record of fixed length is longer: an id, a number, a stamp of 4 bytes,
/// eight arguments of 4 bytes and a checksum make 39 bytes.
pub(super) const WINDOW: usize = 48;

/// Arguments of a record of fixed length at most.
pub(super) const MOST_ARGUMENTS: usize = 8;

/// Where an argument stands in its frame.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Field {
    /// Bytes from the start of the frame.
    at: u8,
    /// Its bits that count; 0 if the configuration leaves it out.
    mask: u32,
}

impl Field {
    #[inline(always)]
    pub(super) fn load(self, window: &[u8; WINDOW]) -> u32 {
        let bytes = window.get(usize::from(self.at)..);
        let word = bytes.and_then(|bytes| bytes.first_chunk());
        word.map_or(0, |word| u32::from_le_bytes(*word)) & self.mask
    }
}

/// What is known of the records of an id.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Entry {
    /// The frame's bytes without escapes; 0 if they are not fixed, or the
    /// record has no sequence number and stamp of its own.
    pub(super) length: u8,
    /// Arguments in the full layout.
    pub(super) count: u8,
    /// Where they stand.
    pub(super) fields: [Field; MOST_ARGUMENTS],
}

/// How records of a configuration are read.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    pub(super) configuration: Configuration,
    pub(super) stamp: Field,
    entries: Box<[Entry; 256]>,
}

impl Plan {
    pub(super) fn new(configuration: Configuration) -> Self {
        let mut entries = Box::new([Entry::default(); 256]);
        let header = header_bytes(&configuration);
        let stamp_bytes = configuration.stamp.map_or(0, Width::bytes);
        for record in records(configuration.dialect) {
            let fixed = record.shape == Shape::Fixed && !record.bare;
            if let Some(entry) = entries.get_mut(usize::from(record.id))
                && fixed
            {
                *entry = fixed_entry(record, &configuration, header).unwrap_or_default();
            }
        }
        Self {
            configuration,
            stamp: field(header - stamp_bytes, stamp_bytes),
            entries,
        }
    }

    #[inline(always)]
    pub(super) fn entry(&self, id: u8) -> &Entry {
        &self.entries[usize::from(id)]
    }

    pub(super) fn record(&self, id: u8) -> Option<&'static Record> {
        record(self.configuration.dialect, id)
    }
}

/// Bytes before the arguments of a record: its id and, where records have them,
/// its sequence number and stamp.
pub(super) fn header_bytes(configuration: &Configuration) -> usize {
    let stamp = configuration.stamp.map_or(0, Width::bytes);
    1 + usize::from(configuration.sequence) + stamp
}

fn fixed_entry(record: &Record, configuration: &Configuration, header: usize) -> Option<Entry> {
    let mut entry = Entry {
        count: u8::try_from(record.arguments.len()).ok()?,
        ..Entry::default()
    };
    let mut at = header;
    if record.arguments.len() > MOST_ARGUMENTS {
        return None;
    }
    for (argument, place) in record.arguments.iter().zip(&mut entry.fields) {
        let width = argument.kind.width(configuration)?;
        *place = field(at, width);
        at += width;
    }
    entry.length = u8::try_from(at + usize::from(configuration.checksum)).ok()?;
    Some(entry)
}

fn field(at: usize, width: usize) -> Field {
    Field {
        at: u8::try_from(at).unwrap_or(u8::MAX),
        mask: match width {
            0 => 0,
            1 => 0xFF,
            2 => 0xFFFF,
            _ => u32::MAX,
        },
    }
}

/// A frame's bytes and whatever lies behind it, or zeros.
#[inline(always)]
pub(super) fn window(onwards: &[u8]) -> [u8; WINDOW] {
    match onwards.first_chunk() {
        Some(window) => *window,
        None => {
            let mut window = [0; WINDOW];
            for (to, from) in window.iter_mut().zip(onwards) {
                *to = *from;
            }
            window
        }
    }
}

/// The sum of the first bytes of a window, modulo 256.
#[inline(always)]
pub(super) fn sum(window: &[u8; WINDOW], length: u8) -> u8 {
    let mask = &MASKS[usize::from(length).min(WINDOW)];
    let counted = window.iter().zip(mask).map(|(byte, mask)| byte & mask);
    counted.fold(0, u8::wrapping_add)
}

/// For each length: ones where bytes count.
static MASKS: [[u8; WINDOW]; WINDOW + 1] = {
    let mut masks = [[0; WINDOW]; WINDOW + 1];
    let mut length = 0;
    while length <= WINDOW {
        let mut at = 0;
        while at < length {
            masks[length][at] = 0xFF;
            at += 1;
        }
        length += 1;
    }
    masks
};

#[cfg(test)]
mod tests {
    use super::*;
    use rtoscope_wire::rkh::Dialect;

    #[test]
    fn the_longest_record_fits_into_a_window() {
        for dialect in Dialect::ALL {
            let configuration = Configuration {
                signal: Width::Four,
                pointer: Width::Four,
                function: Width::Four,
                timer: Width::Four,
                blocks: Width::Four,
                block_size: Width::Four,
                elements: Width::Four,
                event_size: Width::Four,
                sender: true,
                queue_marks: true,
                pool_marks: true,
                dialect,
                ..Configuration::default()
            };
            let plan = Plan::new(configuration);
            for record in records(dialect) {
                let fixed = record.shape == Shape::Fixed && !record.bare;
                let has_text = |record: &Record| {
                    let mut kinds = record.arguments.iter().map(|argument| argument.kind);
                    kinds.any(|kind| kind.width(&configuration).is_none())
                };
                let length = usize::from(plan.entry(record.id).length);
                assert_eq!(length > 0, fixed && !has_text(record), "{}", record.name);
                assert!(length <= WINDOW - 4, "{}", record.name);
            }
        }
    }

    #[test]
    fn only_bytes_of_the_frame_count() {
        let bytes: Vec<u8> = (1..=60).collect();
        for length in 0..=WINDOW {
            let expected = bytes[..length]
                .iter()
                .fold(0_u8, |sum, byte| sum.wrapping_add(*byte));
            assert_eq!(sum(&window(&bytes), length as u8), expected);
            let short = window(&bytes[..length]);
            assert_eq!(sum(&short, length as u8), expected);
        }
    }
}
