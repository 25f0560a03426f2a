//! Messages from the host to the target, in frames as those of the stream but without
//! sequence number and timestamp, and always with a checksum.
//!
//! The answers to unit tests are RKH's (`third-party/unitrazer/tzparse.c`). RKH has no
//! command for its filters: [`HostMessage::Filter`] is of this library, with an id that RKH
//! does not use.
//!
//! | id | content |
//! |---|---|
//! | `0xE8`, `UT SUCCESS` | line (4 bytes), an empty text (NUL) |
//! | `0xE9`, `UT FAIL` | line (4 bytes), the reason, NUL |
//! | `0xF0`, filter | 1 if the records pass, else 0; the [code](FilterSelection::code) of the selection; its number (4 bytes) |

use super::filter::FilterSelection;
use super::frame::{ByteSink, ESCAPE, ESCAPE_XOR, FLAG, FrameWriter};

/// `RKH_TE_UT_SUCCESS`.
const SUCCESS_ID: u8 = 0xE8;
/// `RKH_TE_UT_FAIL`.
const FAIL_ID: u8 = 0xE9;
const FILTER_ID: u8 = 0xF0;

/// Length of an answer without its text: id and line.
const ANSWER_HEAD_BYTES: usize = 1 + 4;

/// Length of a filter command: id, switch, selection and number.
const FILTER_BYTES: usize = 1 + 1 + 1 + 4;

/// Maximum length of the text of [`HostMessage::Fail`] that a [`HostMessageParser`] keeps.
pub const MAX_KEPT_TEXT_BYTES: usize = 59;

const KEPT_BYTES: usize = ANSWER_HEAD_BYTES + MAX_KEPT_TEXT_BYTES;

/// A message from the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostMessage<'a> {
    /// The unit test passes, or passes so far.
    Success {
        /// A line of the target's source, or 0.
        line: u32,
    },
    /// The unit test does not pass.
    Fail {
        /// The line that failed, or 0.
        line: u32,
        /// The reason, without NUL.
        text: &'a [u8],
    },
    /// Lets records pass, or suppresses them.
    Filter {
        /// The records.
        selection: FilterSelection,
        /// Whether they pass.
        pass: bool,
    },
}

impl HostMessage<'_> {
    /// Writes the message with a flag on both sides.
    pub fn write(&self, sink: impl ByteSink) {
        let mut writer = FrameWriter::new(sink);
        writer.flag();
        writer.begin_frame();
        match *self {
            Self::Success { line } => {
                writer.u8(SUCCESS_ID);
                writer.u32(line);
                writer.text(b"");
            }
            Self::Fail { line, text } => {
                writer.u8(FAIL_ID);
                writer.u32(line);
                writer.text(text);
            }
            Self::Filter { selection, pass } => {
                writer.u8(FILTER_ID);
                writer.u8(pass.into());
                writer.u8(selection.code());
                writer.u32(selection.number());
            }
        }
        writer.end_frame(true);
    }
}

/// Why bytes between two flags are no message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostMessageError {
    /// The checksum is wrong, or the frame ends in an escape.
    Damaged,
    /// The message has another content than its id requires, or its id is unknown.
    Unknown {
        /// The id.
        id: u8,
    },
}

crate::error_messages::messages! {
    HostMessageError {
        Damaged => "a message of the host is damaged",
        Unknown { id } => "message {id:#04x} of the host is unknown",
    }
}

/// Parses messages from the host, byte by byte.
#[derive(Debug, Clone)]
pub struct HostMessageParser {
    /// The first bytes of the message.
    kept: [u8; KEPT_BYTES],
    /// Length so far, with the checksum.
    length: usize,
    sum: u8,
    is_escaped: bool,
}

impl HostMessageParser {
    /// Creates a parser at the start of a message.
    pub const fn new() -> Self {
        Self {
            kept: [0; KEPT_BYTES],
            length: 0,
            sum: 0,
            is_escaped: false,
        }
    }

