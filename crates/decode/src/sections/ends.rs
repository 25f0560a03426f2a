//! Consecutive containers in a file.

use super::{ContainerHeader, find, sections, starts};
use rtoscope_wire::cswitch::SectionTag;

/// The end of each container. Trailing garbage belongs to the container before it.
pub(crate) fn ends<H: ContainerHeader>(bytes: &[u8]) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut start = 0;
    while let Some(length) = bytes.get(start..).and_then(container_len::<H>) {
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
pub(crate) fn is_sequence<H: ContainerHeader>(bytes: &[u8]) -> bool {
    let rest = container_len::<H>(bytes).and_then(|length| bytes.get(length..));
    rest.is_some_and(|rest| find::<H>(rest).is_some())
}

/// The length of the container at the start of `bytes`.
fn container_len<H: ContainerHeader>(bytes: &[u8]) -> Option<usize> {
    if !starts::<H>(bytes) {
        return None;
    }
    let order = H::read(bytes)?.order();
    let (tag, content) = sections::<H>(bytes, order).last()?;
    (tag == SectionTag::END).then_some(content.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtoscope_wire::ByteOrder;
    use rtoscope_wire::cswitch::{CswlHeader, PointerSize, SectionHeader, VERSION};

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
        assert_eq!(ends::<CswlHeader>(&all), expected);
        assert_eq!(
            ends::<CswlHeader>(&[&all[..], b"more"].concat())[2],
            all.len() + 4
        );
        // The second container is truncated.
        assert_eq!(
            ends::<CswlHeader>(&all[..all.len() - one.len() - 1]).len(),
            1
        );
        assert_eq!(ends::<CswlHeader>(b"nothing"), [7]);
        assert_eq!(ends::<CswlHeader>(b""), [0]);
    }
}
