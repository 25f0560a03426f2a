//! The items of the application's own records.
//!
//! Source: `source/trc/inc/rkhtrc_define.h` (`RKH_TUSR_…`, `RKH_TRC_FMT`) and
//! `rkh_trc_fmt_…` in `source/trc/src/rkhtrc_record.c`; unchanged since RKH 2.3.

use super::StreamConfiguration;
use super::frame::{ByteSink, FrameWriter, take_bytes, take_number, take_text};

/// The format of an item in a user's record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ItemFormat {
    /// `RKH_TUSR_I8`.
    I8,
    /// `RKH_TUSR_UI8`.
    U8,
    /// `RKH_TUSR_I16`.
    I16,
    /// `RKH_TUSR_UI16`.
    U16,
    /// `RKH_TUSR_I32`.
    I32,
    /// `RKH_TUSR_UI32`.
    U32,
    /// `RKH_TUSR_X32`: shown in hexadecimal.
    X32,
    /// `RKH_TUSR_STR`: a text.
    Text,
    /// `RKH_TUSR_MEM`: up to 255 bytes of memory.
    Memory,
    /// `RKH_TUSR_OBJ`: an object's address.
    Object,
    /// `RKH_TUSR_FUN`: a function's address.
    Function,
    /// `RKH_TUSR_SIG`: a signal.
    Signal,
}

impl ItemFormat {
    /// All formats, by code.
    pub const ALL: [Self; 12] = [
        Self::I8,
        Self::U8,
        Self::I16,
        Self::U16,
        Self::I32,
        Self::U32,
        Self::X32,
        Self::Text,
        Self::Memory,
        Self::Object,
        Self::Function,
        Self::Signal,
    ];

    /// Name: `i8`, `u8`, `i16`, `u16`, `i32`, `u32`, `x32`, `str`, `mem`, `obj`,
    /// `fun` or `sig`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::I8 => "i8",
            Self::U8 => "u8",
            Self::I16 => "i16",
            Self::U16 => "u16",
            Self::I32 => "i32",
            Self::U32 => "u32",
            Self::X32 => "x32",
            Self::Text => "str",
            Self::Memory => "mem",
            Self::Object => "obj",
            Self::Function => "fun",
            Self::Signal => "sig",
        }
    }

    /// The format with this code; `None` above 11.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }

    /// Size of a number of this format in bytes, 1, 2 or 4; `None` for texts and memory.
    pub fn bytes(self, configuration: &StreamConfiguration) -> Option<usize> {
        Some(match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::X32 => 4,
            Self::Object => configuration.address_width().bytes(),
            Self::Function => configuration.function_width().bytes(),
            Self::Signal => configuration.signal.bytes(),
            Self::Text | Self::Memory => return None,
        })
    }

    /// Whether numbers of this format are signed.
    pub const fn is_signed(self) -> bool {
        matches!(self, Self::I8 | Self::I16 | Self::I32)
    }
}

/// An item of a user's record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UserItem<'a> {
    /// Its format.
    pub format: ItemFormat,
    /// Minimum number of characters to show it with, 0 to 15.
    pub width: u8,
    /// Its value.
    pub value: ItemValue<'a>,
}

/// The value of a [`UserItem`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemValue<'a> {
    /// For `i8`, `i16` and `i32`.
    Signed(i32),
    /// For `u8`, `u16`, `u32`, `x32`, `obj`, `fun` and `sig`.
    Unsigned(u32),
    /// For `str`, without its NUL, and for `mem`.
    Bytes(&'a [u8]),
}

/// Why bytes are not items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemError {
    /// No format has this code.
    UnknownFormat {
        /// Offset in the argument bytes.
        offset: usize,
        /// The byte.
        byte: u8,
    },
    /// The frame ends within an item.
    TooShort {
        /// Offset of the item in the argument bytes.
        offset: usize,
    },
}

crate::error_messages::messages! {
    ItemError {
        UnknownFormat { offset, byte } =>
            "byte {offset} of the items is {byte:#04x}, which is not an item format",
        TooShort { offset } => "the item at byte {offset} is truncated",
    }
}

