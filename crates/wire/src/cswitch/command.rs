//! Commands of the host for a recorder that sends packed entries.
//!
//! A command has [`COMMAND_BYTES`]: 0xC5 and 0x5C, the number of the command, a byte that
//! makes the sum of all bytes 0xFF modulo 256, and an operand of 32 bits, least significant
//! byte first. The recorder skips other bytes, and does not answer; an
//! [`EntryKind::Filter`](super::EntryKind::Filter) shows the groups that it suppresses.

/// Length of a command.
pub const COMMAND_BYTES: usize = 8;

const START: [u8; 2] = [0xC5, 0x5C];

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
        let sum = [first, second, number, a, b, c, d]
            .iter()
            .fold(0_u8, |sum, byte| sum.wrapping_add(*byte));
        [first, second, number, 0xFF_u8.wrapping_sub(sum), a, b, c, d]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
