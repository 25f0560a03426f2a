use gimli::{EndianSlice, Reader as _, RunTimeEndian};

/// The starts of consecutive parts of a section.
#[derive(Debug, Default)]
pub(super) struct SectionStarts(Vec<usize>);

impl SectionStarts {
    pub(super) fn new(starts: impl IntoIterator<Item = usize>) -> Self {
        let mut starts: Vec<usize> = starts.into_iter().collect();
        starts.sort_unstable();
        starts.dedup();
        Self(starts)
    }

    /// The end of the part that starts at `start`: the start of the next.
    pub(super) fn end(&self, start: usize) -> usize {
        let next = self.0.partition_point(|&other| other <= start);
        self.0.get(next).copied().unwrap_or(usize::MAX)
    }
}

/// The section, truncated at `end`.
pub(super) fn truncate(
    section: EndianSlice<'_, RunTimeEndian>,
    end: usize,
) -> EndianSlice<'_, RunTimeEndian> {
    let bytes = section.slice();
    EndianSlice::new(bytes.get(..end).unwrap_or(bytes), section.endian())
}
