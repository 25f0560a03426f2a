//! Framing of GDB's remote protocol, in both directions.
//!
//! A packet is `$`, its characters, `#` and their checksum in two hexadecimal digits.
//! `+` and `-` acknowledge it or report damage. See "GDB Remote Serial Protocol", an
//! appendix of "Debugging with GDB".

/// Input from a stub.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StubInput {
    /// A complete packet, with runs expanded but escapes intact: see [`unescaped`].
    Packet(Vec<u8>),
    /// A packet that is damaged or too long.
    Damaged,
    /// The last packet was received correctly.
    Ack,
    /// The last packet was damaged.
    Nack,
}

/// Maximum number of characters in a packet, with runs expanded. Requested replies have
/// at most a quarter of it.
pub const MAX_PACKET_CHARS: usize = 1 << 17;

/// Precedes a byte that would have a special meaning.
const ESCAPE: u8 = b'}';
/// Escaped bytes are XORed with this value.
const ESCAPE_XOR: u8 = 0x20;
/// Follows a character that is repeated.
const RUN: u8 = b'*';
/// The character after that is the number of repetitions plus this value.
const RUN_BASE: u8 = 29;

/// Extracts packets from the bytes of a stub, which may be arbitrary.
#[derive(Debug, Default)]
pub struct Deframer {
    state: DeframerState,
    characters: Vec<u8>,
    checksum: u8,
    is_too_long: bool,
    is_notification: bool,
}

#[derive(Debug, Default, Clone, Copy)]
enum DeframerState {
    #[default]
    Outside,
    Inside,
    /// The number of repetitions follows.
    Run,
    FirstDigit,
    SecondDigit(u8),
}

impl Deframer {
    /// Processes the next byte; returns what it completes.
    pub fn push(&mut self, byte: u8) -> Option<StubInput> {
        match (self.state, byte) {
            (DeframerState::Outside, b'+') => return Some(StubInput::Ack),
            (DeframerState::Outside, b'-') => return Some(StubInput::Nack),
            (_, b'$') => self.begin(false),
            (DeframerState::Outside, b'%') => self.begin(true),
            (DeframerState::Outside, _) => {}
            (DeframerState::Inside, b'#') => self.state = DeframerState::FirstDigit,
            (DeframerState::Inside, RUN) => {
                self.add_to_sum(byte);
                self.state = DeframerState::Run;
            }
            (DeframerState::Inside, _) => {
                self.add_to_sum(byte);
                self.take(byte, 1);
            }
            (DeframerState::Run, _) => {
                self.add_to_sum(byte);
                self.state = DeframerState::Inside;
                self.repeat(byte);
            }
            (DeframerState::FirstDigit, _) => self.state = DeframerState::SecondDigit(byte),
            (DeframerState::SecondDigit(first), second) => return self.end(first, second),
        }
        None
    }

    fn begin(&mut self, is_notification: bool) {
        *self = Self {
            state: DeframerState::Inside,
            is_notification,
            ..Self::default()
        };
    }

    fn add_to_sum(&mut self, byte: u8) {
        self.checksum = self.checksum.wrapping_add(byte);
    }

    fn take(&mut self, byte: u8, count: usize) {
        if self.characters.len() + count > MAX_PACKET_CHARS {
            self.is_too_long = true;
        } else {
            let length = self.characters.len() + count;
            self.characters.resize(length, byte);
        }
    }

    fn repeat(&mut self, number: u8) {
        match (self.characters.last(), number.checked_sub(RUN_BASE)) {
            (Some(&last), Some(count)) => self.take(last, usize::from(count)),
            // Nothing to repeat: make the checksum fail.
            _ => self.is_too_long = true,
        }
    }

