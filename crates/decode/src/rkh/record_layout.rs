//! The positions of each record's arguments, computed once per configuration.

use rtoscope_wire::rkh::header;
use rtoscope_wire::rkh::record::{record_spec, record_specs};
use rtoscope_wire::rkh::{ArgumentLayout, FieldWidth, RecordSpec, StreamConfiguration};

/// Maximum length of a record of fixed length: id, sequence number, a 4-byte
/// timestamp, eight 4-byte arguments and a checksum take 39 bytes.
pub(super) const WINDOW_BYTES: usize = 48;

/// Maximum number of arguments of a record of fixed length.
pub(super) const MAX_ARGUMENTS: usize = 8;

/// The position of an argument in its frame.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ArgumentField {
    /// Offset from the start of the frame.
    offset: u8,
    /// Its valid bits; 0 if the configuration omits it.
    mask: u32,
}

impl ArgumentField {
    #[inline(always)]
    pub(super) fn load(self, window: &[u8; WINDOW_BYTES]) -> u32 {
        let bytes = window.get(usize::from(self.offset)..);
        let word = bytes.and_then(|bytes| bytes.first_chunk());
        word.map_or(0, |word| u32::from_le_bytes(*word)) & self.mask
    }
}

/// The layout of the records of an id.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RecordLayout {
    /// The frame's length without escapes; 0 if it is variable, the record has
    /// no sequence number and timestamp of its own, ids have several bytes, or
    /// checksums omit the timestamp.
    pub(super) length: u8,
    /// Arguments in the full layout.
    pub(super) argument_count: u8,
    /// Their positions.
    pub(super) fields: [ArgumentField; MAX_ARGUMENTS],
}

/// How to read the records of a configuration.
#[derive(Debug, Clone)]
pub(super) struct RecordPlan {
    pub(super) configuration: StreamConfiguration,
    pub(super) timestamp: ArgumentField,
    entries: Box<[RecordLayout; 256]>,
}

impl RecordPlan {
    pub(super) fn new(configuration: StreamConfiguration) -> Self {
        let mut entries = Box::new([RecordLayout::default(); 256]);
        let header = configuration.header_len();
        // All other frames are read without a layout.
        let is_plain =
            configuration.id == FieldWidth::One && !configuration.has_uncovered_timestamp();
        let stamp_bytes = configuration.timestamp.map_or(0, FieldWidth::bytes);
        for record in record_specs(configuration.dialect) {
            let fixed = is_plain && record.layout == ArgumentLayout::Fixed && !record.headerless;
            if let Some(entry) = entries.get_mut(usize::from(record.id))
                && fixed
            {
                *entry = fixed_entry(record, &configuration, header).unwrap_or_default();
            }
        }
        Self {
            configuration,
            timestamp: field(header - stamp_bytes, stamp_bytes),
            entries,
        }
    }

    #[inline(always)]
    pub(super) fn entry(&self, id: u8) -> &RecordLayout {
        &self.entries[usize::from(id)]
    }

    /// The kind of record in a frame, by its id.
    pub(super) fn record_of(&self, frame: &[u8]) -> Option<&'static RecordSpec> {
        let id = header::frame_id(frame, &self.configuration)?;
        record_spec(self.configuration.dialect, id)
    }
}

fn fixed_entry(
    record: &RecordSpec,
    configuration: &StreamConfiguration,
    header: usize,
) -> Option<RecordLayout> {
    let mut entry = RecordLayout {
        argument_count: u8::try_from(record.arguments.len()).ok()?,
        ..RecordLayout::default()
    };
    let mut at = header;
    if record.arguments.len() > MAX_ARGUMENTS {
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

fn field(at: usize, width: usize) -> ArgumentField {
    ArgumentField {
        offset: u8::try_from(at).unwrap_or(u8::MAX),
        mask: match width {
            0 => 0,
            1 => 0xFF,
            2 => 0xFFFF,
            _ => u32::MAX,
        },
    }
}

/// The bytes of a frame and the following ones, padded with zeros.
#[inline(always)]
pub(super) fn window(onwards: &[u8]) -> [u8; WINDOW_BYTES] {
    match onwards.first_chunk() {
        Some(window) => *window,
        None => {
            let mut window = [0; WINDOW_BYTES];
            for (to, from) in window.iter_mut().zip(onwards) {
                *to = *from;
            }
            window
        }
    }
}

/// The sum of the first `length` bytes of a window, modulo 256.
#[inline(always)]
pub(super) fn sum(window: &[u8; WINDOW_BYTES], length: u8) -> u8 {
    let mask = &MASKS[usize::from(length).min(WINDOW_BYTES)];
    let counted = window.iter().zip(mask).map(|(byte, mask)| byte & mask);
    counted.fold(0, u8::wrapping_add)
}

/// For each length: all bits set in the bytes to include.
static MASKS: [[u8; WINDOW_BYTES]; WINDOW_BYTES + 1] = {
    let mut masks = [[0; WINDOW_BYTES]; WINDOW_BYTES + 1];
    let mut length = 0;
    while length <= WINDOW_BYTES {
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
            let configuration = StreamConfiguration {
                signal: FieldWidth::Four,
                pointer: FieldWidth::Four,
                function: FieldWidth::Four,
                timer_ticks: FieldWidth::Four,
                block_count: FieldWidth::Four,
                block_size: FieldWidth::Four,
                element_count: FieldWidth::Four,
                event_size: FieldWidth::Four,
                sender: true,
                queue_low_water: true,
                pool_low_water: true,
                dialect,
                ..StreamConfiguration::default()
            };
            let plan = RecordPlan::new(configuration);
            for record in record_specs(dialect) {
                let fixed = record.layout == ArgumentLayout::Fixed && !record.headerless;
                let has_text = |record: &RecordSpec| {
                    let mut kinds = record.arguments.iter().map(|argument| argument.kind);
                    kinds.any(|kind| kind.width(&configuration).is_none())
                };
                let length = usize::from(plan.entry(record.id).length);
                assert_eq!(length > 0, fixed && !has_text(record), "{}", record.name);
                assert!(length <= WINDOW_BYTES - 4, "{}", record.name);
            }
        }
    }

    #[test]
    fn only_bytes_of_the_frame_count() {
        let bytes: Vec<u8> = (1..=60).collect();
        for length in 0..=WINDOW_BYTES {
            let expected = bytes[..length]
                .iter()
                .fold(0_u8, |sum, byte| sum.wrapping_add(*byte));
            assert_eq!(sum(&window(&bytes), length as u8), expected);
            let short = window(&bytes[..length]);
            assert_eq!(sum(&short, length as u8), expected);
        }
    }
}
