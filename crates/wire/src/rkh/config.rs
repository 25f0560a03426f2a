//! The firmware's configuration, which determines the layout of its trace.

use super::Dialect;

/// The size of a number on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FieldWidth {
    /// 1 byte.
    One,
    /// 2 bytes.
    Two,
    /// 4 bytes.
    Four,
}

impl FieldWidth {
    /// All widths, the smallest first.
    pub const ALL: [Self; 3] = [Self::One, Self::Two, Self::Four];

    /// The size in bytes: 1, 2 or 4.
    #[inline]
    pub const fn bytes(self) -> usize {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Four => 4,
        }
    }

    /// The width for a number of bytes; `None` unless it is 1, 2 or 4.
    pub const fn from_bytes(bytes: u8) -> Option<Self> {
        match bytes {
            1 => Some(Self::One),
            2 => Some(Self::Two),
            4 => Some(Self::Four),
            _ => None,
        }
    }

    /// The largest number of this width.
    pub const fn max(self) -> u32 {
        match self {
            Self::One => 0xFF,
            Self::Two => 0xFFFF,
            Self::Four => 0xFFFF_FFFF,
        }
    }
}

/// The sizes and switches that a reader needs to decode a record.
///
/// A stream contains all of them except [`function`](Self::function) and
/// [`checksum_covers_timestamp`](Self::checksum_covers_timestamp) in its
/// [`TargetConfiguration`](super::TargetConfiguration). If a stream has none, the user
/// provides them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct StreamConfiguration {
    /// `nseq`: records have a sequence number (`RKH_CFG_TRC_NSEQ_EN`).
    pub sequence: bool,
    /// `tstamp`: records have a timestamp (`RKH_CFG_TRC_TSTAMP_EN`), and `tssize`: its
    /// size (`RKH_CFGPORT_TRC_SIZEOF_TSTAMP`).
    pub timestamp: Option<FieldWidth>,
    /// `chk`: frames end with a checksum (`RKH_CFG_TRC_CHK_EN`).
    pub checksum: bool,
    /// `chkts`: the checksum covers the timestamp, as in the code of RKH. The description
    /// of the format in `rkhtrc.h` omits it.
    pub checksum_covers_timestamp: bool,
    /// `id`: size of an event's id (`RKH_CFG_TRC_SIZEOF_TE_ID`, fixed to one byte in
    /// unmodified sources of RKH).
    pub id: FieldWidth,
    /// `sig`: size of a signal (`RKH_CFG_FWK_SIZEOF_EVT`).
    pub signal: FieldWidth,
    /// `ptr`: size of an object's address (`RKH_CFGPORT_TRC_SIZEOF_PTR`). RKH never sends
    /// one byte: it sends four bytes instead.
    pub pointer: FieldWidth,
    /// `fun`: size of a function's address (`RKH_CFGPORT_TRC_SIZEOF_FUN_PTR`). RKH sends
    /// four bytes if it is set to one.
    pub function: FieldWidth,
    /// `ntimer`: size of a tick count (`RKH_CFG_TMR_SIZEOF_NTIMER`).
    pub timer_ticks: FieldWidth,
    /// `nblock`: size of a block count (`RKH_CFG_MP_SIZEOF_NBLOCK`).
    pub block_count: FieldWidth,
    /// `bsize`: size of a block's size (`RKH_CFG_MP_SIZEOF_BSIZE`).
    pub block_size: FieldWidth,
    /// `nelem`: size of a count of queue elements (`RKH_CFG_QUE_SIZEOF_NELEM`).
    pub element_count: FieldWidth,
    /// `esize`: size of an event's size (`RKH_CFG_FWK_SIZEOF_EVT_SIZE`).
    pub event_size: FieldWidth,
    /// `sender`: posts contain the sender of the event (`RKH_CFG_SMA_TRC_SNDR_EN`).
    pub sender: bool,
    /// `quelwm`: queues record their low-water mark, the minimum of free elements
    /// (`RKH_CFG_QUE_GET_LWMARK_EN`).
    pub queue_low_water: bool,
    /// `mplwm`: pools record their low-water mark, the minimum of free blocks
    /// (`RKH_CFG_MP_GET_LWM_EN`).
    pub pool_low_water: bool,
    /// The set of records and their arguments.
    pub dialect: Dialect,
}

