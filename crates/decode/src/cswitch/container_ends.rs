//! Consecutive CSWL containers in a file.

use super::cswl_reader;
use rtoscope_wire::cswitch::{
    CSWL_HEADER_BYTES, CswlHeader, SECTION_HEADER_BYTES, SectionHeader, SectionTag,
};

/// The end of each container. Trailing garbage belongs to the container before it.
pub(super) fn container_ends(bytes: &[u8]) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut start = 0;
    while let Some(length) = bytes.get(start..).and_then(container_len) {
        start += length;
        ends.push(start);
    }
    match ends.last_mut() {
        Some(last) => *last = bytes.len(),
        None => ends.push(bytes.len()),
    }
    ends
}

/// Whether another container follows the first one, even if it is damaged or truncated.
pub(super) fn is_sequence(bytes: &[u8]) -> bool {
    let rest = container_len(bytes).and_then(|length| bytes.get(length..));
    rest.is_some_and(|rest| cswl_reader::find(rest).is_some())
}

/// The length of the container at the start of `bytes`.
fn container_len(bytes: &[u8]) -> Option<usize> {
    let order = CswlHeader::read(bytes).ok()??.order;
    let mut at = CSWL_HEADER_BYTES;
    loop {
        let section = SectionHeader::read(bytes.get(at..)?, order).ok()?;
        let end = usize::try_from(section.length).ok()?;
        at = at.checked_add(SECTION_HEADER_BYTES)?.checked_add(end)?;
        if at > bytes.len() {
            return None;
        }
        if section.tag == SectionTag::END {
            return Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtoscope_wire::ByteOrder;
    use rtoscope_wire::cswitch::{PointerSize, VERSION};

    fn container(order: ByteOrder, content: usize) -> Vec<u8> {
        let header = CswlHeader {
            order,
            version: VERSION,
            pointer_size: PointerSize::Four,
            counter_bits: 32,
            cores: 0,
            frequency_hz: 0,
        };
        let section = |tag, length| SectionHeader { tag, length }.to_bytes(order);
        let mut bytes = header.to_bytes().to_vec();
        bytes.extend(section(SectionTag::NAME, content as u64));
        bytes.extend(vec![0; content]);
        bytes.extend(section(SectionTag::END, 4));
        bytes.extend([0; 4]);
        bytes
    }

    #[test]
    fn containers_end_after_their_last_section() {
        let one = container(ByteOrder::Little, 9);
        let other = container(ByteOrder::Big, 100);
        let all = [one.as_slice(), &other, &one].concat();
        let expected = [one.len(), one.len() + other.len(), all.len()];
        assert_eq!(container_ends(&all), expected);
        assert_eq!(
            container_ends(&[&all[..], b"more"].concat())[2],
            all.len() + 4
        );
        // The second container is truncated.
        assert_eq!(container_ends(&all[..all.len() - one.len() - 1]).len(), 1);
        assert_eq!(container_ends(b"nothing"), [7]);
        assert_eq!(container_ends(b""), [0]);
    }
}