    fn end(&mut self, first: u8, second: u8) -> Option<StubInput> {
        let recorded = digit(first).zip(digit(second));
        let is_whole = recorded.is_some_and(|(high, low)| high << 4 | low == self.checksum);
        let Self {
            characters,
            is_too_long,
            is_notification,
            ..
        } = std::mem::take(self);
        match is_whole && !is_too_long {
            // Unsolicited; no mode with notifications is ever enabled.
            _ if is_notification => None,
            true => Some(StubInput::Packet(characters)),
            false => Some(StubInput::Damaged),
        }
    }
}

/// Frames characters as a packet; none of them may need an escape.
pub fn framed(characters: &str) -> Vec<u8> {
    let sum = characters.bytes().fold(0, u8::wrapping_add);
    format!("${characters}#{sum:02x}").into_bytes()
}

/// Decodes the escapes in a packet's characters.
pub fn unescaped(characters: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(characters.len());
    let mut characters = characters.iter();
    while let Some(&character) = characters.next() {
        match character {
            ESCAPE => bytes.extend(characters.next().map(|byte| byte ^ ESCAPE_XOR)),
            _ => bytes.push(character),
        }
    }
    bytes
}

/// Decodes pairs of hexadecimal digits; `None` if there is anything else.
pub fn from_hexadecimal(characters: &[u8]) -> Option<Vec<u8>> {
    let pairs = characters.chunks(2).map(|pair| match pair {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    });
    pairs.collect()
}

/// Encodes bytes as pairs of hexadecimal digits.
pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn digit(character: u8) -> Option<u8> {
    let digit = char::from(character).to_digit(16)?;
    u8::try_from(digit).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<StubInput> {
        let mut deframer = Deframer::default();
        let arrived = bytes.iter().filter_map(|byte| deframer.push(*byte));
        arrived.collect()
    }

    fn packet(characters: &str) -> StubInput {
        StubInput::Packet(characters.as_bytes().to_vec())
    }

    #[test]
    fn packets_round_trip() {
        for characters in ["", "OK", "m20000000,40"] {
            assert_eq!(all(&framed(characters)), [packet(characters)]);
        }
        // The example in the documentation's "Packet Acknowledgment".
        assert_eq!(framed("OK"), b"$OK#9a");
    }

    #[test]
    fn runs_are_expanded() {
        // The example in the documentation's "Overview": `0* ` means 0000.
        assert_eq!(all(b"$0* #7a"), [packet("0000")]);
        assert_eq!(all(b"$*!#4b"), [StubInput::Damaged], "a run of nothing");
        assert_eq!(all(b"$0*\x01#5b"), [StubInput::Damaged], "fewer than none");
    }

    #[test]
    fn bytes_between_packets_are_skipped() {
        let bytes = b"noise+$OK#9a-...$OK#9b$O$OK#9A%Stop:T05#00";
        let arrived = [
            StubInput::Ack,
            packet("OK"),
            StubInput::Nack,
            StubInput::Damaged,
            packet("OK"),
        ];
        assert_eq!(all(bytes), arrived);
    }

    #[test]
    fn overlong_packets_are_rejected() {
        let mut deframer = Deframer::default();
        deframer.push(b'$');
        for _ in 0..MAX_PACKET_CHARS {
            for byte in b"00*~" {
                assert_eq!(deframer.push(*byte), None);
            }
        }
        assert!(deframer.characters.capacity() <= 2 * MAX_PACKET_CHARS);
        let ends = b"#00$OK#9a".iter().filter_map(|byte| deframer.push(*byte));
        assert_eq!(ends.collect::<Vec<_>>(), [StubInput::Damaged, packet("OK")]);
    }

    #[test]
    fn bytes_are_read_in_either_form() {
        assert_eq!(unescaped(b"b}\x03}]}"), b"b#}");
        assert_eq!(from_hexadecimal(b"00fFA0"), Some(vec![0, 0xFF, 0xA0]));
        assert_eq!(hexadecimal(&[0, 0xFF, 0xA0]), "00ffa0");
        assert_eq!(from_hexadecimal(b"0"), None);
        assert_eq!(from_hexadecimal(b"E0x1"), None);
    }
}