/// A named setting of a [`StreamConfiguration`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConfigurationKey {
    /// The name.
    pub name: &'static str,
    /// The option of RKH, in which sizes are in bits; empty if RKH has none.
    pub option: &'static str,
    /// A short description.
    pub description: &'static str,
    /// Whether the setting is a switch, 0 or 1, rather than a size in bytes.
    pub is_switch: bool,
}

const fn switch_key(
    name: &'static str,
    option: &'static str,
    meaning: &'static str,
) -> ConfigurationKey {
    ConfigurationKey {
        name,
        option,
        description: meaning,
        is_switch: true,
    }
}

const fn size_key(
    name: &'static str,
    option: &'static str,
    meaning: &'static str,
) -> ConfigurationKey {
    ConfigurationKey {
        is_switch: false,
        ..switch_key(name, option, meaning)
    }
}

/// All settings, in an order in which they can be applied one by one: `tssize` has no
/// effect before `tstamp` is set.
pub const CONFIGURATION_KEYS: [ConfigurationKey; 17] = [
    switch_key(
        "nseq",
        "RKH_CFG_TRC_NSEQ_EN",
        "records have a sequence number",
    ),
    switch_key(
        "tstamp",
        "RKH_CFG_TRC_TSTAMP_EN",
        "records have a timestamp",
    ),
    size_key("tssize", "RKH_CFGPORT_TRC_SIZEOF_TSTAMP", "a timestamp"),
    switch_key("chk", "RKH_CFG_TRC_CHK_EN", "frames have a checksum"),
    switch_key("chkts", "", "the checksum covers the timestamp"),
    size_key("id", "RKH_CFG_TRC_SIZEOF_TE_ID", "an event's id"),
    size_key("sig", "RKH_CFG_FWK_SIZEOF_EVT", "a signal"),
    size_key("ptr", "RKH_CFGPORT_TRC_SIZEOF_PTR", "an object's address"),
    size_key(
        "fun",
        "RKH_CFGPORT_TRC_SIZEOF_FUN_PTR",
        "a function's address",
    ),
    size_key("ntimer", "RKH_CFG_TMR_SIZEOF_NTIMER", "a tick count"),
    size_key("nblock", "RKH_CFG_MP_SIZEOF_NBLOCK", "a block count"),
    size_key("bsize", "RKH_CFG_MP_SIZEOF_BSIZE", "a block's size"),
    size_key(
        "nelem",
        "RKH_CFG_QUE_SIZEOF_NELEM",
        "a count of queue elements",
    ),
    size_key("esize", "RKH_CFG_FWK_SIZEOF_EVT_SIZE", "an event's size"),
    switch_key("sender", "RKH_CFG_SMA_TRC_SNDR_EN", "posts have a sender"),
    switch_key(
        "quelwm",
        "RKH_CFG_QUE_GET_LWMARK_EN",
        "queues have low-water marks",
    ),
    switch_key(
        "mplwm",
        "RKH_CFG_MP_GET_LWM_EN",
        "pools have low-water marks",
    ),
];

/// Why a setting is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConfigurationError {
    /// No setting has this name; [`CONFIGURATION_KEYS`] lists all of them.
    UnknownKey,
    /// A switch is neither 0 nor 1.
    Switch {
        /// The setting.
        key: &'static str,
        /// The invalid value.
        value: u32,
    },
    /// A size is not 1, 2 or 4.
    Size {
        /// The setting.
        key: &'static str,
        /// The invalid value.
        value: u32,
    },
}

crate::error_messages::messages! {
    ConfigurationError {
        UnknownKey => "unknown setting of an RKH trace",
        Switch { key, value } => "{key} is a switch: it must be 0 or 1, not {value}",
        Size { key, value } => "{key} is a size in bytes: it must be 1, 2 or 4, not {value}",
    }
}

