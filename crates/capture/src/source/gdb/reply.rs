//! Replies of stubs.

use super::packet::from_hexadecimal;

/// The kind of a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StubReply {
    /// The target stopped.
    Stop(StopReason),
    /// Output of the target.
    Output,
    /// The reply to a request.
    Other,
}

/// Why the target stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StopReason {
    /// With a signal; 2 after an interrupt.
    Signal(u8),
    /// Its program ended.
    Ended,
}

impl StubReply {
    /// No reply to a request of this crate starts like the other kinds.
    pub(super) fn classify(packet: &[u8]) -> Self {
        let signal = |digits: &[u8]| match from_hexadecimal(digits).as_deref() {
            Some([signal]) => Some(Self::Stop(StopReason::Signal(*signal))),
            _ => None,
        };
        let kind = match packet {
            [b'T', high, low, ..] => signal(&[*high, *low]),
            [b'S', high, low] => signal(&[*high, *low]),
            [b'W' | b'X', _, _, ..] => Some(Self::Stop(StopReason::Ended)),
            [b'O', b'K'] => None,
            [b'O', ..] => Some(Self::Output),
            _ => None,
        };
        kind.unwrap_or(Self::Other)
    }
}

/// Features of a stub.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StubFeatures {
    /// Maximum number of characters in a packet.
    pub(super) packet_bytes: usize,
    /// Whether it supports no-ack mode.
    pub(super) supports_no_ack_mode: bool,
    /// Whether it provides a memory map.
    pub(super) has_memory_map: bool,
    /// Whether it supports binary memory reads.
    pub(super) has_binary_read: bool,
}

impl Default for StubFeatures {
    fn default() -> Self {
        Self {
            // The minimum of any stub that accepts the registers of a processor.
            packet_bytes: 256,
            supports_no_ack_mode: false,
            has_memory_map: false,
            has_binary_read: false,
        }
    }
}

/// Maximum packet length for a stub without a limit.
const MAX_PACKET_LEN: usize = 64 << 10;

impl StubFeatures {
    /// Parses the reply to `qSupported`.
    pub(super) fn parse(answer: &[u8]) -> Self {
        let mut features = Self::default();
        for feature in answer.split(|byte| *byte == b';') {
            match feature {
                b"QStartNoAckMode+" => features.supports_no_ack_mode = true,
                b"qXfer:memory-map:read+" => features.has_memory_map = true,
                b"binary-upload+" => features.has_binary_read = true,
                _ => {
                    let size = feature.strip_prefix(b"PacketSize=");
                    let size = size.and_then(|digits| std::str::from_utf8(digits).ok());
                    let size = size.and_then(|digits| usize::from_str_radix(digits, 16).ok());
                    if let Some(size) = size {
                        features.packet_bytes = size.clamp(32, MAX_PACKET_LEN);
                    }
                }
            }
        }
        features
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_classified() {
        let stop = |signal| StubReply::Stop(StopReason::Signal(signal));
        for (packet, reply) in [
            ("T05thread:01;", stop(5)),
            ("S02", stop(2)),
            ("W00", StubReply::Stop(StopReason::Ended)),
            ("X09;process:1", StubReply::Stop(StopReason::Ended)),
            ("O48656c6c6f", StubReply::Output),
            ("OK", StubReply::Other),
            ("", StubReply::Other),
            ("E01", StubReply::Other),
            ("S", StubReply::Other),
            ("T0", StubReply::Other),
            ("Txx", StubReply::Other),
            ("00000000", StubReply::Other),
        ] {
            assert_eq!(StubReply::classify(packet.as_bytes()), reply, "{packet}");
        }
    }

    #[test]
    fn features_are_parsed() {
        let qemu = b"PacketSize=1000;qXfer:features:read+;vContSupported+;multiprocess+";
        assert_eq!(
            StubFeatures::parse(qemu),
            StubFeatures {
                packet_bytes: 0x1000,
                ..StubFeatures::default()
            }
        );
        let others = b"qXfer:memory-map:read+;QStartNoAckMode+;binary-upload+;PacketSize=ffffff";
        let all = StubFeatures {
            packet_bytes: MAX_PACKET_LEN,
            supports_no_ack_mode: true,
            has_memory_map: true,
            has_binary_read: true,
        };
        assert_eq!(StubFeatures::parse(others), all);
        let odd = b"PacketSize=-1;;QStartNoAckMode-;PacketSize=fffffffffffffffff";
        assert_eq!(StubFeatures::parse(odd), StubFeatures::default());
        assert_eq!(StubFeatures::parse(b"PacketSize=0").packet_bytes, 32);
    }
}
