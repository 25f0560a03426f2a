//! One walk through all records for what has to be known before the second:
//! the active objects, the names, what addresses are used as.

use super::addresses::Addresses;
use super::columns::Columns;
use super::page::Page;
use super::role::{Role, Senses};
use rtoscope_trace::{EventIndex, KindId, Name, ObjectClass};
use rtoscope_wire::rkh::Width;
use rtoscope_wire::rkh::signal::Reserved;
use std::collections::HashMap;
use std::ops::Range;

/// An active object that records speak of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ActiveObject {
    pub(super) address: u32,
    /// Its priority; 0 is the highest.
    pub(super) priority: Option<u16>,
}

/// A record that names something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    /// Unknown where the record does not say it.
    pub(super) class: ObjectClass,
    /// The record's kind.
    pub(super) id: u8,
    /// The active object that it is part of; 0 for none.
    pub(super) owner: u32,
    /// Where it lies, or its number.
    pub(super) address: u32,
    pub(super) name: Name,
    /// How often the target had started again when it was last named so.
    pub(super) start: u32,
}

/// What an address is used as, with up to two numbers that say how large it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Usage {
    pub(super) class: ObjectClass,
    pub(super) parameters: [u64; 2],
}

/// What is known of a target.
#[derive(Debug, Clone, Default)]
pub(super) struct Survey {
    /// In the order of their first record.
    pub(super) active: Vec<ActiveObject>,
    /// In the order of their first record.
    pub(super) names: Vec<Named>,
    /// Of pools, queues and timers.
    pub(super) used: HashMap<u32, Usage>,
    /// The framework's own signals that occur, and their numbers.
    pub(super) reserved: Vec<(Reserved, u32)>,
    /// Whether any record tells that the processing of an event ended.
    pub(super) tells_ends: bool,
    /// How often the target started again.
    pub(super) starts: u32,
    places: Places,
}

/// Where active objects and names stand in their lists.
#[derive(Debug, Clone, Default)]
struct Places {
    active: HashMap<u32, usize>,
    names: HashMap<(ObjectClass, u32, Name), usize>,
    /// Bytes of all names.
    bytes: usize,
}

impl Survey {
    /// Walks through records that follow those of `before`.
    pub(super) fn of(
        page: &Page,
        range: Range<usize>,
        senses: &Senses,
        signal: Width,
        before: &Self,
    ) -> Self {
        let mut survey = Self {
            starts: before.starts,
            ..Self::default()
        };
        let columns = &page.columns;
        let mut active = Addresses::new();
        let mut recent = Addresses::new();
        let first = EventIndex(u32::try_from(range.start).unwrap_or(u32::MAX));
        let restarts = page.runs.iter().filter(|run| run.restart);
        let mut restarts = restarts.skip_while(|run| run.first < first).peekable();
        let kinds = columns.kinds.get(range.clone()).unwrap_or_default();
        let arguments = columns.arguments.get(range).unwrap_or_default();
        let records = kinds.iter().zip(arguments).zip(first.0..);
        for ((kind, arguments), number) in records {
            let event = EventIndex(number);
            if restarts.next_if(|run| run.first == event).is_some() {
                survey.starts += 1;
            }
            let sense = senses.get(*kind);
            let words = || columns.extras.words(event);
            let object = match sense.role {
                Role::Symbol(ObjectClass::ActiveObject) => Some(arguments[0]),
                _ => sense.object.of(arguments, words),
            };
            if let Some(address) = object.filter(|address| *address != 0) {
                let priority = sense.priority.of(arguments, words);
                let known = active.get(address).filter(|_| priority.is_none());
                if known.is_none() {
                    active.get_or_insert(address, || ());
                    survey.add_active(ActiveObject {
                        address,
                        priority: priority.and_then(|it| u16::try_from(it).ok()),
                    });
                }
            }
            if let Some(number) = sense.signal.of(arguments, words)
                && number > signal.max() - RESERVED
            {
                survey.reserve(number, signal);
            }
            let [address, second, third, _] = arguments.map(u64::from);
            let (class, parameters) = match sense.role {
                Role::Symbol(class) => {
                    let start = survey.starts;
                    survey.add_name(named(columns, event, *kind, class, start));
                    continue;
                }
                Role::Done(_) => {
                    survey.tells_ends = true;
                    continue;
                }
                Role::PoolInit => (ObjectClass::BlockPool, Some([second * third, third])),
                Role::PoolGet | Role::PoolPut => (ObjectClass::BlockPool, None),
                // Elements are addresses: a word each.
                Role::QueueInit => (ObjectClass::Queue, Some([third, 1])),
                Role::QueueGet
                | Role::QueueGetLast
                | Role::QueueFifo
                | Role::QueueLifo
                | Role::Queue
                | Role::Defer => (ObjectClass::Queue, None),
                Role::TimerStart => {
                    let period = sense.period.of(arguments, words).unwrap_or_default();
                    (ObjectClass::Timer, Some([third, period.into()]))
                }
                Role::TimerInit | Role::TimerStop | Role::TimerExpire | Role::TimerRemove => {
                    (ObjectClass::Timer, None)
                }
                _ => continue,
            };
            let address = address as u32;
            let is_known = recent.get(address).is_some();
            if !is_known || parameters.is_some() {
                recent.get_or_insert(address, || ());
                let parameters = parameters.unwrap_or_default();
                survey.add_usage(address, Usage { class, parameters });
            }
        }
        survey
    }

