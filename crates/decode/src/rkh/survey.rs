//! A first pass over all records that collects what the second pass needs: the
//! active objects, the names, and how addresses are used.

use super::columns::RecordColumns;
use super::kind_semantics::{RecordRole, SemanticsTable};
use super::record_page::RecordPage;
use foldhash::{HashSet, HashSetExt as _};
use rtoscope_trace::{EventIndex, EventKindId, Name, ObjectClass, TextEncoding};
use rtoscope_wire::rkh::FieldWidth;
use rtoscope_wire::rkh::id::user_event;
use rtoscope_wire::rkh::signal::ReservedSignal;
use std::collections::HashMap;
use std::ops::Range;

/// An active object that records refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SurveyedObject {
    pub(super) address: u32,
    /// Its priority; 0 is the highest.
    pub(super) priority: Option<u16>,
}

/// A record that names an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NameRecord {
    /// Unknown if the record does not contain it.
    pub(super) class: ObjectClass,
    /// The record's id.
    pub(super) id: u8,
    /// The active object that owns it; 0 for none.
    pub(super) owner: u32,
    /// Its address, or its number.
    pub(super) address: u32,
    pub(super) name: Name,
    /// The restart count of the target when it last had this name.
    pub(super) start: u32,
}

/// How an address is used, with up to two numbers that determine its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AddressUsage {
    pub(super) class: ObjectClass,
    pub(super) parameters: [u64; 2],
}

/// The collected knowledge of a target.
#[derive(Debug, Clone, Default)]
pub(super) struct TargetSurvey {
    /// In the order of their first record.
    pub(super) active_objects: Vec<SurveyedObject>,
    /// In the order of their first record.
    pub(super) names: Vec<NameRecord>,
    /// For pools, queues and timers.
    pub(super) address_usage: HashMap<u32, AddressUsage>,
    /// The framework's own signals that occur, and their numbers.
    pub(super) reserved_signals: Vec<(ReservedSignal, u32)>,
    /// Whether any record marks the end of an event's processing.
    pub(super) records_step_ends: bool,
    /// Number of restarts of the target.
    pub(super) restarts: u32,
    index: SurveyIndex,
}

/// The indices of active objects and names in their lists.
#[derive(Debug, Clone, Default)]
struct SurveyIndex {
    active: HashMap<u32, usize>,
    names: HashMap<(ObjectClass, u32, Name), usize>,
    /// Total size of all names.
    bytes: usize,
}

impl TargetSurvey {
    /// Surveys records that follow the surveyed ones.
    pub(super) fn scan(
        &mut self,
        page: &RecordPage,
        range: Range<usize>,
        kind_semantics: &SemanticsTable,
        signal: FieldWidth,
        encoding: TextEncoding,
    ) {
        let columns = &page.columns;
        let mut active = HashSet::new();
        let mut used = HashSet::new();
        let first = EventIndex(u32::try_from(range.start).unwrap_or(u32::MAX));
        let restarts = page.runs.iter().filter(|run| run.restart);
        let mut restarts = restarts.skip_while(|run| run.first < first).peekable();
        let kinds = columns.kinds.get(range.clone()).unwrap_or_default();
        let arguments = columns.arguments.get(range).unwrap_or_default();
        let records = kinds.iter().zip(arguments).zip(first.0..);
        for ((kind, arguments), number) in records {
            let event = EventIndex(number);
            if restarts.next_if(|run| run.first == event).is_some() {
                self.restarts += 1;
            }
            let semantics = kind_semantics.get(*kind);
            let words = || columns.extras.words(event);
            let object = match semantics.role {
                RecordRole::Symbol(ObjectClass::ActiveObject) => Some(arguments[0]),
                _ => semantics.object.value(arguments, words),
            };
            if let Some(address) = object.filter(|address| *address != 0) {
                let priority = semantics.priority.value(arguments, words);
                if active.insert(address) || priority.is_some() {
                    self.add_active(SurveyedObject {
                        address,
                        priority: priority.and_then(|it| u16::try_from(it).ok()),
                    });
                }
            }
            if let Some(number) = semantics.signal.value(arguments, words)
                && number > signal.max() - RESERVED_SIGNAL_COUNT
            {
                self.reserve(number, signal);
            }
            let [address, second, third, _] = arguments.map(u64::from);
            let (class, parameters) = match semantics.role {
                RecordRole::Symbol(class) => {
                    let start = self.restarts;
                    let record = name_record(columns, event, *kind, class, start, encoding);
                    self.add_name(record);
                    continue;
                }
                RecordRole::Done(_) => {
                    self.records_step_ends = true;
                    continue;
                }
                RecordRole::PoolInit => (ObjectClass::BlockPool, Some([second * third, third])),
                RecordRole::PoolGet | RecordRole::PoolPut => (ObjectClass::BlockPool, None),
                // Elements are addresses: one word each.
                RecordRole::QueueInit => (ObjectClass::Queue, Some([third, 1])),
                RecordRole::QueueGet
                | RecordRole::QueueGetLast
                | RecordRole::QueueFifo
                | RecordRole::QueueLifo
                | RecordRole::Queue
                | RecordRole::Defer => (ObjectClass::Queue, None),
                RecordRole::TimerStart => {
                    let period = semantics.period.value(arguments, words).unwrap_or_default();
                    (ObjectClass::Timer, Some([third, period.into()]))
                }
                RecordRole::TimerInit
                | RecordRole::TimerStop
                | RecordRole::TimerExpire
                | RecordRole::TimerRemove => (ObjectClass::Timer, None),
                _ => continue,
            };
            let address = address as u32;
            if used.insert(address) || parameters.is_some() {
                let parameters = parameters.unwrap_or_default();
                self.add_usage(address, AddressUsage { class, parameters });
            }
        }
    }

