//! What a stream begins with: the header, the source of timestamps and the table of entries.

use super::Layout;

/// The first word of a header, `\0FSP` on little-endian targets.
const IDENTIFIER: u32 = 0x5053_4600;

/// The format versions of the released recorders, 4.6 to 4.11.
const VERSIONS: core::ops::RangeInclusive<u16> = 0x0A..=0x0E;

/// The first version that writes the version of the platform before its name, and the period of
/// timestamps before their frequency.
const FIRST_WITH_NAME_LAST: u16 = 0x0D;

/// Option: addresses have 8 bytes.
const WIDE: u32 = 1 << 3;

/// Maximum numbers in the table: far more than recorders are configured for.
const MAX_ENTRIES: u64 = 1 << 16;
const MAX_SYMBOL_BYTES: u64 = 1 << 10;
const MAX_STATES: u64 = 16;

/// Why there is no header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeaderError {
    /// The bytes end within it.
    Incomplete,
    /// The bytes are something else.
    Damaged,
}

/// The types of timestamps.
pub mod timestamp_type {
    /// A counter of 32 bits that counts down.
    pub const FREE_RUNNING_DOWN: u32 = 2;
    /// The timer of the operating system's tick, counting up or down.
    pub const OS_TIMER_UP: u32 = 3;
    #[allow(missing_docs)] // See the one before.
    pub const OS_TIMER_DOWN: u32 = 4;
    /// A timer with a period, counting up or down.
    pub const CUSTOM_UP: u32 = 5;
    #[allow(missing_docs)] // See the one before.
    pub const CUSTOM_DOWN: u32 = 6;
}

/// The source of timestamps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimestampSource {
    /// See [`timestamp_type`].
    pub kind: u32,
    /// Ticks after which a timer starts again; 0 or 2^32 - 1 for a counter of 32 bits.
    pub period: u32,
    /// Ticks per second.
    pub frequency: u64,
    /// Ticks of the operating system per second.
    pub os_tick_frequency: u32,
}

/// The properties of an entry that its options show.
pub mod entry_option {
    // The names of the options.
    #![allow(missing_docs)]

    pub const HEAP: u32 = 1 << 31;
    pub const EXTENSION: u32 = 1 << 30;
    pub const STATE_MACHINE: u32 = 1 << 29;
    pub const STATE: u32 = 1 << 28;
    pub const INTERVAL_CHANNEL: u32 = 1 << 27;
    pub const COUNTER: u32 = 1 << 26;
    pub const INTERVAL_SET: u32 = 1 << 25;
    pub const IDLE_NAME: u32 = 1 << 24;
}

/// The start of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamHeader {
    /// How numbers are written.
    pub layout: Layout,
    /// The version of the format.
    pub version: u16,
    /// The kernel.
    pub platform: u16,
    /// The name of the recorder's port, padded with NUL.
    pub platform_name: [u8; 8],
    /// The version of the port: major, minor, patch.
    pub platform_version: [u16; 3],
    /// Number of cores; `None` if the version of the recorder does not record it.
    pub cores: Option<u8>,
    /// The source of timestamps.
    pub timestamps: TimestampSource,
    /// Number of entries in the table.
    pub entries: usize,
    /// Length of a symbol in bytes.
    symbol_bytes: usize,
    /// Number of states of an entry.
    states: usize,
    /// The position of the first entry.
    first_entry: usize,
}

/// A name in the table of entries, and what else it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The object.
    pub address: u64,
    /// What it has, such as a priority; what it is depends on the object.
    pub states: [u64; 3],
    /// See [`entry_option`].
    pub options: u32,
    /// Its name, without NUL.
    pub symbol: &'a [u8],
}

impl StreamHeader {
    /// Whether a header may begin here.
    #[inline]
    pub fn may_begin(bytes: &[u8]) -> bool {
        layout_at(bytes).is_some()
    }

    /// Reads the header, the source of timestamps and the size of the table. All of the table is
    /// in `bytes`.
    ///
    /// # Errors
    ///
    /// If the bytes are something else, or end within the table.
    pub fn read(bytes: &[u8]) -> Result<Self, HeaderError> {
        let header = Self::read_before_table(bytes)?;
        match bytes.len() < header.bytes() {
            true => Err(HeaderError::Incomplete),
            false => Ok(header),
        }
    }