    /// Whether all that another knows is known here.
    pub(super) fn knows(&self, other: &Self) -> bool {
        let active = |object: &ActiveObject| {
            let known = self.places.active.get(&object.address);
            let known = known.and_then(|place| self.active.get(*place));
            known.is_some_and(|known| object.priority.is_none() || known == object)
        };
        let name = |named: &Named| {
            let known = self.places.names.get(&key(named));
            let known = known.and_then(|place| self.names.get(*place));
            known.is_some_and(|known| known.start >= named.start)
        };
        let usage = |(address, usage): (&u32, &Usage)| {
            let known = self.used.get(address);
            known.is_some_and(|known| !known.learns_of(usage))
        };
        (self.tells_ends || !other.tells_ends)
            && self.starts >= other.starts
            && other.active.iter().all(active)
            && other.names.iter().all(name)
            && other.used.iter().all(usage)
            && other.reserved.iter().all(|it| self.reserved.contains(it))
    }

    /// Adds what another knows, which walked through the records behind.
    pub(super) fn add(&mut self, other: Self) {
        other.active.into_iter().for_each(|it| self.add_active(it));
        other.names.into_iter().for_each(|it| self.add_name(it));
        for (address, usage) in other.used {
            self.add_usage(address, usage);
        }
        for reserved in other.reserved {
            if !self.reserved.contains(&reserved) {
                self.reserved.push(reserved);
            }
        }
        self.tells_ends |= other.tells_ends;
        self.starts = self.starts.max(other.starts);
    }

    /// Whether it knows more than any target has.
    pub(super) fn is_full(&self) -> bool {
        self.active.len() >= MOST
            || self.names.len() >= MOST
            || self.used.len() >= MOST
            || self.places.bytes >= MOST_BYTES
    }

    pub(super) fn add_active(&mut self, object: ActiveObject) {
        let active = &mut self.active;
        let place = self.places.active.entry(object.address);
        let place = *place.or_insert_with(|| {
            active.push(object);
            active.len() - 1
        });
        if let Some(known) = active.get_mut(place) {
            known.priority = object.priority.or(known.priority);
        }
    }

    pub(super) fn add_name(&mut self, named: Named) {
        let names = &mut self.names;
        let place = *self.places.names.entry(key(&named)).or_insert(names.len());
        match names.get_mut(place) {
            Some(known) => known.start = known.start.max(named.start),
            None => {
                self.places.bytes += named.name.as_bytes().len();
                names.push(named);
            }
        }
    }

    pub(super) fn add_usage(&mut self, address: u32, usage: Usage) {
        let known = self.used.entry(address).or_insert(usage);
        if known.learns_of(&usage) {
            known.parameters = usage.parameters;
        }
    }

    #[cold]
    pub(super) fn reserve(&mut self, number: u32, width: Width) {
        if let Some(reserved) = Reserved::of(number, width)
            && !self.reserved.contains(&(reserved, number))
        {
            self.reserved.push((reserved, number));
        }
    }
}

impl Usage {
    /// Whether another says how large it is and this does not.
    fn learns_of(&self, other: &Self) -> bool {
        self.class == other.class && self.parameters == [0; 2] && other.parameters != [0; 2]
    }
}

/// Where a name stands: as often as something is named so, it is one name.
fn key(named: &Named) -> (ObjectClass, u32, Name) {
    (named.class, named.address, named.name.clone())
}

fn named(
    columns: &Columns,
    event: EventIndex,
    kind: KindId,
    class: ObjectClass,
    start: u32,
) -> Named {
    let arguments = columns.arguments.get(event.index()).copied();
    let [first, second, third, _] = arguments.unwrap_or_default();
    let (owner, address, name) = match class {
        ObjectClass::State | ObjectClass::Pseudostate => (first, second, third),
        _ => (0, first, second),
    };
    Named {
        class,
        id: kind.0 as u8,
        owner,
        address,
        name: Name::new(columns.extras.text(name.into())),
        start,
    }
}

/// More names, active objects or other things no target has, ...
const MOST: usize = 1 << 16;

/// ... nor longer names.
const MOST_BYTES: usize = 1 << 23;

/// How many signals below the highest number are the framework's own.
const RESERVED: u32 = 3;
