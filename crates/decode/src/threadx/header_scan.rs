use crate::memory::{Memory, MemorySegment};
use memchr::memmem;
use rtoscope_wire::threadx::{BufferLayout, ControlHeader, TXTB_ID};
use std::ops::Range;

/// Maximum number of headers to find.
const MAX_HEADERS: usize = 4096;
/// Zero bytes before the id of a big-endian 8-byte `ULONG`.
const HIGH_HALF_BYTES: usize = 4;
/// The middle of the id, in either byte order.
const ID_MIDDLE: &[u8] = b"XT";

/// Finds the addresses of ThreadX control headers by their id and their three
/// marker words. `data` are the offsets of the input that may contain bytes
/// other than zero. Sorted; at most 4096.
pub(super) fn find_headers(memory: &Memory<'_>, data: &[Range<u64>]) -> Vec<u64> {
    sorted(headers(memory, data))
}

/// Finds the headers with a base address by their id alone: their marker words
/// may be wrong.
pub(super) fn find_headers_with_base(
    memory: &Memory<'_>,
    data: &[Range<u64>],
    base: u64,
) -> Vec<u64> {
    sorted(find(memory, data, |bytes, at| {
        let bytes = bytes.get(at..).unwrap_or_default();
        let header = BufferLayout::detect(bytes).map(|it| ControlHeader::read(it, bytes));
        matches!(header, Some(Ok(header)) if header.base_address == base)
    }))
}

/// The addresses of [`find_headers`] as they are found, some of them twice.
pub(crate) fn headers(memory: &Memory<'_>, data: &[Range<u64>]) -> impl Iterator<Item = u64> {
    find(memory, data, is_header)
}

fn sorted(addresses: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut addresses: Vec<_> = addresses.collect();
    addresses.sort_unstable();
    addresses.dedup();
    addresses
}

fn find(
    memory: &Memory<'_>,
    data: &[Range<u64>],
    accept: impl Fn(&[u8], usize) -> bool + Copy,
) -> impl Iterator<Item = u64> {
    let found = memory.segments().iter().flat_map(move |segment| {
        let windows = search_windows(segment, data);
        let offsets =
            windows.flat_map(move |window| find_in_window(&segment.bytes, window, accept));
        offsets.map(|at| segment.address + at as u64)
    });
    found.take(MAX_HEADERS)
}

/// The offset of the first header in `bytes`.
pub(super) fn first_header(bytes: &[u8]) -> Option<usize> {
    id_starts(bytes).find(|at| is_header(bytes, *at))
}

/// The offsets at which an id may begin, in one pass.
pub(super) fn id_starts(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let little = (TXTB_ID as u32).to_le_bytes();
    let big = (TXTB_ID as u32).to_be_bytes();
    let starts = move |at: Option<usize>, id: [u8; 4]| {
        at.filter(|at| bytes.get(*at..).unwrap_or_default().starts_with(&id))
    };
    memmem::find_iter(bytes, ID_MIDDLE).flat_map(move |middle| {
        let little = starts(middle.checked_sub(2), little);
        let big = starts(middle.checked_sub(1), big);
        let high_half = big.and_then(|at| at.checked_sub(HIGH_HALF_BYTES));
        let wide = starts(high_half, [0; HIGH_HALF_BYTES]);
        [little, wide, big].into_iter().flatten()
    })
}

/// The size of the id at the start of `bytes`, if there is one.
pub(super) fn id_bytes_at_start(bytes: &[u8]) -> Option<usize> {
    let starts = |length: &usize| {
        let start = bytes.get(..*length);
        start.is_some_and(|start| BufferLayout::detect(start).is_some())
    };
    [size_of::<u32>(), size_of::<u64>()]
        .iter()
        .copied()
        .find(|length| starts(length))
}

/// The ranges of a segment that can contain an id.
pub(crate) fn search_windows(
    segment: &MemorySegment<'_>,
    data: &[Range<u64>],
) -> impl Iterator<Item = Range<usize>> {
    let length = segment.bytes.len();
    let whole = segment.offset.is_none().then_some(0..length);
    let offset = segment.offset.unwrap_or_default();
    let data = data.iter().filter(move |_| segment.offset.is_some());
    let inside = move |position: u64| {
        let position = position.saturating_sub(offset);
        usize::try_from(position).map_or(length, |position| position.min(length))
    };
    let extents = data.map(move |extent| inside(extent.start)..inside(extent.end));
    whole
        .into_iter()
        .chain(extents.filter(|extent| !extent.is_empty()))
}

fn find_in_window(
    bytes: &[u8],
    window: Range<usize>,
    accept: impl Fn(&[u8], usize) -> bool,
) -> impl Iterator<Item = usize> {
    // The high half of an id is zero.
    let start = window.start.saturating_sub(HIGH_HALF_BYTES);
    let part = bytes.get(start..window.end).unwrap_or_default();
    let ids = id_starts(part).map(move |at| start + at);
    ids.filter(move |at| accept(bytes, *at))
}

fn is_header(bytes: &[u8], at: usize) -> bool {
    let bytes = bytes.get(at..).unwrap_or_default();
    BufferLayout::detect(bytes).is_some_and(|layout| layout.markers_match(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtoscope_wire::threadx::MARKERS;

    fn header(layout: BufferLayout) -> Vec<u8> {
        let header = ControlHeader {
            id: TXTB_ID,
            timer_mask: 0xFFFF_FFFF,
            base_address: 0x2000_0000,
            registry_start: 0x2000_0030,
            reserved1: 0,
            name_size: 32,
            registry_end: 0x2000_0060,
            buffer_start: 0x2000_0060,
            buffer_end: 0x2000_0080,
            current: 0x2000_0060,
            markers: MARKERS,
        };
        let mut bytes = vec![0; layout.header_bytes()];
        header.write(layout, &mut bytes).unwrap();
        bytes
    }

    #[test]
    fn every_layout_is_found_at_any_alignment() {
        for layout in BufferLayout::ALL {
            let bytes = [&[7; 13][..], &header(layout), b"BTXT, TXTB", &[0; 100]].concat();
            let whole = 0..bytes.len() as u64;
            let memory = Memory::from_file_bytes(bytes);
            assert_eq!(find_headers(&memory, &[whole]), [13], "{layout:?}");
        }
    }

    #[test]
    fn a_cut_header_is_none() {
        for layout in BufferLayout::ALL {
            let mut bytes = header(layout);
            bytes.pop();
            let whole = 0..bytes.len() as u64;
            assert!(find_headers(&Memory::from_file_bytes(bytes), &[whole]).is_empty());
        }
    }

    #[test]
    fn only_data_is_searched_and_not_without_end() {
        let one = header(BufferLayout::ALL[0]);
        let bytes = one.repeat(5000);
        let length = bytes.len() as u64;
        let memory = Memory::from_file_bytes(bytes);
        let whole = 0..length;
        assert_eq!(find_headers(&memory, &[whole]).len(), MAX_HEADERS);
        let size = one.len() as u64;
        let part = [size..2 * size, 10 * size..12 * size];
        assert_eq!(find_headers(&memory, &part), [size, 10 * size, 11 * size]);
        assert!(find_headers(&memory, &[]).is_empty());
    }
}
