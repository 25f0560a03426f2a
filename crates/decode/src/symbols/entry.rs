use std::ops::Range;

/// The kind of a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SymbolKind {
    Function,
    /// A code address that is not marked as a function: in assembly code.
    Label,
    /// Data.
    Object,
    /// A data address, such as one that the linker script names.
    DataLabel,
}

impl SymbolKind {
    pub(super) fn is_code(self) -> bool {
        matches!(self, Self::Function | Self::Label)
    }
}

/// A symbol of a file; the name stays in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SymbolEntry {
    pub(super) kind: SymbolKind,
    /// As in the file: with the Thumb bit.
    pub(super) address: u64,
    /// 0 if the file does not contain it.
    pub(super) size: u64,
    /// The address that it cannot reach.
    pub(super) max_end: u64,
    /// Whether it is visible to the whole program, not only in one source file.
    pub(super) is_global: bool,
    /// The range of its name in the file.
    pub(super) name: Range<usize>,
}

/// Whether a name was chosen by a person: neither an ARM mapping symbol for
/// code and data (`$t`, `$d`) nor a compiler's label.
pub(super) fn is_name(name: &[u8]) -> bool {
    !name.is_empty() && !name.starts_with(b"$") && !name.starts_with(b".L")
}