    /// Takes the next byte. Returns a message if the byte completes it, or what is wrong
    /// with it.
    pub fn push(&mut self, byte: u8) -> Option<Result<HostMessage<'_>, HostMessageError>> {
        if byte == FLAG {
            let (length, sum, is_escaped) = (self.length, self.sum, self.is_escaped);
            self.length = 0;
            self.sum = 0;
            self.is_escaped = false;
            return match (length, is_escaped, sum) {
                (0, false, _) => None,
                (_, false, 0) => Some(self.message(length - 1)),
                _ => Some(Err(HostMessageError::Damaged)),
            };
        }
        if byte == ESCAPE && !self.is_escaped {
            self.is_escaped = true;
            return None;
        }
        let plain = if self.is_escaped {
            byte ^ ESCAPE_XOR
        } else {
            byte
        };
        self.is_escaped = false;
        self.sum = self.sum.wrapping_add(plain);
        if let Some(place) = self.kept.get_mut(self.length) {
            *place = plain;
        }
        self.length = self.length.saturating_add(1);
        None
    }

    /// The message in the kept bytes, `length` without the checksum.
    fn message(&self, length: usize) -> Result<HostMessage<'_>, HostMessageError> {
        let kept = self.kept.get(..length).unwrap_or(&self.kept);
        let id = kept.first().copied().unwrap_or_default();
        let unknown = HostMessageError::Unknown { id };
        match id {
            SUCCESS_ID | FAIL_ID => {
                let line = number_at(kept, 1).ok_or(unknown)?;
                let text = kept.get(ANSWER_HEAD_BYTES..).unwrap_or_default();
                let end = text.iter().position(|byte| *byte == 0);
                let text = text.get(..end.unwrap_or(text.len())).unwrap_or_default();
                Ok(match id {
                    SUCCESS_ID => HostMessage::Success { line },
                    _ => HostMessage::Fail { line, text },
                })
            }
            FILTER_ID if length == FILTER_BYTES => {
                let code = kept.get(2).copied().unwrap_or_default();
                let number = number_at(kept, 3).ok_or(unknown)?;
                let selection = FilterSelection::from_code(code, number).ok_or(unknown)?;
                match kept.get(1) {
                    Some(pass @ 0..=1) => Ok(HostMessage::Filter {
                        selection,
                        pass: *pass == 1,
                    }),
                    _ => Err(unknown),
                }
            }
            _ => Err(unknown),
        }
    }
}

impl Default for HostMessageParser {
    fn default() -> Self {
        Self::new()
    }
}

fn number_at(bytes: &[u8], offset: usize) -> Option<u32> {
    let bytes = bytes.get(offset..)?.get(..4)?;
    let word = bytes.iter().rev();
    Some(word.fold(0, |word, byte| word << 8 | u32::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    const ALL: [FilterSelection; 9] = [
        FilterSelection::Event(0x62),
        FilterSelection::AllEvents,
        FilterSelection::Group(3),
        FilterSelection::GroupEvents(7),
        FilterSelection::AllGroups,
        FilterSelection::Object(0x7E),
        FilterSelection::AllObjects,
        FilterSelection::Signal(0x7D7E_0001),
        FilterSelection::AllSignals,
    ];

    fn written(message: &HostMessage<'_>) -> Vec<u8> {
        let mut bytes = Vec::new();
        message.write(|byte| bytes.push(byte));
        bytes
    }

    /// Passes what the parser returns to `check`.
    fn parse(
        parser: &mut HostMessageParser,
        bytes: &[u8],
        mut check: impl FnMut(Result<HostMessage<'_>, HostMessageError>),
    ) {
        for byte in bytes {
            if let Some(message) = parser.push(*byte) {
                check(message);
            }
        }
    }

    #[test]
    fn messages_are_read_as_written() {
        let mut parser = HostMessageParser::new();
        let filters = ALL.iter().flat_map(|selection| {
            [true, false].map(|pass| HostMessage::Filter {
                selection: *selection,
                pass,
            })
        });
        let answers = [
            HostMessage::Success { line: 0x7E },
            HostMessage::Fail {
                line: u32::MAX,
                text: b"expected ~ }",
            },
        ];
        for message in filters.chain(answers) {
            let mut count = 0;
            parse(&mut parser, &written(&message), |read| {
                assert_eq!(read, Ok(message));
                count += 1;
            });
            assert_eq!(count, 1);
        }
    }

    #[test]
    fn long_texts_are_cut() {
        let text = [b'x'; 248];
        let message = HostMessage::Fail {
            line: 7,
            text: &text,
        };
        parse(&mut HostMessageParser::new(), &written(&message), |read| {
            let text = &text[..MAX_KEPT_TEXT_BYTES];
            assert_eq!(read, Ok(HostMessage::Fail { line: 7, text }));
        });
    }

    #[test]
    fn damaged_messages_are_reported() {
        let good = written(&HostMessage::Filter {
            selection: FilterSelection::Object(3),
            pass: true,
        });
        for index in 1..good.len() - 1 {
            for value in 0..=255 {
                let mut bytes = good.clone();
                if bytes[index] == value {
                    continue;
                }
                bytes[index] = value;
                let mut parser = HostMessageParser::new();
                parse(&mut parser, &bytes, |read| assert!(read.is_err()));
                // The next one is whole.
                let mut count = 0;
                parse(&mut parser, &good, |read| count += u32::from(read.is_ok()));
                assert_eq!(count, 1);
            }
        }
    }

    #[test]
    fn any_bytes_are_parsed() {
        let mut parser = HostMessageParser::new();
        let mut state = 1_u32;
        for _ in 0..200_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let byte = match state >> 28 {
                0 => FLAG,
                1 => ESCAPE,
                2 => FILTER_ID,
                _ => (state >> 16) as u8,
            };
            let _ = parser.push(byte);
        }
    }
}
