//! Text in UTF-16, as Windows shells write it.

/// Number of bytes at the start that decide.
const SAMPLE_BYTES: usize = 4096;
const MIN_BYTES: usize = 16;

#[derive(Clone, Copy)]
enum Order {
    Little,
    Big,
}

impl Order {
    fn unit(self, pair: [u8; 2]) -> u16 {
        match self {
            Self::Little => u16::from_le_bytes(pair),
            Self::Big => u16::from_be_bytes(pair),
        }
    }
}

/// Whether `bytes` are text in UTF-16, with or without a byte-order mark.
pub(super) fn detect(bytes: &[u8]) -> bool {
    order(bytes).is_some()
}

/// What the text decodes to at most.
pub(super) fn max_decoded_bytes(bytes: &[u8]) -> usize {
    const MAX_BYTES_OF_UNIT: usize = 3;
    (bytes.len() / 2).saturating_mul(MAX_BYTES_OF_UNIT)
}

/// Adds the text as UTF-8 to a vector.
pub(super) fn decode(bytes: &[u8], mut text: Vec<u8>) -> Vec<u8> {
    let Some(order) = order(bytes) else {
        return text;
    };
    let units = units(bytes, order).skip_while(|unit| *unit == BYTE_ORDER_MARK);
    for character in char::decode_utf16(units) {
        let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
        text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    }
    text
}

const BYTE_ORDER_MARK: u16 = 0xFEFF;

fn order(bytes: &[u8]) -> Option<Order> {
    let sample = bytes.get(..SAMPLE_BYTES).unwrap_or(bytes);
    let is_text = |order: &Order| {
        let is_marked = units(bytes, *order).next() == Some(BYTE_ORDER_MARK);
        let skipped = usize::from(is_marked);
        let mut text = units(sample, *order).skip(skipped);
        text.all(|unit| match u8::try_from(unit) {
            Ok(byte) if byte.is_ascii() => super::is_text(byte),
            _ => is_marked,
        })
    };
    let orders = [Order::Little, Order::Big];
    let mut orders = orders.into_iter().filter(|_| bytes.len() >= MIN_BYTES);
    orders.find(is_text)
}

fn units(bytes: &[u8], order: Order) -> impl Iterator<Item = u16> {
    let (pairs, _) = bytes.as_chunks::<2>();
    pairs.iter().map(move |pair| order.unit(*pair))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(text: &str, order: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(order).collect()
    }

    #[test]
    fn text_is_detected_with_and_without_a_mark() {
        let text = "60000000: 42 54\r\n";
        for order in [u16::to_le_bytes, u16::to_be_bytes] {
            assert_eq!(decode(&encoded(text, order), Vec::new()), text.as_bytes());
            let marked = format!("\u{FEFF}{text}\u{FF}");
            let expected = format!("{text}\u{FF}");
            assert_eq!(
                decode(&encoded(&marked, order), Vec::new()),
                expected.as_bytes()
            );
        }
        assert!(!detect(b"60000000: 42 54\r\n"));
        assert!(!detect(&[0; 64]));
        assert!(!detect(&encoded("a\u{1}cdefghijkl", u16::to_le_bytes)));
    }
}
