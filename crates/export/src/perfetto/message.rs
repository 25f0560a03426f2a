//! Protocol Buffers messages, encoded directly into memory.

/// Encoded messages. Fields are given by their numbers in Perfetto's `.proto`
/// files.
#[derive(Debug, Default)]
pub(super) struct Message(pub(super) Vec<u8>);

/// The wire type of a field.
#[derive(Clone, Copy)]
enum WireType {
    Varint = 0,
    Fixed64 = 1,
    Bytes = 2,
}

/// An open nested message.
#[derive(Clone, Copy)]
#[must_use]
pub(super) struct OpenMessage {
    /// The offset of its content.
    start: usize,
}

impl Message {
    /// Appends an unsigned varint.
    #[inline]
    pub(super) fn number(&mut self, field: u32, value: u64) {
        self.key(field, WireType::Varint);
        self.varint(value);
    }

    /// Appends a signed varint.
    #[inline]
    pub(super) fn signed(&mut self, field: u32, value: i64) {
        self.number(field, value.cast_unsigned());
    }

    /// Appends a fixed 64-bit number.
    #[inline]
    pub(super) fn fixed(&mut self, field: u32, value: u64) {
        self.key(field, WireType::Fixed64);
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    /// Appends a double.
    pub(super) fn double(&mut self, field: u32, value: f64) {
        self.fixed(field, value.to_bits());
    }

    /// Appends a string.
    pub(super) fn text(&mut self, field: u32, text: &str) {
        self.bytes(field, text.as_bytes());
    }

    /// Appends bytes, or an encoded message.
    pub(super) fn bytes(&mut self, field: u32, bytes: &[u8]) {
        self.content(field, &[bytes]);
    }

    /// Appends a message from encoded parts.
    pub(super) fn content(&mut self, field: u32, parts: &[&[u8]]) {
        self.key(field, WireType::Bytes);
        self.varint(parts.iter().map(|part| part.len() as u64).sum());
        for part in parts {
            self.0.extend_from_slice(part);
        }
    }

    /// Opens a nested message: everything written until it is closed belongs to it.
    #[inline]
    pub(super) fn open(&mut self, field: u32) -> OpenMessage {
        self.key(field, WireType::Bytes);
        // Most lengths take one byte.
        self.0.push(0);
        OpenMessage {
            start: self.0.len(),
        }
    }

    /// Closes a nested message.
    #[inline]
    pub(super) fn close(&mut self, opened: OpenMessage) {
        let length = self.0.len() - opened.start;
        if length < 0x80
            && let Some(place) = self.0.get_mut(opened.start - 1)
        {
            *place = length as u8;
        } else {
            self.close_long(opened.start, length);
        }
    }

    #[cold]
    fn close_long(&mut self, start: usize, length: usize) {
        let content = self.0.split_off(start);
        self.0.pop();
        self.varint(length as u64);
        self.0.extend_from_slice(&content);
    }

    #[inline]
    fn key(&mut self, field: u32, wire: WireType) {
        self.varint(u64::from(field << 3 | wire as u32));
    }

    #[inline]
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_match_the_encoding() {
        let mut message = Message::default();
        message.number(1, 150);
        message.text(2, "testing");
        let inner = message.open(3);
        message.number(1, 150);
        message.close(inner);
        message.signed(4, -2);
        message.fixed(47, 1);
        // The first three are examples from the encoding's documentation.
        let mut expected = vec![0x08, 0x96, 0x01, 0x12, 7];
        expected.extend(b"testing");
        expected.extend([0x1A, 3, 0x08, 0x96, 0x01]);
        expected.push(0x20);
        expected.extend([0xFE, 255, 255, 255, 255, 255, 255, 255, 255, 1]);
        expected.extend([0xF9, 0x02, 1, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(message.0, expected);
    }

    #[test]
    fn long_messages_have_long_lengths() {
        for length in [127, 128, 300, 20_000] {
            let mut message = Message::default();
            let outer = message.open(1);
            let inner = message.open(2);
            message.0.extend(vec![7; length]);
            message.close(inner);
            message.close(outer);
            let mut content = Message::default();
            content.bytes(2, &vec![7; length]);
            let mut expected = Message::default();
            expected.bytes(1, &content.0);
            assert_eq!(message.0, expected.0);
        }
    }
}
