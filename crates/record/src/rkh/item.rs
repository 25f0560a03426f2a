//! The items of the application's own records: `RKH_TUSR_…`.
//!
//! A number is shown with at least `width` characters, 0 to 15.

pub use rtoscope_wire::rkh::user::UserItem;

use super::Address;
use rtoscope_wire::rkh::user::{ItemFormat, ItemValue};

const fn signed(form: ItemFormat, width: u8, number: i32) -> UserItem<'static> {
    UserItem {
        format: form,
        width,
        value: ItemValue::Signed(number),
    }
}

const fn unsigned(form: ItemFormat, width: u8, number: u32) -> UserItem<'static> {
    UserItem {
        format: form,
        width,
        value: ItemValue::Unsigned(number),
    }
}

/// `RKH_TUSR_I8`.
pub const fn i8(width: u8, number: i8) -> UserItem<'static> {
    signed(ItemFormat::I8, width, number as i32)
}

/// `RKH_TUSR_UI8`.
pub const fn u8(width: u8, number: u8) -> UserItem<'static> {
    unsigned(ItemFormat::U8, width, number as u32)
}

/// `RKH_TUSR_I16`.
pub const fn i16(width: u8, number: i16) -> UserItem<'static> {
    signed(ItemFormat::I16, width, number as i32)
}

/// `RKH_TUSR_UI16`.
pub const fn u16(width: u8, number: u16) -> UserItem<'static> {
    unsigned(ItemFormat::U16, width, number as u32)
}

/// `RKH_TUSR_I32`.
pub const fn i32(width: u8, number: i32) -> UserItem<'static> {
    signed(ItemFormat::I32, width, number)
}

/// `RKH_TUSR_UI32`.
pub const fn u32(width: u8, number: u32) -> UserItem<'static> {
    unsigned(ItemFormat::U32, width, number)
}

/// `RKH_TUSR_X32`: shown in hexadecimal.
pub const fn x32(width: u8, number: u32) -> UserItem<'static> {
    unsigned(ItemFormat::X32, width, number)
}

/// `RKH_TUSR_STR`: a text, up to its first NUL if it has one.
pub const fn text(text: &[u8]) -> UserItem<'_> {
    UserItem {
        format: ItemFormat::Text,
        width: 0,
        value: ItemValue::Bytes(text),
    }
}

/// `RKH_TUSR_MEM`: the first 255 bytes of a memory block.
pub const fn memory(bytes: &[u8]) -> UserItem<'_> {
    UserItem {
        format: ItemFormat::Memory,
        width: 0,
        value: ItemValue::Bytes(bytes),
    }
}

/// `RKH_TUSR_OBJ`: an object's address.
pub const fn object(address: Address) -> UserItem<'static> {
    unsigned(ItemFormat::Object, 0, address.0)
}

/// `RKH_TUSR_FUN`: a function's address.
pub const fn function(address: Address) -> UserItem<'static> {
    unsigned(ItemFormat::Function, 0, address.0)
}

/// `RKH_TUSR_SIG`: a signal.
pub const fn signal(signal: u32) -> UserItem<'static> {
    unsigned(ItemFormat::Signal, 0, signal)
}
