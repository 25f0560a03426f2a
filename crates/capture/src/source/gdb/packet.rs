//! The frames of GDB's remote protocol, in both directions.
//!
//! A packet is `$`, its characters, `#` and their sum in two hexadecimal digits.
//! `+` and `-` say that one came whole or damaged. From "GDB Remote Serial
//! Protocol", appendix of "Debugging with GDB".

/// What came from a stub.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Arrived {
    /// A packet, whole. Runs are written out, escapes still stand in it: see
    /// [`unescaped`].
    Packet(Vec<u8>),
    /// A packet that is damaged, or longer than one may be.
    Damaged,
    /// The last packet that was sent came whole.
    Accepted,
    /// The last packet that was sent did not.
    Refused,
}

/// Characters of a packet, with its runs written out, that are taken at most.
/// What is asked for has at most a quarter of it.
pub const MOST_CHARACTERS: usize = 1 << 17;

/// Begins a byte that would have a meaning of its own.
const ESCAPE: u8 = b'}';
/// What such a byte is changed with.
const ESCAPED_WITH: u8 = 0x20;
/// Follows a character that is repeated.
const RUN: u8 = b'*';
/// The character behind that is so much more than the number of repetitions.
const RUN_BASE: u8 = 29;

/// Finds packets in the bytes of a stub, which may be of any kind.
#[derive(Debug, Default)]
pub struct Deframer {
    state: State,
    characters: Vec<u8>,
    sum: u8,
    is_too_long: bool,
    is_notification: bool,
}

#[derive(Debug, Default, Clone, Copy)]
enum State {
    #[default]
    Outside,
    Inside,
    /// The number of repetitions comes next.
    Run,
    FirstDigit,
    SecondDigit(u8),
}

impl Deframer {
    /// Takes the next byte; what is complete with it.
    pub fn push(&mut self, byte: u8) -> Option<Arrived> {
        match (self.state, byte) {
            (State::Outside, b'+') => return Some(Arrived::Accepted),
            (State::Outside, b'-') => return Some(Arrived::Refused),
            (_, b'$') => self.begin(false),
            (State::Outside, b'%') => self.begin(true),
            (State::Outside, _) => {}
            (State::Inside, b'#') => self.state = State::FirstDigit,
            (State::Inside, RUN) => {
                self.add_to_sum(byte);
                self.state = State::Run;
            }
            (State::Inside, _) => {
                self.add_to_sum(byte);
                self.take(byte, 1);
            }
            (State::Run, _) => {
                self.add_to_sum(byte);
                self.state = State::Inside;
                self.repeat(byte);
            }
            (State::FirstDigit, _) => self.state = State::SecondDigit(byte),
            (State::SecondDigit(first), second) => return self.end(first, second),
        }
        None
    }

    fn begin(&mut self, is_notification: bool) {
        *self = Self {
            state: State::Inside,
            is_notification,
            ..Self::default()
        };
    }

    fn add_to_sum(&mut self, byte: u8) {
        self.sum = self.sum.wrapping_add(byte);
    }

    fn take(&mut self, byte: u8, count: usize) {
        if self.characters.len() + count > MOST_CHARACTERS {
            self.is_too_long = true;
        } else {
            let length = self.characters.len() + count;
            self.characters.resize(length, byte);
        }
    }

    fn repeat(&mut self, number: u8) {
        match (self.characters.last(), number.checked_sub(RUN_BASE)) {
            (Some(&last), Some(count)) => self.take(last, usize::from(count)),
            // Repeats nothing: no sum makes that right.
            _ => self.is_too_long = true,
        }
    }

    fn end(&mut self, first: u8, second: u8) -> Option<Arrived> {
        let told = digit(first).zip(digit(second));
        let is_whole = told.is_some_and(|(high, low)| high << 4 | low == self.sum);
        let Self {
            characters,
            is_too_long,
            is_notification,
            ..
        } = std::mem::take(self);
        match is_whole && !is_too_long {
            // Nobody asked for them; no mode that has some is ever entered.
            _ if is_notification => None,
            true => Some(Arrived::Packet(characters)),
            false => Some(Arrived::Damaged),
        }
    }
}

/// The bytes of a packet with these characters, of which none may need an
/// escape.
pub fn framed(characters: &str) -> Vec<u8> {
    let sum = characters.bytes().fold(0, u8::wrapping_add);
    format!("${characters}#{sum:02x}").into_bytes()
}

/// The bytes that characters of a packet stand for where it holds any.
pub fn unescaped(characters: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(characters.len());
    let mut characters = characters.iter();
    while let Some(&character) = characters.next() {
        match character {
            ESCAPE => bytes.extend(characters.next().map(|byte| byte ^ ESCAPED_WITH)),
            _ => bytes.push(character),
        }
    }
    bytes
}

/// The bytes that pairs of hexadecimal digits stand for; `None` if they are
/// something else.
pub fn from_hexadecimal(characters: &[u8]) -> Option<Vec<u8>> {
    let pairs = characters.chunks(2).map(|pair| match pair {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    });
    pairs.collect()
}

fn digit(character: u8) -> Option<u8> {
    let digit = char::from(character).to_digit(16)?;
    u8::try_from(digit).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<Arrived> {
        let mut deframer = Deframer::default();
        let arrived = bytes.iter().filter_map(|byte| deframer.push(*byte));
        arrived.collect()
    }

    fn packet(characters: &str) -> Arrived {
        Arrived::Packet(characters.as_bytes().to_vec())
    }

    #[test]
    fn what_is_framed_comes_back() {
        for characters in ["", "OK", "m20000000,40"] {
            assert_eq!(all(&framed(characters)), [packet(characters)]);
        }
        // The example of the documentation's "Packet Acknowledgment".
        assert_eq!(framed("OK"), b"$OK#9a");
    }

    #[test]
    fn runs_are_written_out() {
        // The example of the documentation's "Overview": `0* ` means 0000.
        assert_eq!(all(b"$0* #7a"), [packet("0000")]);
        assert_eq!(all(b"$*!#4b"), [Arrived::Damaged], "a run of nothing");
        assert_eq!(all(b"$0*\x01#5b"), [Arrived::Damaged], "fewer than none");
    }

    #[test]
    fn what_lies_between_packets_is_left_aside() {
        let bytes = b"noise+$OK#9a-...$OK#9b$O$OK#9A%Stop:T05#00";
        let arrived = [
            Arrived::Accepted,
            packet("OK"),
            Arrived::Refused,
            Arrived::Damaged,
            packet("OK"),
        ];
        assert_eq!(all(bytes), arrived);
    }

    #[test]
    fn a_packet_is_never_too_long() {
        let mut deframer = Deframer::default();
        deframer.push(b'$');
        for _ in 0..MOST_CHARACTERS {
            for byte in b"00*~" {
                assert_eq!(deframer.push(*byte), None);
            }
        }
        assert!(deframer.characters.capacity() <= 2 * MOST_CHARACTERS);
        let ends = b"#00$OK#9a".iter().filter_map(|byte| deframer.push(*byte));
        assert_eq!(ends.collect::<Vec<_>>(), [Arrived::Damaged, packet("OK")]);
    }

    #[test]
    fn bytes_are_read_in_either_form() {
        assert_eq!(unescaped(b"b}\x03}]}"), b"b#}");
        assert_eq!(from_hexadecimal(b"00fFA0"), Some(vec![0, 0xFF, 0xA0]));
        assert_eq!(from_hexadecimal(b"0"), None);
        assert_eq!(from_hexadecimal(b"E0x1"), None);
    }
}