impl StreamConfiguration {
    /// Sets a value by the name of its key: 0 or 1, or a size in bytes.
    ///
    /// `tstamp` = 1 adds a timestamp of 4 bytes if there is none. `tssize` has no effect
    /// without a timestamp.
    pub fn set(&mut self, key: &str, value: u32) -> Result<(), ConfigurationError> {
        let key = CONFIGURATION_KEYS
            .iter()
            .find(|setting| setting.name == key)
            .ok_or(ConfigurationError::UnknownKey)?;
        match self.field_mut(key.name) {
            Some(FieldMut::Switch(switch)) => *switch = parse_switch(key.name, value)?,
            Some(FieldMut::Size(size)) => *size = parse_size(key.name, value)?,
            None if key.is_switch => {
                let present = parse_switch(key.name, value)?;
                self.timestamp = present.then(|| self.timestamp.unwrap_or(FieldWidth::Four));
            }
            None => {
                let size = parse_size(key.name, value)?;
                self.timestamp = self.timestamp.map(|_| size);
            }
        }
        Ok(())
    }

    /// The value of a key: 0 or 1, or a size in bytes; `tssize` is 0 without a timestamp.
    /// `None` if the key does not exist.
    pub fn get(&self, key: &str) -> Option<u32> {
        let mut copy = *self;
        match copy.field_mut(key) {
            Some(FieldMut::Switch(switch)) => Some(u32::from(*switch)),
            Some(FieldMut::Size(size)) => Some(size.bytes() as u32),
            None => match key {
                "tstamp" => Some(u32::from(self.timestamp.is_some())),
                "tssize" => Some(self.timestamp.map_or(0, FieldWidth::bytes) as u32),
                _ => None,
            },
        }
    }

    /// The field that belongs to one key only: all except the two keys of the timestamp.
    fn field_mut(&mut self, key: &str) -> Option<FieldMut<'_>> {
        Some(match key {
            "nseq" => FieldMut::Switch(&mut self.sequence),
            "chk" => FieldMut::Switch(&mut self.checksum),
            "chkts" => FieldMut::Switch(&mut self.checksum_covers_timestamp),
            "id" => FieldMut::Size(&mut self.id),
            "sig" => FieldMut::Size(&mut self.signal),
            "ptr" => FieldMut::Size(&mut self.pointer),
            "fun" => FieldMut::Size(&mut self.function),
            "ntimer" => FieldMut::Size(&mut self.timer_ticks),
            "nblock" => FieldMut::Size(&mut self.block_count),
            "bsize" => FieldMut::Size(&mut self.block_size),
            "nelem" => FieldMut::Size(&mut self.element_count),
            "esize" => FieldMut::Size(&mut self.event_size),
            "sender" => FieldMut::Switch(&mut self.sender),
            "quelwm" => FieldMut::Switch(&mut self.queue_low_water),
            "mplwm" => FieldMut::Switch(&mut self.pool_low_water),
            _ => return None,
        })
    }

    /// Length of a record's fields before its arguments, in bytes, unless it is
    /// [`headerless`](super::RecordSpec::headerless).
    #[inline]
    pub const fn header_len(&self) -> usize {
        let timestamp = match self.timestamp {
            Some(width) => width.bytes(),
            None => 0,
        };
        self.id.bytes() + self.sequence as usize + timestamp
    }

    /// Whether the checksum omits bytes of the frame: those of a timestamp.
    #[inline]
    pub const fn has_uncovered_timestamp(&self) -> bool {
        self.checksum && !self.checksum_covers_timestamp && self.timestamp.is_some()
    }

    /// The size of an object's address on the wire: 2 or 4 bytes.
    #[inline]
    pub const fn address_width(&self) -> FieldWidth {
        wire_width(self.pointer)
    }

    /// The size of a function's address on the wire: 2 or 4 bytes.
    #[inline]
    pub const fn function_width(&self) -> FieldWidth {
        wire_width(self.function)
    }
}