/// Iterates over the items of a user's record. Ends after the first error.
#[derive(Debug, Clone)]
pub struct UserItems<'a> {
    configuration: StreamConfiguration,
    length: usize,
    /// `None` after an error.
    rest: Option<&'a [u8]>,
    /// The formats of the following items, if the frame does not contain them.
    declared: Option<&'a [ItemFormat]>,
}

impl<'a> UserItems<'a> {
    /// Reads items from `arguments`, the bytes of a frame between header and checksum,
    /// which may be empty.
    pub fn new(configuration: &StreamConfiguration, arguments: &'a [u8]) -> Self {
        Self {
            configuration: *configuration,
            length: arguments.len(),
            rest: Some(arguments),
            declared: None,
        }
    }

    /// Reads the arguments of the application's own record, whose formats are declared and
    /// not in the frame.
    pub fn declared(
        configuration: &StreamConfiguration,
        formats: &'a [ItemFormat],
        arguments: &'a [u8],
    ) -> Self {
        Self {
            declared: Some(formats),
            ..Self::new(configuration, arguments)
        }
    }

    fn read(&self, rest: &mut &'a [u8]) -> Result<UserItem<'a>, ItemError> {
        let offset = self.length - rest.len();
        let short = ItemError::TooShort { offset };
        let (form, width) = match self.declared.map(<[ItemFormat]>::first) {
            Some(Some(form)) => (*form, 0),
            // Bytes after the last declared argument.
            Some(None) => {
                let byte = rest.first().copied().unwrap_or_default();
                return Err(ItemError::UnknownFormat { offset, byte });
            }
            // The width is in the high nibble, the code in the low one (`RKH_TUSR_I8` and
            // others).
            None => {
                let byte = take_number(rest, 1).ok_or(short)? as u8;
                let form = ItemFormat::from_code(byte & 0x0F);
                let form = form.ok_or(ItemError::UnknownFormat { offset, byte })?;
                (form, byte >> 4)
            }
        };
        let value = match form.bytes(&self.configuration) {
            Some(bytes) => {
                let number = take_number(rest, bytes).ok_or(short)?;
                if form.is_signed() {
                    ItemValue::Signed(sign_extend(number, bytes))
                } else {
                    ItemValue::Unsigned(number)
                }
            }
            None if form == ItemFormat::Text => ItemValue::Bytes(take_text(rest).ok_or(short)?),
            None => {
                let length = take_number(rest, 1).ok_or(short)? as usize;
                ItemValue::Bytes(take_bytes(rest, length).ok_or(short)?)
            }
        };
        Ok(UserItem {
            format: form,
            width,
            value,
        })
    }
}

/// Sign-extends the low bytes of `number`.
const fn sign_extend(number: u32, bytes: usize) -> i32 {
    match bytes {
        1 => number as u8 as i8 as i32,
        2 => number as u16 as i16 as i32,
        _ => number as i32,
    }
}

impl<'a> Iterator for UserItems<'a> {
    type Item = Result<UserItem<'a>, ItemError>;

    fn next(&mut self) -> Option<Self::Item> {
        let missing = self.declared.map_or(false, |formats| !formats.is_empty());
        let mut rest = self.rest.filter(|rest| missing || !rest.is_empty())?;
        let item = self.read(&mut rest);
        self.rest = item.is_ok().then_some(rest);
        self.declared = self
            .declared
            .map(|formats| formats.get(1..).unwrap_or_default());
        Some(item)
    }
}

impl UserItem<'_> {
    /// Whether the item survives a round trip: its width is at most 15, its value fits
    /// the format, its text has no NUL, and its memory has at most 255 bytes.
    pub fn fits(&self, configuration: &StreamConfiguration) -> bool {
        let value_fits = match (self.value, self.format.bytes(configuration)) {
            (ItemValue::Signed(number), Some(bytes)) => {
                self.format.is_signed() && sign_extend(number as u32, bytes) == number
            }
            (ItemValue::Unsigned(number), Some(bytes)) => {
                !self.format.is_signed() && u64::from(number) >> (8 * bytes) == 0
            }
            (ItemValue::Bytes(text), None) if self.format == ItemFormat::Text => !text.contains(&0),
            (ItemValue::Bytes(memory), None) => memory.len() <= usize::from(u8::MAX),
            _ => false,
        };
        value_fits && self.width <= 0x0F
    }

