//! The columns of a table.

/// A column of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// The name.
    pub name: &'static str,
    /// The type of its values.
    pub column_type: ColumnType,
    /// Whether values can be null.
    pub nullable: bool,
    /// The unit of a quantity: `ticks`, `ns`, `bytes`, `Hz`.
    pub unit: Option<&'static str>,
    /// Whether the values are addresses, which texts show in hexadecimal.
    pub is_address: bool,
    /// Whether its values are names of the recording or of declarations: of threads, objects,
    /// routines, kinds of events. Others have fixed values.
    pub is_name: bool,
    /// A description for readers.
    pub about: &'static str,
}

impl Column {
    /// A quantity of time in ticks and, null if the clock does not count time, in nanoseconds.
    pub(crate) const fn in_two_units(
        [name, name_ns]: [&'static str; 2],
        nullable: bool,
        [about, about_ns]: [&'static str; 2],
    ) -> [Self; 2] {
        let ticks = Self {
            name,
            column_type: ColumnType::I64,
            nullable,
            unit: Some("ticks"),
            is_address: false,
            is_name: false,
            about,
        };
        let nanoseconds = Self {
            name: name_ns,
            nullable: true,
            unit: Some("ns"),
            about: about_ns,
            ..ticks
        };
        [ticks, nanoseconds]
    }
}

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ColumnType {
    /// A boolean.
    Bool,
    /// An unsigned integer of 8 bits.
    U8,
    /// An unsigned integer of 16 bits.
    U16,
    /// An unsigned integer of 32 bits.
    U32,
    /// An unsigned integer of 64 bits.
    U64,
    /// A signed integer of 64 bits.
    I64,
    /// A floating-point number of 64 bits.
    F64,
    /// Text with few distinct values, stored as codes of a dictionary.
    Dictionary,
    /// Text with any number of distinct values.
    Text,
}

impl ColumnType {
    /// The name in the documentation.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bool => "boolean",
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::I64 => "i64",
            Self::F64 => "f64",
            Self::Dictionary => "dictionary",
            Self::Text => "text",
        }
    }
}

/// The first column of every table.
pub(crate) const FILE: Column = Column {
    name: "file",
    column_type: ColumnType::Dictionary,
    nullable: false,
    unit: None,
    is_address: false,
    is_name: false,
    about: "name of the recording on the command line; not necessarily unique",
};

/// The second column of every table.
pub(crate) const RECORDING_ID: Column = Column {
    name: "recording_id",
    column_type: ColumnType::Dictionary,
    nullable: false,
    unit: None,
    is_address: false,
    is_name: false,
    about: "identifies the recording within its dataset; join tables by it",
};
