//! CSWL containers that follow one another in a file.

use rtoscope_wire::cswitch::{CswlHeader, HEADER_BYTES, SECTION_BYTES, SectionHeader, Tag};

/// Where each of them ends. What makes no sense counts to the one before it.
pub(super) fn ends(bytes: &[u8]) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut start = 0;
    while let Some(length) = bytes.get(start..).and_then(length) {
        start += length;
        ends.push(start);
    }
    match ends.last_mut() {
        Some(last) => *last = bytes.len(),
        None => ends.push(bytes.len()),
    }
    ends
}

/// The bytes of the container that they begin with.
fn length(bytes: &[u8]) -> Option<usize> {
    let order = CswlHeader::read(bytes).ok()??.order;
    let mut at = HEADER_BYTES;
    loop {
        let section = SectionHeader::read(bytes.get(at..)?, order).ok()?;
        let end = usize::try_from(section.length).ok()?;
        at = at.checked_add(SECTION_BYTES)?.checked_add(end)?;
        if at > bytes.len() {
            return None;
        }
        if section.tag == Tag::END {
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
            pointer: PointerSize::Four,
            counter_bits: 32,
            cores: 0,
            frequency: 0,
        };
        let section = |tag, length| SectionHeader { tag, length }.to_bytes(order);
        let mut bytes = header.to_bytes().to_vec();
        bytes.extend(section(Tag::NAME, content as u64));
        bytes.extend(vec![0; content]);
        bytes.extend(section(Tag::END, 4));
        bytes.extend([0; 4]);
        bytes
    }

    #[test]
    fn containers_end_with_their_last_section() {
        let one = container(ByteOrder::Little, 9);
        let other = container(ByteOrder::Big, 100);
        let all = [one.as_slice(), &other, &one].concat();
        let expected = [one.len(), one.len() + other.len(), all.len()];
        assert_eq!(ends(&all), expected);
        assert_eq!(ends(&[&all[..], b"more"].concat())[2], all.len() + 4);
        // The second is cut.
        assert_eq!(ends(&all[..all.len() - one.len() - 1]).len(), 1);
        assert_eq!(ends(b"nothing"), [7]);
        assert_eq!(ends(b""), [0]);
    }
}
