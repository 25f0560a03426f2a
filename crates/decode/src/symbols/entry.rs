use std::ops::Range;

/// What a symbol names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SymbolKind {
    Function,
    /// A place in the program that nobody calls a function: one of a program in
    /// assembly language.
    Label,
    /// Data.
    Object,
    /// A place in data, such as one that the linker script names.
    DataLabel,
}

impl SymbolKind {
    pub(super) fn is_code(self) -> bool {
        matches!(self, Self::Function | Self::Label)
    }
}

/// A symbol of a file, which keeps its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SymbolEntry {
    pub(super) kind: SymbolKind,
    /// As the file gives it: with the Thumb bit.
    pub(super) address: u64,
    /// 0 if the file does not say it.
    pub(super) size: u64,
    /// The address that it cannot reach.
    pub(super) max_end: u64,
    /// Whether the whole program knows it rather than one of its files.
    pub(super) is_global: bool,
    /// Where its name lies in the file.
    pub(super) name: Range<usize>,
}

/// Whether a name is one that a person gave: no mark of ARM's for code and data
/// (`$t`, `$d`), no label of a compiler.
pub(super) fn is_name(name: &[u8]) -> bool {
    !name.is_empty() && !name.starts_with(b"$") && !name.starts_with(b".L")
}
