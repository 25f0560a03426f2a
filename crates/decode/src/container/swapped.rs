//! Memory whose bytes were saved in another order than that of the target: as words that a
//! tool wrote in its own order.

use crate::memory::Memory;
use crate::threadx::header_scan;
use memchr::memmem;
use rtoscope_trace::{Diagnostic, DiagnosticKind, Diagnostics};
use rtoscope_wire::threadx::{BufferLayout, ControlHeader};
use std::ops::Range;

/// An exchange of bytes within groups; it is its own inverse.
pub(crate) struct Swap {
    name: &'static str,
    group_bytes: usize,
    apply: fn(&mut [u8]),
}

pub(crate) const SWAPS: [Swap; 4] = [
    Swap {
        name: "the bytes of each 32-bit word",
        group_bytes: 4,
        apply: <[u8]>::reverse,
    },
    Swap {
        name: "the bytes of each 16-bit halfword",
        group_bytes: 2,
        apply: <[u8]>::reverse,
    },
    Swap {
        name: "the halves of each 32-bit word",
        group_bytes: 4,
        apply: |word| word.rotate_left(2),
    },
    Swap {
        name: "the bytes of each 64-bit word",
        group_bytes: 8,
        apply: <[u8]>::reverse,
    },
];

/// The id in every order of its bytes after a swap.
const SWAPPED_IDS: [&[u8]; 4] = [b"BTXT", b"TXTB", b"TBTX", b"XTBT"];
/// Bytes of the largest header.
const MAX_HEADER_BYTES: usize = 96;
/// Maximum number of ids of each order to examine.
const MAX_IDS: usize = 4096;

/// Restores the order of the target if a control header proves another one. `data` are the
/// offsets of the input that may contain bytes other than zero.
pub(super) fn restore<'a>(
    mut memory: Memory<'a>,
    data: &[Range<u64>],
    diagnostics: &mut Diagnostics,
) -> Memory<'a> {
    if has_plausible_header(&memory, data) {
        return memory;
    }
    let Some((swap, header)) = find_swap(&memory, data) else {
        return memory;
    };
    // Groups are aligned like the header.
    swap.undo(&mut memory, header);
    diagnostics.push(swap.diagnostic("the control header proves"));
    memory
}

impl Swap {
    /// Undoes the exchange in memory: a group is at `place`.
    pub(crate) fn undo(&self, memory: &mut Memory<'_>, place: u64) {
        let group = self.group_bytes as u64;
        for segment in memory.segments_mut() {
            let skipped = (place % group + group - segment.address % group) % group;
            let bytes = segment.bytes.to_mut().get_mut(skipped as usize..);
            let groups = bytes.unwrap_or_default().chunks_exact_mut(self.group_bytes);
            groups.for_each(self.apply);
        }
    }

    /// Says that the exchange was undone, and why.
    pub(crate) fn diagnostic(&self, proof: &str) -> Diagnostic {
        let message = format!(
            "{} were saved in the wrong order, as {proof}: restored it",
            self.name
        );
        Diagnostic::new(DiagnosticKind::SwappedWords, message)
    }
}

/// Whether some control header has its 16-bit fields in the right places: in
/// the wrong byte order, words are correct but these fields are swapped.
pub(super) fn has_plausible_header(memory: &Memory<'_>, data: &[Range<u64>]) -> bool {
    header_scan::headers(memory, data).any(|address| is_plausible(memory.available_from(address)))
}

/// The swap that makes a header plausible, and the address of that header.
fn find_swap(memory: &Memory<'_>, data: &[Range<u64>]) -> Option<(&'static Swap, u64)> {
    memory.segments().iter().find_map(|segment| {
        let mut windows = header_scan::search_windows(segment, data);
        let (swap, at) = windows.find_map(|window| swapped_header(&segment.bytes, window))?;
        Some((swap, segment.address.wrapping_add(at as u64)))
    })
}

/// The first header with its id in a window that is plausible after a swap, and its offset.
fn swapped_header(bytes: &[u8], window: Range<usize>) -> Option<(&'static Swap, usize)> {
    let searched = bytes.get(window.clone()).unwrap_or_default();
    let ids = SWAPPED_IDS.into_iter();
    let ids = ids.flat_map(|id| memmem::find_iter(searched, id).take(MAX_IDS));
    let ids = ids.map(|id| window.start + id);
    let mut candidates = ids.flat_map(|id| {
        SWAPS.iter().flat_map(move |swap| {
            // The id may follow the high half of its word.
            let starts = [Some(id), id.checked_sub(4)].into_iter().flatten();
            starts.map(move |at| (swap, at))
        })
    });
    candidates.find(|(swap, at)| {
        let mut header = [0; MAX_HEADER_BYTES];
        let available = bytes.get(*at..).unwrap_or_default();
        let length = available.len().min(header.len());
        let header = header.get_mut(..length).unwrap_or_default();
        header.copy_from_slice(available.get(..length).unwrap_or_default());
        let groups = header.chunks_exact_mut(swap.group_bytes);
        groups.for_each(swap.apply);
        is_plausible(header)
    })
}

fn is_plausible(bytes: &[u8]) -> bool {
    let layout = BufferLayout::detect(bytes).filter(|layout| layout.markers_match(bytes));
    let header = layout.and_then(|layout| ControlHeader::read(layout, bytes).ok());
    header.is_some_and(|header| header.reserved1 == 0 && header.name_size != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn restored(bytes: &[u8]) -> (Vec<u8>, Diagnostics) {
        let mut diagnostics = Diagnostics::default();
        let whole = 0..bytes.len() as u64;
        let memory = Memory::from_file_bytes(bytes);
        let memory = restore(memory, &[whole], &mut diagnostics);
        (memory.available_from(0).to_vec(), diagnostics)
    }

    #[test]
    fn every_swap_is_undone_at_any_alignment() {
        for name in [
            "cm3_short",
            "be32_ppc_names",
            "rv64_system",
            "be64_s390x_wrap",
        ] {
            let sound = rtoscope_fixtures::read_testdata(&format!("threadx/{name}.trx"));
            assert_eq!(restored(&sound), (sound.clone(), Diagnostics::default()));
            for (swap, before) in SWAPS.iter().flat_map(|swap| [(swap, 0), (swap, 13)]) {
                let mut bytes = sound.clone();
                let whole = bytes.len() / 8 * 8;
                bytes.truncate(whole);
                let expected = [&vec![0; before][..], &bytes].concat();
                bytes
                    .chunks_exact_mut(swap.group_bytes)
                    .for_each(swap.apply);
                let swapped = [&vec![0; before][..], &bytes].concat();
                let (found, diagnostics) = restored(&swapped);
                assert!(found == expected, "{name}, {}, {before}", swap.name);
                let message = diagnostics.iter().next().unwrap().message.clone();
                assert!(message.starts_with(swap.name), "{name}: {message}");
            }
        }
    }
}
