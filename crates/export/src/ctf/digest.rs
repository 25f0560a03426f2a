//! Trace UUIDs, computed from the contents.

use std::fmt;

/// A non-cryptographic digest of bytes: equal for equal bytes, and good enough to
/// distinguish recordings that were not crafted to collide.
#[derive(Debug, Clone, Copy)]
pub(super) struct TraceDigest(u64);

/// The UUID of a trace or clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Uuid([u8; 16]);

/// An odd number with well distributed bits: 2^64 divided by the golden ratio.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

impl TraceDigest {
    /// Creates the digest of no bytes.
    pub(super) fn new() -> Self {
        Self(FACTOR)
    }

    /// Appends bytes.
    pub(super) fn update(&mut self, bytes: &[u8]) {
        self.mix(bytes.len() as u64);
        let (words, rest) = bytes.as_chunks();
        for word in words {
            self.mix(u64::from_le_bytes(*word));
        }
        for byte in rest {
            self.mix(u64::from(*byte));
        }
    }

    fn mix(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(FACTOR).rotate_left(29);
    }

    /// The UUID for this digest; `what` distinguishes different things with equal
    /// digests.
    pub(super) fn uuid(mut self, purpose: &str) -> Uuid {
        self.update(purpose.as_bytes());
        let high = self.0;
        self.update(&high.to_le_bytes());
        let mut bytes = [0; 16];
        let (first, second) = bytes.split_at_mut(8);
        first.copy_from_slice(&high.to_be_bytes());
        second.copy_from_slice(&self.0.to_be_bytes());
        // RFC 9562, section 5.8: version 8 is for custom schemes.
        bytes[6] = bytes[6] & 0x0F | 0x80;
        bytes[8] = bytes[8] & 0x3F | 0x80;
        Uuid(bytes)
    }

    /// The digest as bytes.
    pub(super) fn to_bytes(self) -> [u8; 8] {
        self.0.to_le_bytes()
    }
}

impl fmt::Display for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (byte, place) in self.0.iter().zip(0..) {
            if matches!(place, 4 | 6 | 8 | 10) {
                f.write_str("-")?;
            }
            write!(f, "{byte:02x}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uuids_differ_with_the_contents() {
        let identity = |content: &[u8], purpose| {
            let mut digest = TraceDigest::new();
            digest.update(content);
            digest.uuid(purpose).to_string()
        };
        let one = identity(b"recording", "events");
        assert_eq!(one, identity(b"recording", "events"));
        assert_ne!(one, identity(b"recordinG", "events"));
        assert_ne!(one, identity(b"recording\0", "events"));
        assert_ne!(one, identity(b"recording", "schedule"));
        assert_eq!(one.len(), 36);
        assert_eq!(one.as_bytes()[14], b'8');
    }
}
