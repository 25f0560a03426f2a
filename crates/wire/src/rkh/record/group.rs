use crate::rkh::id::EVENT_BITS;

/// A group of events, by RKH 3's number (`RKH_TG_…`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Group {
    /// Memory pools.
    Mp,
    /// Queues (RQ before 3.0).
    Que,
    /// Active objects.
    Sma,
    /// State machines.
    Sm,
    /// Timers (TIM before 2.4.04).
    Tmr,
    /// The framework (RKH before 2.3).
    Fwk,
    /// The application's own events.
    Usr,
    /// Unit tests.
    Ut,
}

impl Group {
    /// All groups, by number.
    pub const ALL: [Self; 8] = [
        Self::Mp,
        Self::Que,
        Self::Sma,
        Self::Sm,
        Self::Tmr,
        Self::Fwk,
        Self::Usr,
        Self::Ut,
    ];

    /// RKH's name: `MP`, `QUE`, `SMA`, `SM`, `TMR`, `FWK`, `USR` or `UT`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mp => "MP",
            Self::Que => "QUE",
            Self::Sma => "SMA",
            Self::Sm => "SM",
            Self::Tmr => "TMR",
            Self::Fwk => "FWK",
            Self::Usr => "USR",
            Self::Ut => "UT",
        }
    }

    /// The group's number, 0 to 7.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The group with this number; `None` above 7.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// The group in the high 3 bits of an id. Invalid in
    /// [`Dialect::Flat`](super::Dialect::Flat): use
    /// [`RecordSpec::group`](super::RecordSpec::group) there.
    pub const fn from_id(id: u8) -> Self {
        match id >> EVENT_BITS {
            0 => Self::Mp,
            1 => Self::Que,
            2 => Self::Sma,
            3 => Self::Sm,
            4 => Self::Tmr,
            5 => Self::Fwk,
            6 => Self::Usr,
            _ => Self::Ut,
        }
    }

    /// The event's number within its group, 0 to 31: an id's low 5 bits.
    pub const fn event_number(id: u8) -> u8 {
        id & ((1 << EVENT_BITS) - 1)
    }
}
