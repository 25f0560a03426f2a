use std::ops::Range;

/// The kind of a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SymbolKind {
    Function,
    /// A code address that is not marked as a function: in assembly code.
    Label,
    /// Data.
    Object,
    /// A data address, such as one that the linker script names.
    DataLabel,
}

impl SymbolKind {
    pub(crate) fn is_code(self) -> bool {
        matches!(self, Self::Function | Self::Label)
    }
}

/// A symbol of a file; the name stays in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SymbolEntry {
    pub(crate) kind: SymbolKind,
    /// As in the file: with the Thumb bit.
    pub(crate) address: u64,
    /// 0 if the file does not contain it.
    pub(crate) size: u64,
    /// The address that it cannot reach.
    pub(crate) max_end: u64,
    /// Whether it is visible to the whole program, not only in one source file.
    pub(crate) is_global: bool,
    /// The range of its name in the file.
    pub(crate) name: Range<usize>,
}

/// Whether a name was chosen by a person: neither an ARM mapping symbol for
/// code and data (`$t`, `$d`) nor a compiler's label.
pub(crate) fn is_name(name: &[u8]) -> bool {
    !name.is_empty() && !name.starts_with(b"$") && !name.starts_with(b".L")
}
