//! The records of each [`Dialect`] and their arguments.
//!
//! A record corresponds to one macro of RKH (`RKH_TR_…` in
//! `source/trc/inc/rkhtrc_record.h` since 3.0, in `source/include/rkhtrc.h` before;
//! `RKH_TRCR_…` up to 2.2). The names of records and arguments are those of RKH and its
//! host tool; where they changed, the newest one.

mod argument;
mod dialects;
mod group;
mod record_groups;

pub use argument::{ActionRole, ArgumentKind, ArgumentSpec, ObjectClass};
pub use group::Group;

/// The set of records that a version of RKH sends, and their arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dialect {
    /// RKH 2.0 to 2.2.1, and the drafts of 2.0 that produced the sample of RKH's host
    /// tool: ids number the events from 0 to 47, without groups. 2.0 and 2.1 end at 44
    /// (FWK SIG). The application's own records (47; 45 in 2.0 and 2.1) have no defined
    /// arguments and are not in the table.
    Flat,
    /// RKH 2.3 and 2.4: the first with groups.
    V2_3,
    /// RKH 2.4.03: active objects' priorities, events' pools and references,
    /// senders, low-water marks, and names of objects by class.
    V2_4_3,
    /// RKH 2.4.04: the record DCH is in group SMA and contains the state.
    V2_4_4,
    /// RKH 2.4.05 and 2.4.06: actions and synchronous events; unit tests.
    V2_4_5,
    /// RKH 3.0.00 to 3.4.00.
    V3,
}

impl Dialect {
    /// All dialects, the oldest first.
    pub const ALL: [Self; 6] = [
        Self::Flat,
        Self::V2_3,
        Self::V2_4_3,
        Self::V2_4_4,
        Self::V2_4_5,
        Self::V3,
    ];

    /// The first version that uses the dialect: `2.0`, `2.3`, `2.4.03`, `2.4.04`,
    /// `2.4.05` or `3.0`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Flat => "2.0",
            Self::V2_3 => "2.3",
            Self::V2_4_3 => "2.4.03",
            Self::V2_4_4 => "2.4.04",
            Self::V2_4_5 => "2.4.05",
            Self::V3 => "3.0",
        }
    }

    /// The dialect with this [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dialect| dialect.name() == name)
    }
}

/// The properties of a record that the target's runtime filter checks, in firmware built
/// with filters. Each level includes the ones before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FilterLevel {
    /// None: the record always passes.
    Never,
    /// Its group and event.
    Group,
    /// Also the priority of its active object.
    Object,
    /// Also its signal.
    Signal,
}

/// The layout of a record's arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ArgumentLayout {
    /// A fixed list of arguments.
    Fixed,
    /// Items that contain their own format ([`UserItems`](super::user::UserItems)).
    Items,
    /// The arguments, ending with an event's id, followed by the arguments of that event
    /// without its active object.
    Expectation,
    /// A list of arguments that [`TargetConfiguration`](super::TargetConfiguration)
    /// decodes.
    Configuration,
}

/// The definition of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordSpec {
    /// The event's id.
    pub id: u8,
    /// Its group.
    pub group: Group,
    /// Its name within the group. In group USR, the event's number.
    pub name: &'static str,
    /// What the target's filter checks.
    pub filter: FilterLevel,
    /// The layout of its arguments.
    pub layout: ArgumentLayout,
    /// Whether it has neither sequence number nor timestamp, regardless of the
    /// configuration.
    pub headerless: bool,
    /// Its arguments in wire order, including those that are absent in some
    /// configurations.
    pub arguments: &'static [ArgumentSpec],
}

impl RecordSpec {
    /// Iterates over its arguments.
    #[inline]
    pub fn iter(&'static self) -> ArgumentIter {
        ArgumentIter {
            rest: self.arguments.iter(),
            in_expectation: false,
        }
    }

    /// The arguments that follow those of an [`ArgumentLayout::Expectation`] of this
    /// record; `None` if it cannot be expected: unit tests expect records of state
    /// machines only.
    pub fn expectation_arguments(&'static self) -> Option<ArgumentIter> {
        (self.group == Group::Sm).then(|| ArgumentIter {
            rest: self.arguments.iter(),
            in_expectation: true,
        })
    }
}

/// Iterates over the arguments of a record, or of one that a unit test expects.
#[derive(Debug, Clone)]
pub struct ArgumentIter {
    rest: core::slice::Iter<'static, ArgumentSpec>,
    in_expectation: bool,
}

impl Iterator for ArgumentIter {
    type Item = &'static ArgumentSpec;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let argument = self.rest.next()?;
        // An expectation omits the state machine, because a test has only one
        // (`third-party/unitrazer/unitrazer.c`).
        if self.in_expectation && argument.kind == ArgumentKind::Object(ObjectClass::ActiveObject) {
            return self.rest.next();
        }
        Some(argument)
    }
}

/// All records of a dialect, sorted by id.
pub fn record_specs(dialect: Dialect) -> &'static [RecordSpec] {
    dialects::dialect_table(dialect).records
}

/// The record with this id; `None` if the dialect has none.
#[inline]
pub fn record_spec(dialect: Dialect, id: u8) -> Option<&'static RecordSpec> {
    dialects::dialect_table(dialect).find(id)
}

/// Whether RKH 3 has a record with this id and a header. For targets, which the table of all
/// records would cost kilobytes.
#[inline]
pub const fn has_record(id: u8) -> bool {
    dialects::IDS_3[id as usize / 32] >> (id % 32) & 1 != 0
}

#[cfg(test)]
mod tests;
