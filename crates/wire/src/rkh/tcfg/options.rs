use crate::rkh::Dialect;

/// A version of RKH (`RKH_VERSION_CODE`): one hexadecimal digit each for major and minor,
/// two for the patch. 0x3400 is 3.4.00.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RkhVersion(pub u16);

impl RkhVersion {
    /// The dialect of this version; `None` unless it is RKH 2 or 3.
    pub const fn dialect(self) -> Option<Dialect> {
        Some(match self.0 {
            0x2000..=0x22FF => Dialect::Flat,
            0x2300..=0x2402 => Dialect::V2_3,
            0x2403 => Dialect::V2_4_3,
            0x2404 => Dialect::V2_4_4,
            0x2405..=0x2FFF => Dialect::V2_4_5,
            0x3000..=0x3FFF => Dialect::V3,
            _ => return None,
        })
    }
}

impl core::fmt::Display for RkhVersion {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self(code) = self;
        let (major, minor) = (code >> 12, code >> 8 & 0x0F);
        write!(formatter, "{major:x}.{minor:x}.{:02x}", code & 0xFF)
    }
}

/// The switches of a firmware's configuration, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TargetOptions(pub u32);

macro_rules! options {
    ($($bit:literal $constant:ident $option:literal $doc:literal)*) => {
        impl TargetOptions {
            $(
                #[doc = concat!($doc, " (`", $option, "`).")]
                pub const $constant: u32 = 1 << $bit;
            )*

            /// All switches by name: RKH's option and its bit, the lowest first.
            pub const NAMES: [(&'static str, u32); [$($bit),*].len()] = [
                $(($option, Self::$constant)),*
            ];
        }
    };
}

options! {
    0 SENDER "RKH_CFG_SMA_TRC_SNDR_EN" "Posts contain the sender"
    1 FILTER "RKH_CFG_TRC_RTFIL_EN" "The target filters at run time"
    2 USER "RKH_CFG_TRC_USER_TRACE_EN" "Applications send user records"
    3 ALL "RKH_CFG_TRC_ALL_EN" "Every group is traced, regardless of the groups' switches"
    4 POOLS "RKH_CFG_TRC_MP_EN" "Memory pools are traced"
    5 QUEUES "RKH_CFG_TRC_QUE_EN" "Queues are traced"
    6 OBJECTS "RKH_CFG_TRC_SMA_EN" "Active objects are traced"
    7 TIMERS "RKH_CFG_TRC_TMR_EN" "Timers are traced"
    8 MACHINES "RKH_CFG_TRC_SM_EN" "State machines are traced"
    9 FRAMEWORK "RKH_CFG_TRC_FWK_EN" "The framework is traced"
    10 ASSERTIONS "RKH_CFG_TRC_ASSERT_EN" "Assertions are traced"
    11 QUEUE_LOW_WATER "RKH_CFG_QUE_GET_LWMARK_EN" "Queues send their low-water marks"
    12 POOL_LOW_WATER "RKH_CFG_MP_GET_LWM_EN" "Pools send their low-water marks"
    13 OBJECT_FILTER "RKH_CFG_TRC_RTFIL_SMA_EN" "The filter checks active objects"
    14 SIGNAL_FILTER "RKH_CFG_TRC_RTFIL_SIGNAL_EN" "The filter checks signals"
    15 SEQUENCE "RKH_CFG_TRC_NSEQ_EN" "Records have a sequence number"
    16 TIMESTAMP "RKH_CFG_TRC_TSTAMP_EN" "Records have a timestamp"
    17 CHECKSUM "RKH_CFG_TRC_CHK_EN" "Frames have a checksum"
}

impl TargetOptions {
    /// Whether every bit of `mask` is set.
    pub const fn contains(self, mask: u32) -> bool {
        self.0 & mask == mask
    }

    /// Sets or clears the bits of `mask`.
    pub fn set(&mut self, mask: u32, on: bool) {
        if on {
            self.0 |= mask;
        } else {
            self.0 &= !mask;
        }
    }

    /// All named switches and whether they are on.
    pub fn iter(self) -> impl Iterator<Item = (&'static str, bool)> {
        Self::NAMES
            .into_iter()
            .map(move |(name, mask)| (name, self.contains(mask)))
    }
}
