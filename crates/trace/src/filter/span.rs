//! Positions in a filter.

/// A position in the text of a filter, in bytes. Comparisons of filters ignore
/// it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
}

impl PartialEq for Span {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Span {}