    /// Whether it exceeds the limits of any real target.
    pub(super) fn is_full(&self) -> bool {
        self.active_objects.len() >= MAX_ITEMS
            || self.names.len() >= MAX_ITEMS
            || self.address_usage.len() >= MAX_ITEMS
            || self.index.bytes >= MAX_NAME_BYTES
    }

    pub(super) fn add_active(&mut self, object: SurveyedObject) {
        let active = &mut self.active_objects;
        let place = self.index.active.entry(object.address);
        let place = *place.or_insert_with(|| {
            active.push(object);
            active.len() - 1
        });
        if let Some(known) = active.get_mut(place) {
            known.priority = object.priority.or(known.priority);
        }
    }

    pub(super) fn add_name(&mut self, named: NameRecord) {
        let names = &mut self.names;
        let place = *self
            .index
            .names
            .entry(name_key(&named))
            .or_insert(names.len());
        match names.get_mut(place) {
            Some(known) => known.start = known.start.max(named.start),
            None => {
                self.index.bytes += named.name.as_bytes().len();
                names.push(named);
            }
        }
    }

    pub(super) fn add_usage(&mut self, address: u32, usage: AddressUsage) {
        let known = self.address_usage.entry(address).or_insert(usage);
        if known.lacks_size_from(&usage) {
            known.parameters = usage.parameters;
        }
    }

    #[cold]
    pub(super) fn reserve(&mut self, number: u32, width: FieldWidth) {
        if let Some(reserved) = ReservedSignal::from_number(number, width)
            && !self.reserved_signals.contains(&(reserved, number))
        {
            self.reserved_signals.push((reserved, number));
        }
    }
}

impl AddressUsage {
    /// Whether `other` has the size and this does not.
    fn lacks_size_from(&self, other: &Self) -> bool {
        self.class == other.class && self.parameters == [0; 2] && other.parameters != [0; 2]
    }
}

/// The key of a name: repeated names of an object count once.
fn name_key(named: &NameRecord) -> (ObjectClass, u32, Name) {
    (named.class, named.address, named.name.clone())
}

fn name_record(
    columns: &RecordColumns,
    event: EventIndex,
    kind: EventKindId,
    class: ObjectClass,
    start: u32,
    encoding: TextEncoding,
) -> NameRecord {
    let arguments = columns.arguments.get(event.index()).copied();
    let [first, second, third, _] = arguments.unwrap_or_default();
    let (owner, address, name) = match class {
        ObjectClass::State | ObjectClass::Pseudostate => (first, second, third),
        // RKH subtracts `RKH_TE_USER` from the number; other senders may not.
        ObjectClass::UserEvent => (0, user_event(first).map_or(first, u32::from), second),
        _ => (0, first, second),
    };
    NameRecord {
        class,
        id: kind.0 as u8,
        owner,
        address,
        name: encoding.name(columns.extras.text(name.into())),
        start,
    }
}

/// Maximum number of names, active objects or other objects; no real target has
/// more.
const MAX_ITEMS: usize = 1 << 16;

/// Maximum total size of names.
const MAX_NAME_BYTES: usize = 1 << 23;

/// Number of signals below the highest one that the framework reserves.
const RESERVED_SIGNAL_COUNT: u32 = 3;
