//! Numbers of 32 bits in 1 to 5 bytes: 7 bits each, the least significant first; bit 7 shows that
//! another byte follows.

use super::PacketError;

/// Maximum length of a number in bytes.
pub const MAX_BYTES: usize = 5;

/// Reads the number at `*at`, which it moves to the byte after it.
///
/// # Errors
///
/// If the number is longer than 32 bits or than it has to be, which no recorder writes, or if the
/// bytes end within it.
#[inline]
pub fn read(bytes: &[u8], at: &mut usize) -> Result<u32, PacketError> {
    match bytes.get(*at) {
        Some(byte @ 0..=0x7F) => {
            *at += 1;
            Ok((*byte).into())
        }
        _ => read_long(bytes, at),
    }
}

fn read_long(bytes: &[u8], at: &mut usize) -> Result<u32, PacketError> {
    let mut value = 0_u32;
    for place in 0..MAX_BYTES {
        let byte = *bytes.get(*at + place).ok_or(PacketError::Incomplete)?;
        value |= u32::from(byte & 0x7F) << (7 * place);
        if byte & 0x80 == 0 {
            let is_too_wide = place == MAX_BYTES - 1 && byte > 0x0F;
            if is_too_wide || byte == 0 && place > 0 {
                break;
            }
            *at += place + 1;
            return Ok(value);
        }
    }
    Err(PacketError::Damaged)
}

/// Writes a number.
pub fn write(mut value: u32, mut put: impl FnMut(u8)) {
    while value > 0x7F {
        put(value as u8 | 0x80);
        value >>= 7;
    }
    put(value as u8);
}

/// The length of a number in bytes.
pub const fn len(value: u32) -> usize {
    (31 - (value | 1).leading_zeros()) as usize / 7 + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn numbers_round_trip() {
        for value in [0, 1, 0x7F, 0x80, 0x3FFF, 0x4000, 1 << 21, 1 << 28, u32::MAX] {
            let mut bytes = Vec::new();
            write(value, |byte| bytes.push(byte));
            assert_eq!(bytes.len(), len(value));
            let mut at = 0;
            assert_eq!(read(&bytes, &mut at), Ok(value));
            assert_eq!(at, bytes.len());
            at = 0;
            let cut = bytes.split_last().unwrap().1;
            assert_eq!(read(cut, &mut at), Err(PacketError::Incomplete));
        }
    }

    #[test]
    fn what_no_recorder_writes_is_damaged() {
        for bytes in [&[0x80, 0][..], &[0xFF; 5], &[0xFF, 0xFF, 0xFF, 0xFF, 0x10]] {
            assert_eq!(read(bytes, &mut 0), Err(PacketError::Damaged));
        }
    }
}
