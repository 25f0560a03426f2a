use crate::memory::{Memory, MemoryBuilder};
use crate::threadx::header_scan;
use rtoscope_trace::Diagnostics;
use rtoscope_wire::threadx::{BufferLayout, ControlHeader};
use std::ops::Range;

/// Words of known value but unknown byte order, because a debugger prints words
/// as numbers.
#[derive(Default)]
pub(super) struct WordRanges {
    ranges: Vec<(Range<usize>, usize)>,
}

impl WordRanges {
    /// Adds words of `width` bytes, stored most significant byte first.
    pub(super) fn add(&mut self, range: Range<usize>, width: usize) {
        if width == 1 {
            return;
        }
        match self.ranges.last_mut() {
            Some((last, same)) if *same == width && last.end == range.start => last.end = range.end,
            _ => self.ranges.push((range, width)),
        }
    }

    /// Restores the byte order of the target: the one in which a control header
    /// is plausible, or little endian.
    pub(super) fn restore_byte_order(
        &self,
        builder: &mut MemoryBuilder<'static>,
        addressed: bool,
    ) -> (Memory<'static>, Diagnostics) {
        if self.ranges.is_empty() {
            return builder.finish(addressed);
        }
        let big = builder.finish(addressed);
        if has_plausible_header(&big.0) {
            return big;
        }
        for (range, width) in &self.ranges {
            builder.swap_words(range.clone(), *width);
        }
        builder.finish(addressed)
    }
}

/// Whether some control header has its 16-bit fields in the right places: in
/// the wrong byte order, words are correct but these fields are swapped.
fn has_plausible_header(memory: &Memory<'_>) -> bool {
    let whole = 0..memory.total_bytes();
    header_scan::find_headers(memory, &[whole])
        .into_iter()
        .any(|address| {
            let bytes = memory.available_from(address);
            let header = BufferLayout::detect(bytes)
                .and_then(|layout| ControlHeader::read(layout, bytes).ok());
            header.is_some_and(|header| header.reserved1 == 0 && header.name_size != 0)
        })
}
