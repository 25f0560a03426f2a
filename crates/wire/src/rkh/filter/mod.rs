//! The tables with which a target filters records at run time.
//!
//! Source: `source/trc/src/rkhtrc_filter.c` and the macros in
//! `source/trc/inc/rkhtrc_define.h` of RKH 3; older versions have other tables. RKH's
//! names mean the opposite of what they suggest: `RKH_FILTER_OFF_…` lets records pass,
//! `RKH_FILTER_ON_…` suppresses them.

use super::id::any_id;
use super::signal::ReservedSignal;
use super::{FieldWidth, FilterLevel, Group, RecordSpec};

/// Length of the event table in bytes.
pub const EVENT_TABLE_BYTES: usize = 17;

/// For each group, its bytes in the event table: the index of the first
/// (`RKH_…_TTBL_OFFSET`) and their number (`RKH_…_TTBL_RANGE`).
pub const GROUP_TABLE_RANGES: [(usize, usize); 8] = [
    (0, 1),
    (1, 1),
    (2, 2),
    (4, 3),
    (7, 1),
    (8, 3),
    (11, 4),
    (15, 2),
];

/// The tables of a target's runtime filter. A set bit lets records pass.
///
/// `O` and `S` hold the tables of priorities and signals, 8 bits to a byte. They have as
/// many bytes as the firmware's `RKH_CFG_FWK_MAX_SMA` and `RKH_CFG_FWK_MAX_SIGNALS` need,
/// or none if it is built without `RKH_CFG_TRC_RTFIL_SMA_EN` or
/// `RKH_CFG_TRC_RTFIL_SIGNAL_EN`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuntimeFilter<O, S> {
    /// One bit per event, event 0 first; [`GROUP_TABLE_RANGES`] gives the bytes of a
    /// group.
    pub events: [u8; EVENT_TABLE_BYTES],
    /// One bit per group.
    pub groups: u8,
    /// One bit per priority.
    pub objects: O,
    /// One bit per signal.
    pub signals: S,
}

/// The records to let pass or to suppress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilterSelection {
    /// An event, by its id. Letting it pass also lets its group pass; suppressing it does
    /// not change the group (`RKH_FILTER_…_EVENT`).
    Event(u8),
    /// Every event and every group (`RKH_FILTER_…_EVENT(RKH_TRC_ALL_EVENTS)`).
    AllEvents,
    /// A group, by its number, but none of its events (`RKH_FILTER_…_GROUP`).
    Group(u8),
    /// A group, by its number, and all of its events
    /// (`RKH_FILTER_…_GROUP_ALL_EVENTS`).
    GroupEvents(u8),
    /// Every group, but no event (`RKH_FILTER_…_GROUP(RKH_TRC_ALL_GROUPS)`).
    AllGroups,
    /// An active object, by its priority (`RKH_FILTER_…_SMA`).
    Object(u8),
    /// Every active object (`RKH_FILTER_…_ALL_SMA`).
    AllObjects,
    /// A signal (`RKH_FILTER_…_SIGNAL`).
    Signal(u32),
    /// Every signal (`RKH_FILTER_…_ALL_SIGNALS`).
    AllSignals,
}

impl FilterSelection {
    /// The code of the kind of selection, 0 to 8 in the order above.
    pub const fn code(self) -> u8 {
        match self {
            Self::Event(_) => 0,
            Self::AllEvents => 1,
            Self::Group(_) => 2,
            Self::GroupEvents(_) => 3,
            Self::AllGroups => 4,
            Self::Object(_) => 5,
            Self::AllObjects => 6,
            Self::Signal(_) => 7,
            Self::AllSignals => 8,
        }
    }

    /// The event, group, priority or signal; 0 if all are selected.
    pub const fn number(self) -> u32 {
        match self {
            Self::Event(number) | Self::Group(number) | Self::GroupEvents(number) => number as u32,
            Self::Object(number) => number as u32,
            Self::Signal(number) => number,
            Self::AllEvents | Self::AllGroups | Self::AllObjects | Self::AllSignals => 0,
        }
    }

    /// The selection of a code and a number, which is ignored if all are selected. `None`
    /// if there is none. An event may have any of RKH's numbers for it.
    pub fn from_code(code: u8, number: u32) -> Option<Self> {
        let byte = u8::try_from(number).ok();
        match code {
            0 => any_id(number).map(Self::Event),
            1 => Some(Self::AllEvents),
            2 => byte.map(Self::Group),
            3 => byte.map(Self::GroupEvents),
            4 => Some(Self::AllGroups),
            5 => byte.map(Self::Object),
            6 => Some(Self::AllObjects),
            7 => Some(Self::Signal(number)),
            8 => Some(Self::AllSignals),
            _ => None,
        }
    }
}

/// An item outside the filter's tables. A target stops with an assertion, or overwrites
/// memory after the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilterError {
    /// The event number is above the last of its group.
    Event {
        /// The event's id.
        id: u8,
    },
    /// Groups are numbered from 0 to 7.
    Group {
        /// The number.
        group: u8,
    },
    /// The priority is above the last of the table.
    Object {
        /// The priority.
        priority: u8,
        /// Number of priorities in the table.
        entries: usize,
    },
    /// The signal is above the last of the table.
    Signal {
        /// The signal.
        signal: u32,
        /// Number of signals in the table.
        entries: usize,
    },
}

crate::error_messages::messages! {
    FilterError {
        Event { id } => "the filter has no event {id:#04x}",
        Group { group } => "the filter has no group {group}: the last is 7",
        Object { priority, entries } => "the filter has no priority {priority}: it has {entries}",
        Signal { signal, entries } => "the filter has no signal {signal}: it has {entries}",
    }
}

