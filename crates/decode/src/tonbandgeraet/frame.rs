//! Frames: an event each, encoded by COBS, with a zero byte at the end.

use super::catalogue::{EventLayout, FieldEncoding, TIME, layout};
use crate::mapping::FieldValue;

/// Maximum length of a frame: longer than any of the recorder, so that noise without a zero byte
/// is not held.
pub(super) const MAX_FRAME_BYTES: usize = 1 << 12;

/// Number of fields that an event has at most.
pub(super) const MAX_FIELDS: usize = 4;

/// The event of a frame.
#[derive(Debug)]
pub(super) struct FrameEvent<'a> {
    pub(super) id: u8,
    pub(super) layout: &'static EventLayout,
    /// `None` for metadata.
    pub(super) time: Option<u64>,
    /// The fields other than the time, in order.
    pub(super) values: [FieldValue<'a>; MAX_FIELDS],
}

/// What a frame is.
#[derive(Debug)]
pub(super) enum Frame<'a> {
    Event(FrameEvent<'a>),
    /// An event that this version does not know.
    Unknown,
    Empty,
    Damaged,
}

impl<'a> FrameEvent<'a> {
    /// The number of a field.
    pub(super) fn number(&self, name: &str) -> Option<u64> {
        match self.value(name)? {
            FieldValue::Unsigned(number) => Some(number),
            _ => None,
        }
    }

    /// The text of a field.
    pub(super) fn text(&self, name: &str) -> Option<&'a [u8]> {
        match self.value(name)? {
            FieldValue::Text(text) => Some(text),
            _ => None,
        }
    }

    fn value(&self, name: &str) -> Option<FieldValue<'a>> {
        let fields = self.layout.fields.iter().filter(|(of, _)| *of != TIME);
        let place = fields.map(|(name, _)| *name).position(|it| it == name)?;
        self.values.get(place).copied()
    }

    /// Number of fields other than the time.
    pub(super) fn len(&self) -> usize {
        self.layout.fields.len() - usize::from(self.time.is_some())
    }
}

/// Reads a frame without its zero byte; `decoded` holds its bytes.
pub(super) fn read<'a>(encoded: &[u8], decoded: &'a mut Vec<u8>) -> Frame<'a> {
    decoded.clear();
    if encoded.is_empty() {
        return Frame::Empty;
    }
    if encoded.len() > MAX_FRAME_BYTES || decode(encoded, decoded).is_none() {
        return Frame::Damaged;
    }
    let Some((id, rest)) = decoded.split_first() else {
        return Frame::Damaged;
    };
    match layout(*id) {
        Some(layout) => match read_fields(*id, layout, rest) {
            Some(event) => Frame::Event(event),
            None => Frame::Damaged,
        },
        None => Frame::Unknown,
    }
}

/// Removes the code bytes: each says how many bytes follow before a zero byte.
fn decode(mut encoded: &[u8], decoded: &mut Vec<u8>) -> Option<()> {
    while let Some((code, rest)) = encoded.split_first() {
        let (data, rest) = rest.split_at_checked(usize::from(*code).checked_sub(1)?)?;
        decoded.extend_from_slice(data);
        if *code < u8::MAX && !rest.is_empty() {
            decoded.push(0);
        }
        encoded = rest;
    }
    Some(())
}

fn read_fields<'a>(
    id: u8,
    layout: &'static EventLayout,
    mut bytes: &'a [u8],
) -> Option<FrameEvent<'a>> {
    let mut event = FrameEvent {
        id,
        layout,
        time: None,
        values: [FieldValue::Unsigned(0); MAX_FIELDS],
    };
    let mut places = event.values.iter_mut();
    for (name, encoding) in &layout.fields {
        let value = match encoding {
            FieldEncoding::Text => FieldValue::Text(std::mem::take(&mut bytes)),
            FieldEncoding::Byte => {
                let (byte, rest) = bytes.split_first()?;
                bytes = rest;
                FieldValue::Unsigned((*byte).into())
            }
            FieldEncoding::Number => FieldValue::Unsigned(read_number(&mut bytes)?),
            FieldEncoding::Signed => FieldValue::Signed(signed(read_number(&mut bytes)?)),
        };
        match (*name == TIME, value) {
            (true, FieldValue::Unsigned(time)) => event.time = Some(time),
            _ => *places.next()? = value,
        }
    }
    // Later versions may add fields.
    Some(event)
}

/// Reads seven bits of each byte, the lowest first; bit 7 says that another one follows.
fn read_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..u64::BITS).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let bits = u64::from(byte & 0x7F);
        if bits << shift >> shift != bits {
            return None;
        }
        number |= bits << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// The number whose sign is bit 0; a negative zero is the smallest number.
fn signed(encoded: u64) -> i64 {
    let magnitude = (encoded >> 1).cast_signed();
    match (encoded & 1, magnitude) {
        (0, magnitude) => magnitude,
        (_, 0) => i64::MIN,
        (_, magnitude) => -magnitude,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_have_seven_bits_a_byte_and_the_sign_in_bit_0() {
        let mut bytes = &[0x80, 0x01, 5][..];
        assert_eq!(read_number(&mut bytes), Some(128));
        assert_eq!(bytes, [5]);
        assert_eq!(read_number(&mut &[0xFF; 9][..]), None, "cut");
        assert_eq!(read_number(&mut &[0xFF; 12][..]), None, "beyond 64 bits");
        assert_eq!([0, 1, 2, 3].map(signed), [0, i64::MIN, 1, -1]);
    }

    /// The encoding of the recorder.
    fn encode(data: &[u8]) -> Vec<u8> {
        let mut encoded = vec![0];
        let mut code = 0;
        for byte in data {
            if *byte != 0 {
                encoded.push(*byte);
            }
            if *byte == 0 || encoded.len() - code == 255 {
                encoded[code] = (encoded.len() - code) as u8;
                code = encoded.len();
                encoded.push(0);
            }
        }
        encoded[code] = (encoded.len() - code) as u8;
        encoded
    }

    proptest! {
        #[test]
        fn frames_round_trip(data in prop::collection::vec(0_u8..4, 0..600)) {
            let encoded = encode(&data);
            prop_assert!(!encoded.contains(&0));
            let mut decoded = Vec::new();
            prop_assert_eq!(decode(&encoded, &mut decoded), Some(()));
            prop_assert_eq!(decoded, data);
        }

        #[test]
        fn any_bytes_are_read(encoded in prop::collection::vec(1_u8.., 0..80)) {
            let _ = read(&encoded, &mut Vec::new());
        }
    }
}
