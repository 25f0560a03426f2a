//! Commands of the host for a recorder that sends packed entries.
//!
//! A command has [`COMMAND_BYTES`]: 0xC5 and 0x5C, the number of the command, a byte that
//! makes the sum of all bytes 0xFF modulo 256, and an operand of 32 bits, least significant
//! byte first. The recorder skips other bytes, and does not answer; an
//! [`EntryKind::Filter`](super::EntryKind::Filter) shows the groups that it suppresses.

/// Length of a command.
pub const COMMAND_BYTES: usize = 8;

const START: [u8; 2] = [0xC5, 0x5C];

/// The sum of a command's bytes modulo 256.
const SUM: u8 = 0xFF;

/// A group of entries that can be suppressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EntryGroup {
    /// Interrupt handlers: begin, end and return.
    Interrupts = 1,
    /// When threads become ready, and when they start to wait.
    Readiness = 2,
    /// Markers.
    Markers = 4,
}

impl EntryGroup {
    /// All groups.
    pub const ALL: [Self; 3] = [Self::Interrupts, Self::Readiness, Self::Markers];

    /// The group's bit in a sum of groups.
    pub const fn bit(self) -> u32 {
        self as u32
    }

    /// The name in settings of the filter.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Interrupts => "interrupts",
            Self::Readiness => "readiness",
            Self::Markers => "markers",
        }
    }
}

/// A command of the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StreamCommand {
    /// Continue the recording.
    Start,
    /// Pause the recording. Entries of the meantime are lost, and counted.
    Stop,
    /// Send all names again.
    SendNames,
    /// Send everything that the ring of a flight recorder contains.
    Snapshot,
    /// Suppress a sum of groups, or no longer suppress it.
    Filter {
        /// The groups' bits.
        groups: u32,
        /// Whether their entries are suppressed.
        suppress: bool,
    },
    /// Suppress a marker, or no longer suppress it.
    FilterMarker {
        /// The marker's number.
        marker: u32,
        /// Whether its entries are suppressed.
        suppress: bool,
    },
    /// Suppress the begins and ends of an interrupt handler, or no longer suppress them.
    FilterHandler {
        /// The handler's number.
        handler: u8,
        /// Whether its entries are suppressed.
        suppress: bool,
    },
}

impl StreamCommand {
    /// Encodes the command.
    pub fn to_bytes(self) -> [u8; COMMAND_BYTES] {
        let (number, operand) = match self {
            Self::Start => (1, 0),
            Self::Stop => (2, 0),
            Self::SendNames => (3, 0),
            Self::Snapshot => (10, 0),
            Self::Filter { groups, suppress } => (if suppress { 4 } else { 5 }, groups),
            Self::FilterMarker { marker, suppress } => (if suppress { 6 } else { 7 }, marker),
            Self::FilterHandler { handler, suppress } => {
                (if suppress { 8 } else { 9 }, u32::from(handler))
            }
        };
        let [first, second] = START;
        let [a, b, c, d] = operand.to_le_bytes();
        let check = SUM.wrapping_sub(sum(&[first, second, number, a, b, c, d]));
        [first, second, number, check, a, b, c, d]
    }

    /// Decodes a command. `None` if it is damaged or has an unknown number.
    pub fn from_bytes(bytes: [u8; COMMAND_BYTES]) -> Option<Self> {
        let [first, second, number, _, a, b, c, d] = bytes;
        let operand = u32::from_le_bytes([a, b, c, d]);
        if [first, second] != START || sum(&bytes) != SUM {
            return None;
        }
        Some(match number {
            1 => Self::Start,
            2 => Self::Stop,
            3 => Self::SendNames,
            4 | 5 => Self::Filter {
                groups: operand,
                suppress: number == 4,
            },
            6 | 7 => Self::FilterMarker {
                marker: operand,
                suppress: number == 6,
            },
            8 | 9 => Self::FilterHandler {
                handler: u8::try_from(operand).ok()?,
                suppress: number == 8,
            },
            10 => Self::Snapshot,
            _ => return None,
        })
    }
}

fn sum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum, byte| sum.wrapping_add(*byte))
}

/// Finds commands in the bytes that a recorder receives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommandDecoder {
    /// The command so far. Others may follow.
    bytes: [u8; COMMAND_BYTES],
    length: usize,
}

impl CommandDecoder {
    /// A decoder that has received nothing.
    pub const fn new() -> Self {
        Self {
            bytes: [0; COMMAND_BYTES],
            length: 0,
        }
    }