    /// The same for bytes that may end within the table.
    ///
    /// # Errors
    ///
    /// If the bytes are something else, or end before the table.
    pub fn read_before_table(bytes: &[u8]) -> Result<Self, HeaderError> {
        let identifier = bytes.len().min(4);
        if identifier < 4 {
            let is_start = |whole: [u8; 4]| whole.starts_with(bytes);
            let may_be = is_start(IDENTIFIER.to_le_bytes()) || is_start(IDENTIFIER.to_be_bytes());
            return Err(match may_be {
                true => HeaderError::Incomplete,
                false => HeaderError::Damaged,
            });
        }
        let mut layout = layout_at(bytes).ok_or(HeaderError::Damaged)?;
        let u16 = |at| layout.u16(bytes, at).ok_or(HeaderError::Incomplete);
        let u32 = |at| layout.u32(bytes, at).ok_or(HeaderError::Incomplete);
        let version = u16(4)?;
        if !VERSIONS.contains(&version) {
            return Err(HeaderError::Damaged);
        }
        let (platform, options, cores) = (u16(6)?, u32(8)?, u32(12)?);
        let is_name_last = version >= FIRST_WITH_NAME_LAST;
        let (name_at, version_at) = if is_name_last { (24, 20) } else { (20, 28) };
        let name = bytes.get(name_at..name_at + 8);
        let name = name.and_then(|name| name.try_into().ok());
        let platform_name = name.ok_or(HeaderError::Incomplete)?;
        let byte = |at| bytes.get(at).copied().ok_or(HeaderError::Incomplete);
        let platform_version = [
            byte(version_at + 3)?.into(),
            byte(version_at + 2)?.into(),
            u16(version_at)?,
        ];
        let kind = u32(32)?;
        layout.is_wide = options & WIDE != 0;
        let word = |at| layout.word(bytes, at).ok_or(HeaderError::Incomplete);
        let u32 = |at| layout.u32(bytes, at).ok_or(HeaderError::Incomplete);
        let width = layout.word_bytes();
        let (period, frequency) = match is_name_last {
            true => (u32(36)?, word(40)?),
            false => (u32(36 + width)?, word(36)?),
        };
        let table = 56 + width;
        let os_tick_frequency = u32(44 + width)?;
        let [entries, symbol_bytes, states] =
            [word(table)?, word(table + width)?, word(table + 2 * width)?];
        let is_sound = (1..=6).contains(&kind)
            && entries <= MAX_ENTRIES
            && symbol_bytes <= MAX_SYMBOL_BYTES
            && states <= MAX_STATES;
        if !is_sound {
            return Err(HeaderError::Damaged);
        }
        Ok(Self {
            layout,
            version,
            platform,
            platform_name,
            platform_version,
            cores: Some(cores as u8).filter(|cores| *cores > 0),
            timestamps: TimestampSource {
                kind,
                period,
                frequency,
                os_tick_frequency,
            },
            entries: entries as usize,
            symbol_bytes: symbol_bytes as usize,
            states: states as usize,
            first_entry: table + 3 * width,
        })
    }

    /// The length in bytes, up to the table.
    pub const fn bytes_before_table(&self) -> usize {
        self.first_entry
    }

    /// The length in bytes, up to the end of the table.
    pub const fn bytes(&self) -> usize {
        self.first_entry + self.entries * self.entry_bytes()
    }

    /// Writes the header and a table of these entries, whose symbols are cut to `symbol_bytes`, as
    /// the last version of the format has them.
    pub fn write<'a>(
        &self,
        symbol_bytes: u32,
        entries: impl ExactSizeIterator<Item = Entry<'a>>,
        mut put: impl FnMut(&[u8]),
    ) {
        let layout = self.layout;
        let mut put_number = |number: u64, width: usize| match layout.is_big_endian {
            true => put(number.to_be_bytes().get(8 - width..).unwrap_or_default()),
            false => put(number.to_le_bytes().get(..width).unwrap_or_default()),
        };
        let [major, minor, patch] = self.platform_version;
        let name = u64::from_be_bytes(self.platform_name);
        let name = if layout.is_big_endian {
            name
        } else {
            name.swap_bytes()
        };
        let width = layout.word_bytes();
        let source = self.timestamps;
        let numbers = [
            (IDENTIFIER.into(), 4),
            ((*VERSIONS.end()).into(), 2),
            (self.platform.into(), 2),
            (if layout.is_wide { WIDE.into() } else { 0 }, 4),
            (self.cores.unwrap_or(0).into(), 4),
            (0, 4),
            (patch.into(), 2),
            (minor.into(), 1),
            (major.into(), 1),
            (name, 8),
            (source.kind.into(), 4),
            (source.period.into(), 4),
            (source.frequency, width),
            (0, 4),
            (source.os_tick_frequency.into(), 4),
            (0, 4),
            (0, 4),
            (entries.len() as u64, width),
            (symbol_bytes.into(), width),
            (3, width),
        ];
        for (number, width) in numbers {
            put_number(number, width);
        }
        for entry in entries {
            put_number(entry.address, width);
            entry.states.iter().for_each(|it| put_number(*it, width));
            put_number(entry.options.into(), 4);
            for place in 0..symbol_bytes as usize {
                put_number(entry.symbol.get(place).copied().unwrap_or(0).into(), 1);
            }
        }
    }

    const fn entry_bytes(&self) -> usize {
        (1 + self.states) * self.layout.word_bytes() + 4 + self.symbol_bytes
    }

    /// The entries of the table in `bytes`, which begin with the header. Unused ones have the
    /// address 0.
    pub fn entries<'a>(&self, bytes: &'a [u8]) -> impl Iterator<Item = Entry<'a>> {
        let header = *self;
        (0..self.entries).map_while(move |number| {
            let start = header.first_entry + number * header.entry_bytes();
            let width = header.layout.word_bytes();
            let mut states = [0; 3];
            for (place, state) in states.iter_mut().enumerate().take(header.states) {
                *state = header.layout.word(bytes, start + (1 + place) * width)?;
            }
            let options_at = start + (1 + header.states) * width;
            let symbol = bytes.get(options_at + 4..)?.get(..header.symbol_bytes)?;
            Some(Entry {
                address: header.layout.word(bytes, start)?,
                states,
                options: header.layout.u32(bytes, options_at)?,
                symbol: text(symbol),
            })
        })
    }
}

