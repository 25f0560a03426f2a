//! Event ids on the wire.
//!
//! An id of one byte has the group in its high 3 bits and the event in its low 5 bits.
//! An id of two or four bytes has the group in its high byte
//! (`RKH_NBITS_GROUP` in `source/trc/inc/rkhtrc_define.h`), in little-endian order. Other
//! senders extend the one-byte id with zeros; both forms are read, because no number
//! belongs to both with different meanings.

use super::record::Group;
use super::{Dialect, FieldWidth};

/// `RKH_TE_USER`: the id of the application's event 0, in one byte.
pub const FIRST_USER_ID: u8 = Group::Usr.number() << EVENT_BITS;

/// Number of events of the application.
pub const USER_EVENTS: u8 = 1 << EVENT_BITS;

/// Number of id bits that hold the event's number within its group
/// (`RKH_NBIT_EVENT_PER_GROUP` for ids of one byte).
pub const EVENT_BITS: u32 = 5;

/// The number on the wire of a one-byte id, in ids of `width`. In [`Dialect::Flat`],
/// which has no groups, it is the id itself.
#[inline]
pub const fn wire_id(id: u8, width: FieldWidth, dialect: Dialect) -> u32 {
    let group_shift = match (width, dialect) {
        (FieldWidth::One, _) | (_, Dialect::Flat) => return id as u32,
        (FieldWidth::Two, _) => 8,
        (FieldWidth::Four, _) => 24,
    };
    (id as u32 >> EVENT_BITS) << group_shift | id as u32 & EVENT_MASK
}

/// The one-byte id of a number on the wire, in ids of `width`; `None` if it has no
/// one-byte id: no record has it.
#[inline]
pub const fn short_id(number: u32, width: FieldWidth) -> Option<u8> {
    if number <= 0xFF {
        return Some(number as u8);
    }
    let group_shift = match width {
        FieldWidth::One => return None,
        FieldWidth::Two => 8,
        FieldWidth::Four => 24,
    };
    let (group, event) = (number >> group_shift, number & ((1 << group_shift) - 1));
    if group < Group::ALL.len() as u32 && event <= EVENT_MASK {
        Some((group << EVENT_BITS | event) as u8)
    } else {
        None
    }
}

/// The one-byte id of any of RKH's numbers for an event: its id of one, two or four
/// bytes. `None` if no event has the number.
#[inline]
pub const fn any_id(number: u32) -> Option<u8> {
    match short_id(number, FieldWidth::Two) {
        None => short_id(number, FieldWidth::Four),
        id => id,
    }
}

/// The number of the application's event, 0 to 31, of any of RKH's numbers for it: the
/// event's number itself, its id of one byte (`RKH_TE_USER` + n, 0xC0 + n), of two bytes
/// (0x600 + n) or of four (0x0600_0000 + n). `None` for any other number.
#[inline(always)]
pub const fn user_event(number: u32) -> Option<u8> {
    const ONE: u32 = FIRST_USER_ID as u32;
    const TWO: u32 = wire_id(FIRST_USER_ID, FieldWidth::Two, Dialect::V3);
    const FOUR: u32 = wire_id(FIRST_USER_ID, FieldWidth::Four, Dialect::V3);
    match number & !EVENT_MASK {
        0 | ONE | TWO | FOUR => Some((number & EVENT_MASK) as u8),
        _ => None,
    }
}

/// The event's bits of an id.
pub const EVENT_MASK: u32 = (1 << EVENT_BITS) - 1;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_ids_have_the_group_in_their_high_byte() {
        // RKH_TE_SM_STATE.
        assert_eq!(wire_id(0x63, FieldWidth::One, Dialect::V3), 0x63);
        assert_eq!(wire_id(0x63, FieldWidth::Two, Dialect::V3), 0x0303);
        assert_eq!(wire_id(0x63, FieldWidth::Four, Dialect::V3), 0x0300_0003);
        assert_eq!(wire_id(0x2B, FieldWidth::Four, Dialect::Flat), 0x2B);
    }

    #[test]
    fn both_forms_of_an_id_are_read() {
        for dialect in Dialect::ALL {
            for width in FieldWidth::ALL {
                for id in 0..=u8::MAX {
                    assert_eq!(short_id(wire_id(id, width, dialect), width), Some(id));
                    assert_eq!(short_id(id.into(), width), Some(id));
                    assert_eq!(any_id(wire_id(id, width, dialect)), Some(id));
                }
            }
        }
        for (number, width) in [
            (0x100, FieldWidth::One),
            (0x0800, FieldWidth::Two),
            (0x0120, FieldWidth::Two),
            (0x1_0000, FieldWidth::Four),
            (0x0300_0020, FieldWidth::Four),
            (u32::MAX, FieldWidth::Four),
        ] {
            assert_eq!(short_id(number, width), None, "{number:#x}");
        }
    }

    #[test]
    fn all_numbers_of_a_users_event_are_accepted_and_no_others() {
        for event in 0..32 {
            for first in [0, 0xC0, 0x0600, 0x0600_0000] {
                assert_eq!(user_event(first + event), Some(event as u8));
            }
        }
        for number in [
            32,
            0xBF,
            0xE0,
            0xFF,
            0x100,
            0x5FF,
            0x620,
            0x0600_0020,
            u32::MAX,
        ] {
            assert_eq!(user_event(number), None, "{number:#x}");
        }
    }
}