    /// Takes the next byte. Returns a command that ends with it. Skips bytes that are no
    /// command, and commands with an unknown number.
    pub fn push(&mut self, byte: u8) -> Option<StreamCommand> {
        if let Some(place) = self.bytes.get_mut(self.length) {
            *place = byte;
            self.length += 1;
        }
        if self.length == COMMAND_BYTES && sum(&self.bytes) == SUM {
            self.length = 0;
            return StreamCommand::from_bytes(self.bytes);
        }
        // Another command may start within bytes that are none.
        while self.length > 0 && !self.is_start() {
            let [_, b, c, d, e, f, g, h] = self.bytes;
            self.bytes = [b, c, d, e, f, g, h, 0];
            self.length -= 1;
        }
        None
    }

    /// Whether the bytes can be the start of a command.
    fn is_start(&self) -> bool {
        let received = self.bytes.iter().zip(START).take(self.length);
        self.length < COMMAND_BYTES && { received }.all(|(byte, start)| *byte == start)
    }
}

impl Default for CommandDecoder {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec::Vec;

    fn any_command() -> impl Strategy<Value = StreamCommand> {
        prop_oneof![
            Just(StreamCommand::Start),
            Just(StreamCommand::Stop),
            Just(StreamCommand::SendNames),
            (any::<u32>(), any::<bool>())
                .prop_map(|(groups, suppress)| StreamCommand::Filter { groups, suppress }),
            (any::<u32>(), any::<bool>())
                .prop_map(|(marker, suppress)| StreamCommand::FilterMarker { marker, suppress }),
            (any::<u8>(), any::<bool>())
                .prop_map(|(handler, suppress)| StreamCommand::FilterHandler { handler, suppress }),
            Just(StreamCommand::Snapshot),
        ]
    }

    fn decode(decoder: &mut CommandDecoder, bytes: &[u8]) -> Vec<StreamCommand> {
        bytes
            .iter()
            .filter_map(|byte| decoder.push(*byte))
            .collect()
    }

    proptest! {
        #[test]
        fn commands_are_decoded_after_any_bytes(
            commands in proptest::collection::vec(any_command(), 0..10),
            // Bytes that cannot end a command.
            noise in proptest::collection::vec(
                prop_oneof![Just(START[0]), 0..0x5C_u8, 0xC6..=0xFF_u8], 0..20),
        ) {
            let mut decoder = CommandDecoder::new();
            for command in commands {
                prop_assert_eq!(StreamCommand::from_bytes(command.to_bytes()), Some(command));
                prop_assert_eq!(decode(&mut decoder, &noise), []);
                prop_assert_eq!(decode(&mut decoder, &command.to_bytes()), [command]);
            }
        }

        #[test]
        fn any_bytes_are_taken(bytes: Vec<u8>) {
            let decoded = decode(&mut CommandDecoder::new(), &bytes).len();
            prop_assert!(decoded <= bytes.len() / COMMAND_BYTES);
        }

        #[test]
        fn damaged_commands_are_skipped(
            command in any_command(),
            at in 0..COMMAND_BYTES,
            change in 1_u8..,
        ) {
            let mut bytes = command.to_bytes();
            bytes[at] ^= change;
            prop_assert_eq!(StreamCommand::from_bytes(bytes), None);
            prop_assert_eq!(decode(&mut CommandDecoder::new(), &bytes), []);
        }
    }

    #[test]
    fn commands_with_unknown_numbers_are_skipped() {
        let unknown = [0xC5, 0x5C, 11, 0xD3, 0, 0, 0, 0];
        assert_eq!(sum(&unknown), SUM);
        let mut decoder = CommandDecoder::new();
        assert_eq!(decode(&mut decoder, &unknown), []);
        assert_eq!(
            decode(&mut decoder, &StreamCommand::Stop.to_bytes()),
            [StreamCommand::Stop]
        );
    }

    #[test]
    fn commands_have_a_check_byte() {
        for (command, start) in [
            (StreamCommand::Start, [0xC5, 0x5C, 1, 0xDD, 0, 0, 0, 0]),
            (StreamCommand::Snapshot, [0xC5, 0x5C, 10, 0xD4, 0, 0, 0, 0]),
            (
                StreamCommand::FilterMarker {
                    marker: 0x2000_1004,
                    suppress: true,
                },
                [0xC5, 0x5C, 6, 0xA4, 0x04, 0x10, 0x00, 0x20],
            ),
        ] {
            let bytes = command.to_bytes();
            assert_eq!(bytes, start);
            let sum = bytes.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte));
            assert_eq!(sum, 0xFF);
        }
    }
}
