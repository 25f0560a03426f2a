//! Writer of the binary format.

/// Columns of little-endian numbers, each aligned to four bytes.
#[derive(Default)]
pub(super) struct BinaryWriter(Vec<u8>);

impl BinaryWriter {
    pub(super) fn word(&mut self, word: u32) {
        self.0.extend_from_slice(&word.to_le_bytes());
    }

    pub(super) fn double(&mut self, double: f64) {
        self.0.extend_from_slice(&double.to_le_bytes());
    }

    pub(super) fn words(&mut self, words: impl Iterator<Item = u32>) {
        words.for_each(|word| self.word(word));
    }

    pub(super) fn floats(&mut self, floats: impl Iterator<Item = f32>) {
        self.0.extend(floats.flat_map(f32::to_le_bytes));
    }

    pub(super) fn bytes(&mut self, bytes: impl Iterator<Item = u8>) {
        self.0.extend(bytes);
        let padded = self.0.len().next_multiple_of(4);
        self.0.resize(padded, 0);
    }

    /// Writes a value per pixel, plain or run-length encoded, whichever is shorter.
    pub(super) fn layer(&mut self, values: &[u8]) {
        let runs = || values.chunk_by(|one, other| one == other);
        let count = runs().count();
        let is_shorter = count * 3 + 8 < values.len() && values.len() <= usize::from(u16::MAX);
        if !is_shorter {
            self.word(0);
            self.bytes(values.iter().copied());
            return;
        }
        self.word(count as u32);
        let lengths = runs().map(|run| run.len() as u16);
        self.bytes(lengths.flat_map(u16::to_le_bytes));
        self.bytes(runs().filter_map(|run| run.first().copied()));
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Reads a layer at the start of the bytes.
    fn read(bytes: &[u8], width: usize) -> Vec<u8> {
        let runs = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
        let rest = &bytes[4..];
        if runs == 0 {
            return rest[..width].to_vec();
        }
        let (lengths, values) = rest.split_at((2 * runs).next_multiple_of(4));
        let lengths = lengths
            .chunks_exact(2)
            .map(|two| u16::from_le_bytes([two[0], two[1]]));
        let runs = lengths.zip(values).take(runs);
        runs.flat_map(|(length, value)| vec![*value; usize::from(length)])
            .collect()
    }

    proptest! {
        #[test]
        fn layers_round_trip(runs in prop::collection::vec((0..4_u8, 1..90_usize), 1..60)) {
            let values: Vec<u8> = runs.iter().flat_map(|(value, length)| vec![*value; *length]).collect();
            let mut writer = BinaryWriter::default();
            writer.layer(&values);
            let bytes = writer.finish();
            prop_assert_eq!(bytes.len() % 4, 0);
            prop_assert!(bytes.len() <= values.len() + 8);
            prop_assert_eq!(read(&bytes, values.len()), values);
        }
    }
}
