//! What is in a column.

/// A column of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What its values are.
    pub kind: Kind,
    /// Whether values can be missing.
    pub nullable: bool,
    /// The unit of a quantity: `ticks`, `ns`, `bytes`, `Hz`.
    pub unit: Option<&'static str>,
    /// What it tells, for people.
    pub about: &'static str,
}

/// What the values of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// True or false.
    Bool,
    /// A number below 2⁸.
    U8,
    /// A number below 2¹⁶.
    U16,
    /// A number below 2³².
    U32,
    /// A number below 2⁶⁴.
    U64,
    /// A signed number of 64 bits.
    I64,
    /// A number with a fraction.
    F64,
    /// A text out of few that come again and again.
    Word,
    /// A text.
    Text,
}

impl Kind {
    /// The name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bool => "boolean",
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::I64 => "i64",
            Self::F64 => "f64",
            Self::Word => "word",
            Self::Text => "text",
        }
    }
}

/// The first column of every table.
pub(crate) const FILE: Column = Column {
    name: "file",
    kind: Kind::Word,
    nullable: false,
    unit: None,
    about: "the recording, as it was named; several can share a name",
};

/// The second column of every table.
pub(crate) const RECORDING_ID: Column = Column {
    name: "recording_id",
    kind: Kind::Word,
    nullable: false,
    unit: None,
    about: "identifies the recording in its dataset: join tables by it",
};
