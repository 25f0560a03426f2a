//! Writes packets.

use super::{SYNC_BYTES, varint};

/// Writes packets as the target does.
pub struct PacketWriter<F>(F);

impl<F: FnMut(u8)> PacketWriter<F> {
    /// Creates a writer that passes each byte to `put`.
    pub const fn new(put: F) -> Self {
        Self(put)
    }

    /// Writes the zeros with which a reader aligns.
    pub fn sync(&mut self) {
        (0..SYNC_BYTES).for_each(|_| (self.0)(0));
    }

    /// Writes a packet without a length.
    pub fn short(&mut self, id: u32, values: &[u32], text: Option<&[u8]>, delta: u32) {
        self.number(id);
        values.iter().for_each(|value| self.number(*value));
        if let Some(text) = text {
            self.text(text);
        }
        self.number(delta);
    }

    /// Writes a packet with a length: numbers, and then texts.
    pub fn long(&mut self, id: u32, values: &[u32], texts: &[&[u8]], delta: u32) {
        match id {
            // The only number in more bytes than it takes.
            127 => [0xFF, 0].into_iter().for_each(&mut self.0),
            _ => self.number(id),
        }
        let numbers = values.iter().map(|value| varint::len(*value));
        let texts_bytes = texts.iter().map(|text| text_bytes(text));
        let length = numbers.chain(texts_bytes).sum::<usize>();
        self.number(u32::try_from(length).unwrap_or(u32::MAX));
        values.iter().for_each(|value| self.number(*value));
        texts.iter().for_each(|text| self.text(text));
        self.number(delta);
    }

    fn number(&mut self, value: u32) {
        varint::write(value, &mut self.0);
    }

    fn text(&mut self, text: &[u8]) {
        match u8::try_from(text.len()) {
            Ok(length @ 0..=254) => (self.0)(length),
            _ => {
                let [.., upper, lower] = text.len().to_be_bytes();
                [0xFF, upper, lower].into_iter().for_each(&mut self.0);
            }
        }
        text.iter().copied().for_each(&mut self.0);
    }
}

const fn text_bytes(text: &[u8]) -> usize {
    text.len() + if text.len() < 255 { 1 } else { 3 }
}
