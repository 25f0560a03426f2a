//! Reads packets.

use super::{FIRST_ID_WITH_LENGTH, MAX_ID, SYNC_BYTES, varint};

/// How ids are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Framing {
    /// An id is a number.
    #[default]
    Plain,
    /// Bit 6 of the first byte of a short id, and of the second byte of a long one, is the number
    /// of the core (`ESP_Extension`).
    TwoCores,
}

/// Why there is no packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PacketError {
    /// The bytes end within it.
    Incomplete,
    /// No recorder writes these bytes.
    Damaged,
}

/// A packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packet<'a> {
    /// The id; 0 for a sync.
    pub id: u32,
    /// The core; 0 in [`Framing::Plain`].
    pub core: u8,
    /// The numbers of a packet without a length.
    pub values: [u32; 4],
    /// The text at the end of a packet without a length.
    pub text: &'a [u8],
    /// The arguments of a packet with a length: see [`ArgumentReader`].
    pub payload: &'a [u8],
    /// Ticks since the packet before, up to this one.
    pub delta: u32,
    /// Its length in bytes.
    pub bytes: usize,
}

/// Numbers, and whether a text follows, of each packet without a length; `None` for ids that
/// recorders do not write.
const LAYOUTS: [Option<(u8, bool)>; FIRST_ID_WITH_LENGTH as usize] = [
    None,
    Some((1, false)),
    Some((1, false)),
    Some((0, false)),
    Some((1, false)),
    Some((0, false)),
    Some((1, false)),
    Some((2, false)),
    Some((1, false)),
    Some((2, true)),
    Some((0, false)),
    Some((0, false)),
    Some((1, false)),
    Some((2, false)),
    Some((0, true)),
    Some((1, false)),
    Some((1, false)),
    Some((0, false)),
    Some((0, false)),
    Some((1, false)),
    Some((0, false)),
    Some((4, false)),
    Some((2, true)),
    Some((2, false)),
];

/// Maximum length of a payload: two bytes of 7 bits.
const MAX_PAYLOAD_BYTES: u32 = 0x3FFF;

/// Maximum length of a text: far more than recorders are configured for (128, rarely 300).
const MAX_TEXT_BYTES: usize = 2048;

impl<'a> Packet<'a> {
    /// Reads the packet at the start of `bytes`.
    ///
    /// # Errors
    ///
    /// If it is damaged, or if the bytes end within it.
    #[inline]
    pub fn read(bytes: &'a [u8], framing: Framing) -> Result<Self, PacketError> {
        let first = *bytes.first().ok_or(PacketError::Incomplete)?;
        if first == 0 {
            return Self::read_sync(bytes);
        }
        let mut at = 0;
        let (id, core) = match framing {
            Framing::Plain => (read_id(bytes, &mut at)?, 0),
            Framing::TwoCores => read_id_and_core(bytes, &mut at)?,
        };
        let mut packet = Self {
            id,
            core,
            values: [0; 4],
            text: &[],
            payload: &[],
            delta: 0,
            bytes: 0,
        };
        if id >= FIRST_ID_WITH_LENGTH {
            let length = read_length(bytes, &mut at)? as usize;
            packet.payload = bytes.get(at..at + length).ok_or(PacketError::Incomplete)?;
            at += length;
        } else {
            let layout = LAYOUTS.get(id as usize).copied().flatten();
            let (numbers, has_text) = layout.ok_or(PacketError::Damaged)?;
            for value in packet.values.iter_mut().take(numbers.into()) {
                *value = varint::read(bytes, &mut at)?;
            }
            if has_text {
                packet.text = read_text(bytes, &mut at)?;
            }
        }
        packet.delta = varint::read(bytes, &mut at)?;
        packet.bytes = at;
        Ok(packet)
    }

    /// Whether it is a sync, which has no time.
    pub const fn is_sync(&self) -> bool {
        self.id == 0
    }

    /// The arguments of a packet with a length.
    pub const fn arguments(&self) -> ArgumentReader<'a> {
        ArgumentReader {
            bytes: self.payload,
            at: 0,
        }
    }

    #[cold]
    fn read_sync(bytes: &'a [u8]) -> Result<Self, PacketError> {
        let zeros = bytes.iter().position(|byte| *byte != 0);
        let zeros = zeros.ok_or(PacketError::Incomplete)?;
        if zeros < SYNC_BYTES {
            return Err(PacketError::Damaged);
        }
        Ok(Self {
            id: 0,
            core: 0,
            values: [0; 4],
            text: &[],
            payload: &[],
            delta: 0,
            bytes: zeros,
        })
    }
}

#[inline]
fn read_id(bytes: &[u8], at: &mut usize) -> Result<u32, PacketError> {
    // 127 is the only number in more bytes than it takes.
    if let [0xFF, 0, ..] = bytes {
        *at = 2;
        return Ok(127);
    }
    let id = varint::read(bytes, at)?;
    if id > MAX_ID {
        return Err(PacketError::Damaged);
    }
    Ok(id)
}

fn read_id_and_core(bytes: &[u8], at: &mut usize) -> Result<(u32, u8), PacketError> {
    const CORE: u8 = 1 << 6;
    let byte = |place: usize| bytes.get(place).copied().ok_or(PacketError::Incomplete);
    let core = |byte: u8| u8::from(byte & CORE != 0);
    let (first, is_long) = (byte(0)? & 0x7F, byte(0)? & 0x80 != 0);
    if !is_long {
        *at = 1;
        return match first & !CORE {
            0 => Err(PacketError::Damaged),
            id => Ok((id.into(), core(first))),
        };
    }
    let second = byte(1)?;
    if second & 0x80 != 0 {
        return Err(PacketError::Damaged);
    }
    *at = 2;
    let id = u32::from(first) | u32::from(second & !CORE) << 7;
    Ok((id, core(second)))
}