impl<O: AsRef<[u8]> + AsMut<[u8]>, S: AsRef<[u8]> + AsMut<[u8]>> RuntimeFilter<O, S> {
    /// A filter with the given tables of priorities and signals. Events and groups are as
    /// after a target's reset: everything that can be filtered is suppressed.
    pub fn new(objects: O, signals: S) -> Self {
        Self {
            events: [0; EVENT_TABLE_BYTES],
            groups: 0,
            objects,
            signals,
        }
    }

    /// Lets the selected records pass (`RKH_FILTER_OFF_…`).
    pub fn pass(&mut self, selection: FilterSelection) -> Result<(), FilterError> {
        self.set(selection, true)
    }

    /// Suppresses the selected records (`RKH_FILTER_ON_…`).
    pub fn suppress(&mut self, selection: FilterSelection) -> Result<(), FilterError> {
        self.set(selection, false)
    }

    fn set(&mut self, selection: FilterSelection, pass: bool) -> Result<(), FilterError> {
        match selection {
            FilterSelection::Event(id) => {
                let bit = event_bit(id)?;
                set_bit(&mut self.events, bit, pass);
                if pass {
                    self.groups |= 1 << Group::from_id(id).number();
                }
            }
            FilterSelection::AllEvents => {
                fill(&mut self.events, pass);
                self.set_groups(pass);
            }
            FilterSelection::Group(group) => self.set_group(group, pass)?,
            FilterSelection::GroupEvents(group) => {
                self.set_group(group, pass)?;
                let (first, count) = group_table_range(group)?;
                let events = self.events.get_mut(first..first + count);
                fill(events.unwrap_or_default(), pass);
            }
            FilterSelection::AllGroups => self.set_groups(pass),
            FilterSelection::Object(priority) => {
                let table = self.objects.as_mut();
                let entries = table_entries(table);
                let index = checked_index(usize::from(priority), entries);
                let index = index.ok_or(FilterError::Object { priority, entries })?;
                set_bit(table, index, pass);
            }
            FilterSelection::AllObjects => fill(self.objects.as_mut(), pass),
            FilterSelection::Signal(signal) => {
                let table = self.signals.as_mut();
                let index = signal_index(signal, table_entries(table))?;
                set_bit(table, index, pass);
            }
            FilterSelection::AllSignals => fill(self.signals.as_mut(), pass),
        }
        Ok(())
    }

    fn set_group(&mut self, group: u8, pass: bool) -> Result<(), FilterError> {
        group_table_range(group)?;
        set_bit(core::slice::from_mut(&mut self.groups), group.into(), pass);
        Ok(())
    }

    fn set_groups(&mut self, pass: bool) {
        fill(core::slice::from_mut(&mut self.groups), pass);
    }

    /// Whether the target sends `record` for an active object of this priority and for
    /// this signal, where signals have this width. The record's [`FilterLevel`]
    /// determines which of the two apply.
    ///
    /// The completion event passes regardless of its bit. The target reads the bit of a
    /// signal modulo 256 but sets the bit of the full number, so that signals above 255
    /// pass with one of the first 256. This function does the same.
    pub fn passes(
        &self,
        record: &RecordSpec,
        priority: u8,
        signal: u32,
        width: FieldWidth,
    ) -> Result<bool, FilterError> {
        if record.filter == FilterLevel::Never {
            return Ok(true);
        }
        let group = get_bit(&[self.groups], record.group.number().into());
        if !group || !get_bit(&self.events, event_bit(record.id)?) {
            return Ok(false);
        }
        let objects = self.objects.as_ref();
        if record.filter >= FilterLevel::Object && !objects.is_empty() {
            let entries = table_entries(objects);
            let index = checked_index(usize::from(priority), entries);
            if !get_bit(
                objects,
                index.ok_or(FilterError::Object { priority, entries })?,
            ) {
                return Ok(false);
            }
        }
        let signals = self.signals.as_ref();
        let counts = record.filter == FilterLevel::Signal
            && !signals.is_empty()
            && signal != ReservedSignal::Completion.number(width);
        if counts {
            let index = signal_index(signal, table_entries(signals))?;
            return Ok(get_bit(signals, index & 0xFF));
        }
        Ok(true)
    }
}

fn group_table_range(group: u8) -> Result<(usize, usize), FilterError> {
    GROUP_TABLE_RANGES
        .get(usize::from(group))
        .copied()
        .ok_or(FilterError::Group { group })
}

/// The bit of an event in the event table.
fn event_bit(id: u8) -> Result<usize, FilterError> {
    let (first, count) = group_table_range(Group::from_id(id).number())?;
    let event = checked_index(usize::from(Group::event_number(id)), 8 * count);
    Ok(8 * first + event.ok_or(FilterError::Event { id })?)
}

fn signal_index(signal: u32, entries: usize) -> Result<usize, FilterError> {
    usize::try_from(signal)
        .ok()
        .and_then(|index| checked_index(index, entries))
        .ok_or(FilterError::Signal { signal, entries })
}

fn checked_index(index: usize, entries: usize) -> Option<usize> {
    (index < entries).then_some(index)
}

fn table_entries(table: &[u8]) -> usize {
    table.len().saturating_mul(8)
}

fn get_bit(table: &[u8], index: usize) -> bool {
    table
        .get(index / 8)
        .map_or(false, |byte| byte >> (index % 8) & 1 == 1)
}

fn set_bit(table: &mut [u8], index: usize, value: bool) {
    if let Some(byte) = table.get_mut(index / 8) {
        let mask = 1 << (index % 8);
        if value {
            *byte |= mask;
        } else {
            *byte &= !mask;
        }
    }
}

fn fill(table: &mut [u8], value: bool) {
    table.fill(if value { 0xFF } else { 0 });
}

#[cfg(test)]
mod tests;
