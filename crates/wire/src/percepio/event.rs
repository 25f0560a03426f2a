//! Events.

use super::Layout;

/// The start of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventHeader {
    /// What happened; what the number means depends on the kernel.
    pub code: u16,
    /// Number of words that follow.
    pub parameters: u8,
    /// Number of events so far, modulo 2^16. With several cores, the upper 4 bits are the core,
    /// and the others count the events of the core.
    pub count: u16,
    /// See [`TimestampSource`](super::TimestampSource).
    pub timestamp: u32,
}

impl EventHeader {
    /// Its length in bytes.
    pub const BYTES: usize = 8;

    /// Reads the start of an event; `None` if the bytes end within it.
    #[inline]
    pub fn read(bytes: &[u8], layout: Layout) -> Option<Self> {
        let first = layout.u16(bytes, 0)?;
        Some(Self {
            code: first & 0xFFF,
            parameters: (first >> 12) as u8,
            count: layout.u16(bytes, 2)?,
            timestamp: layout.u32(bytes, 4)?,
        })
    }

    /// The length of the event in bytes.
    #[inline]
    pub const fn event_bytes(&self, layout: Layout) -> usize {
        Self::BYTES + self.parameters as usize * layout.word_bytes()
    }
}

/// Maximum length of an event in bytes.
pub const MAX_EVENT_BYTES: usize = EventHeader::BYTES + 15 * 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_in_the_order_of_the_target() {
        let bytes = [0x37, 0x20, 5, 0, 1, 2, 3, 4];
        let event = EventHeader::read(&bytes, Layout::default()).unwrap();
        assert_eq!((event.code, event.parameters, event.count), (0x37, 2, 5));
        assert_eq!(event.timestamp, 0x0403_0201);
        let wide = Layout {
            is_big_endian: true,
            is_wide: true,
        };
        let event = EventHeader::read(&[0x20, 0x37, 0, 5, 4, 3, 2, 1], wide).unwrap();
        assert_eq!((event.code, event.parameters, event.count), (0x37, 2, 5));
        assert_eq!(
            (event.timestamp, event.event_bytes(wide)),
            (0x0403_0201, 24)
        );
        assert_eq!(EventHeader::read(&bytes[..7], wide), None);
    }
}