#[inline]
fn read_length(bytes: &[u8], at: &mut usize) -> Result<u32, PacketError> {
    let length = varint::read(bytes, at)?;
    match length {
        0..=MAX_PAYLOAD_BYTES => Ok(length),
        _ => Err(PacketError::Damaged),
    }
}

/// Reads a text: its length in a byte, or 0xFF and the length in two bytes.
///
/// Releases before 3.60 write the lower byte first, and only for texts of 255 bytes and more.
/// Later ones write the upper byte first, even for short texts. The smaller number is right, as
/// texts are shorter than [`MAX_TEXT_BYTES`].
fn read_text<'a>(bytes: &'a [u8], at: &mut usize) -> Result<&'a [u8], PacketError> {
    let mut byte = || {
        let next = bytes.get(*at).copied().ok_or(PacketError::Incomplete);
        *at += 1;
        next
    };
    let length = match byte()? {
        0xFF => {
            let pair = [byte()?, byte()?];
            usize::from(u16::from_be_bytes(pair).min(u16::from_le_bytes(pair)))
        }
        length => length.into(),
    };
    if length > MAX_TEXT_BYTES {
        return Err(PacketError::Damaged);
    }
    let text = bytes
        .get(*at..*at + length)
        .ok_or(PacketError::Incomplete)?;
    *at += length;
    Ok(text)
}

/// Reads the arguments of a packet with a length, one after the other.
#[derive(Debug, Clone, Copy)]
pub struct ArgumentReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> ArgumentReader<'a> {
    /// The next number; `None` at the end, or if no number follows.
    #[inline]
    pub fn number(&mut self) -> Option<u32> {
        varint::read(self.bytes, &mut self.at).ok()
    }

    /// The next text; `None` if none follows.
    pub fn text(&mut self) -> Option<&'a [u8]> {
        read_text(self.bytes, &mut self.at).ok()
    }

    /// Whether everything is read.
    pub const fn is_empty(&self) -> bool {
        self.at >= self.bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{PacketWriter, id};
    use super::*;
    use std::vec::Vec;

    #[test]
    fn packets_round_trip() {
        let mut bytes = Vec::new();
        let mut writer = PacketWriter::new(|byte| bytes.push(byte));
        writer.sync();
        writer.short(id::TASK_INFO, &[0x1234, 7], Some(b"worker"), 300);
        writer.long(127, &[1, u32::MAX], &[], 5);
        writer.short(id::IDLE, &[], None, 0);
        let sync = Packet::read(&bytes, Framing::Plain).unwrap();
        assert!(sync.is_sync() && sync.bytes == SYNC_BYTES);
        let info = Packet::read(&bytes[10..], Framing::Plain).unwrap();
        assert_eq!((info.id, info.values), (id::TASK_INFO, [0x1234, 7, 0, 0]));
        assert_eq!((info.text, info.delta), (&b"worker"[..], 300));
        let call = Packet::read(&bytes[10 + info.bytes..], Framing::Plain).unwrap();
        assert_eq!((call.id, call.delta), (127, 5));
        let mut arguments = call.arguments();
        assert_eq!(arguments.number(), Some(1));
        assert!(!arguments.is_empty());
        assert_eq!(arguments.number(), Some(u32::MAX));
        assert!(arguments.is_empty() && arguments.number().is_none());
        for end in 11..10 + info.bytes {
            let cut = Packet::read(&bytes[10..end], Framing::Plain);
            assert_eq!(cut, Err(PacketError::Incomplete), "{end}");
        }
    }

    #[test]
    fn both_orders_of_a_long_length_are_read() {
        for (length, expected) in [([0, 5], 5), ([1, 0x2C], 300), ([0x2C, 1], 300)] {
            let mut bytes = std::vec![id::SYSDESC as u8, 0xFF, length[0], length[1]];
            bytes.resize(4 + expected, b'x');
            bytes.push(9);
            let packet = Packet::read(&bytes, Framing::Plain).unwrap();
            assert_eq!((packet.text.len(), packet.delta), (expected, 9));
        }
    }

    #[test]
    fn the_core_is_a_bit_of_the_id() {
        let read = |bytes: &[u8]| {
            let packet = Packet::read(bytes, Framing::TwoCores).unwrap();
            (packet.id, packet.core)
        };
        assert_eq!(read(&[id::IDLE as u8 | 0x40, 3]), (id::IDLE, 1));
        assert_eq!(read(&[id::IDLE as u8, 3]), (id::IDLE, 0));
        // 150 = 0x16 + 1 * 128.
        assert_eq!(read(&[0x96, 0x41, 0, 3]), (150, 1));
        assert_eq!(read(&[0x96, 0x01, 0, 3]), (150, 0));
    }

    #[test]
    fn what_no_recorder_writes_is_damaged() {
        for bytes in [&[0, 0, 1][..], &[0xFF, 0xFF, 0x03, 0], &[26, 0x80, 0x80, 1]] {
            let packet = Packet::read(bytes, Framing::Plain);
            assert_eq!(packet, Err(PacketError::Damaged), "{bytes:?}");
        }
    }
}