enum FieldMut<'a> {
    Switch(&'a mut bool),
    Size(&'a mut FieldWidth),
}

const fn parse_switch(key: &'static str, value: u32) -> Result<bool, ConfigurationError> {
    match value {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(ConfigurationError::Switch { key, value }),
    }
}

fn parse_size(key: &'static str, value: u32) -> Result<FieldWidth, ConfigurationError> {
    u8::try_from(value)
        .ok()
        .and_then(FieldWidth::from_bytes)
        .ok_or(ConfigurationError::Size { key, value })
}

/// `RKH_TRC_SYM` and `RKH_TRC_FUN` support 16 bits, and send 32 bits in all other cases.
const fn wire_width(pointer: FieldWidth) -> FieldWidth {
    match pointer {
        FieldWidth::Two => FieldWidth::Two,
        FieldWidth::One | FieldWidth::Four => FieldWidth::Four,
    }
}

impl StreamConfiguration {
    /// The defaults of RKH's host tool without a configuration. For settings that the
    /// tool does not have (`id`, `chkts`, `fun`, `bsize`, `quelwm`, `mplwm`), RKH's own
    /// defaults.
    pub const DEFAULT: Self = Self {
        sequence: true,
        timestamp: Some(FieldWidth::Four),
        checksum: true,
        checksum_covers_timestamp: true,
        id: FieldWidth::One,
        signal: FieldWidth::One,
        pointer: FieldWidth::Four,
        function: FieldWidth::Four,
        timer_ticks: FieldWidth::Two,
        block_count: FieldWidth::One,
        block_size: FieldWidth::One,
        element_count: FieldWidth::One,
        event_size: FieldWidth::Two,
        sender: false,
        queue_low_water: false,
        pool_low_water: false,
        dialect: Dialect::V3,
    };
}

impl Default for StreamConfiguration {
    /// [`StreamConfiguration::DEFAULT`].
    fn default() -> Self {
        Self::DEFAULT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_set_by_key_are_read_back() {
        for key in CONFIGURATION_KEYS {
            let mut configuration = StreamConfiguration::default();
            let values: &[u32] = if key.is_switch { &[0, 1] } else { &[1, 2, 4] };
            for value in values {
                configuration.set(key.name, *value).unwrap();
                assert_eq!(configuration.get(key.name), Some(*value), "{}", key.name);
            }
            for other in CONFIGURATION_KEYS
                .iter()
                .filter(|other| other.name != key.name)
            {
                let unchanged =
                    configuration.get(other.name) == StreamConfiguration::default().get(other.name);
                assert!(unchanged, "{} changed {}", key.name, other.name);
            }
        }
    }

    #[test]
    fn wrong_keys_and_values_are_rejected() {
        let mut configuration = StreamConfiguration::default();
        assert_eq!(configuration.get("rtfil"), None);
        assert_eq!(
            configuration.set("rtfil", 1),
            Err(ConfigurationError::UnknownKey)
        );
        let switch = ConfigurationError::Switch {
            key: "chk",
            value: 2,
        };
        assert_eq!(configuration.set("chk", 2), Err(switch));
        for value in [0, 3, 8, 257, u32::MAX] {
            let size = ConfigurationError::Size { key: "sig", value };
            assert_eq!(configuration.set("sig", value), Err(size));
        }
        assert_eq!(configuration, StreamConfiguration::default());
    }

    #[test]
    fn a_timestamp_keeps_its_size_and_needs_its_switch() {
        let mut configuration = StreamConfiguration::default();
        configuration.set("tssize", 2).unwrap();
        configuration.set("tstamp", 1).unwrap();
        assert_eq!(configuration.timestamp, Some(FieldWidth::Two));
        configuration.set("tstamp", 0).unwrap();
        configuration.set("tssize", 1).unwrap();
        assert_eq!(configuration.timestamp, None);
        assert_eq!(configuration.get("tssize"), Some(0));
        configuration.set("tstamp", 1).unwrap();
        assert_eq!(configuration.timestamp, Some(FieldWidth::Four));
    }
}