/// What precedes the first NUL.
fn text(bytes: &[u8]) -> &[u8] {
    bytes.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// The byte order of the header at the start of `bytes`.
fn layout_at(bytes: &[u8]) -> Option<Layout> {
    let first = bytes.get(..4)?.try_into().ok()?;
    let is_big_endian = u32::from_be_bytes(first) == IDENTIFIER;
    (is_big_endian || u32::from_le_bytes(first) == IDENTIFIER).then_some(Layout {
        is_big_endian,
        is_wide: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A header with one entry. `is_old` for version 10, which has the name first.
    fn header(is_old: bool) -> [u8; 60 + 12 + 16 + 4 + 4] {
        let mut bytes = [0; 96];
        let mut put = |at: usize, data: &[u8]| bytes[at..at + data.len()].copy_from_slice(data);
        put(0, &IDENTIFIER.to_be_bytes());
        put(4, &[0, if is_old { 0x0A } else { 0x0E }, 0x1A, 0xA1]);
        put(15, &[2]);
        let version = [0, 3, 2, 1];
        put(
            20,
            if is_old {
                b"FreeRTOS"
            } else {
                &[0, 3, 2, 1, 0, 0, 0, 0]
            },
        );
        if is_old {
            put(28, &version);
            put(36, &25_u32.to_be_bytes());
            put(40, &7_u32.to_be_bytes());
        } else {
            put(24, b"FreeRTOS");
            put(36, &7_u32.to_be_bytes());
            put(40, &25_u32.to_be_bytes());
        }
        put(35, &[1]);
        put(60, &[0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 3]);
        put(72, &[0x20, 0, 0, 1, 0, 0, 0, 9]);
        put(92, b"name");
        bytes
    }

    #[test]
    fn both_orders_of_fields_are_read() {
        for is_old in [false, true] {
            let bytes = header(is_old);
            let header = StreamHeader::read(&bytes).unwrap();
            assert_eq!(header.platform, 0x1AA1);
            assert_eq!(&header.platform_name, b"FreeRTOS");
            assert_eq!(
                (header.cores, header.platform_version),
                (Some(2), [1, 2, 3])
            );
            let TimestampSource {
                period, frequency, ..
            } = header.timestamps;
            assert_eq!((period, frequency), (7, 25));
            let entry = header.entries(&bytes).next().unwrap();
            assert_eq!(entry.symbol, b"name");
            assert_eq!((entry.address, entry.states[0]), (0x2000_0001, 9));
        }
    }

    #[test]
    fn a_written_header_is_read_again() {
        for is_big_endian in [false, true] {
            for is_wide in [false, true] {
                let mut header = StreamHeader::read(&header(false)).unwrap();
                header.layout = Layout {
                    is_big_endian,
                    is_wide,
                };
                let entry = Entry {
                    address: 0x20,
                    states: [1, 2, 3],
                    options: 4,
                    symbol: b"a name",
                };
                let mut bytes = std::vec::Vec::new();
                header.write(6, [entry].into_iter(), |it| bytes.extend_from_slice(it));
                let again = StreamHeader::read(&bytes).unwrap();
                assert_eq!(again.bytes(), bytes.len());
                assert_eq!(again.timestamps, header.timestamps);
                assert_eq!(again.platform_name, header.platform_name);
                assert_eq!(again.entries(&bytes).next(), Some(entry));
            }
        }
    }

    #[test]
    fn a_header_is_whole() {
        let bytes = header(false);
        for end in 0..bytes.len() {
            assert_eq!(
                StreamHeader::read(&bytes[..end]),
                Err(HeaderError::Incomplete),
                "{end}"
            );
        }
        for (at, value) in [(0, 1), (4, 9), (35, 7), (60, 1)] {
            let mut damaged = bytes;
            damaged[at] = value;
            assert_eq!(
                StreamHeader::read(&damaged),
                Err(HeaderError::Damaged),
                "{at}"
            );
        }
    }
}