    /// Writes the item into a frame. An item that does not [fit](Self::fits) is truncated
    /// as in RKH.
    pub fn write<S: ByteSink>(
        &self,
        writer: &mut FrameWriter<S>,
        configuration: &StreamConfiguration,
    ) {
        writer.u8(self.width << 4 | self.format as u8);
        let number_bytes = self.format.bytes(configuration).unwrap_or_default();
        match self.value {
            ItemValue::Signed(number) => writer.low_bytes(number as u32, number_bytes),
            ItemValue::Unsigned(number) => writer.low_bytes(number, number_bytes),
            ItemValue::Bytes(text) if self.format == ItemFormat::Text => writer.text(text),
            ItemValue::Bytes(memory) => {
                let length = memory.len().min(usize::from(u8::MAX));
                writer.u8(length as u8);
                writer.bytes(memory.get(..length).unwrap_or_default());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    fn read(bytes: &[u8]) -> Vec<Result<UserItem<'_>, ItemError>> {
        UserItems::new(&StreamConfiguration::default(), bytes).collect()
    }

    #[test]
    fn items_contain_their_format_and_width() {
        let bytes = [
            0x30, 0xFF, 0xF3, 0x34, 0x12, 0x07, b'h', 0, 0x08, 0, 0x08, 2, 5, 0, 0x0B, 9,
        ];
        let item = |form, width, value| {
            Ok(UserItem {
                format: form,
                width,
                value,
            })
        };
        let items = [
            item(ItemFormat::I8, 3, ItemValue::Signed(-1)),
            item(ItemFormat::U16, 15, ItemValue::Unsigned(0x1234)),
            item(ItemFormat::Text, 0, ItemValue::Bytes(b"h")),
            item(ItemFormat::Memory, 0, ItemValue::Bytes(&[])),
            item(ItemFormat::Memory, 0, ItemValue::Bytes(&[5, 0])),
            item(ItemFormat::Signal, 0, ItemValue::Unsigned(9)),
        ];
        assert_eq!(read(&bytes), items);
        assert_eq!(read(&[]), []);
    }

    #[test]
    fn an_error_has_an_offset_and_ends_the_items() {
        let valid = Ok(UserItem {
            format: ItemFormat::U8,
            width: 0,
            value: ItemValue::Unsigned(7),
        });
        let short = Err(ItemError::TooShort { offset: 2 });
        for cut in [&b"\x04\x01\x02"[..], b"\x07ab", b"\x08", b"\x08\x03ab"] {
            assert_eq!(read(&[b"\x01\x07", cut].concat()), [valid, short]);
        }
        let unknown = Err(ItemError::UnknownFormat {
            offset: 2,
            byte: 0x1C,
        });
        assert_eq!(read(b"\x01\x07\x1C\x01\x07"), [valid, unknown]);
    }

    #[test]
    fn oversized_values_do_not_fit() {
        let configuration = StreamConfiguration::default();
        let fits = |form, value| {
            let width = 0;
            UserItem {
                format: form,
                width,
                value,
            }
            .fits(&configuration)
        };
        assert!(fits(ItemFormat::I8, ItemValue::Signed(-128)));
        assert!(!fits(ItemFormat::I8, ItemValue::Signed(128)));
        assert!(!fits(ItemFormat::I8, ItemValue::Unsigned(1)));
        assert!(fits(ItemFormat::X32, ItemValue::Unsigned(u32::MAX)));
        assert!(!fits(ItemFormat::Signal, ItemValue::Unsigned(256)));
        assert!(!fits(ItemFormat::Text, ItemValue::Bytes(b"a\0")));
        assert!(fits(ItemFormat::Memory, ItemValue::Bytes(&[0; 255])));
        assert!(!fits(ItemFormat::Memory, ItemValue::Bytes(&[0; 256])));
        assert!(!fits(ItemFormat::U8, ItemValue::Bytes(&[])));
    }
}
