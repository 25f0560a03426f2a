//! One walk through all records for what has to be known before the second:
//! the active objects, the names, what addresses are used as.

use super::addresses::Addresses;
use super::columns::Columns;
use super::role::{Role, Senses};
use rtoscope_trace::{EventIndex, ObjectClass};
use rtoscope_wire::rkh::Width;
use rtoscope_wire::rkh::signal::Reserved;
use std::collections::HashMap;

/// An active object that records speak of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ActiveObject {
    pub(super) address: u32,
    /// Its priority; 0 is the highest.
    pub(super) priority: Option<u16>,
}

/// A record that names something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Naming {
    pub(super) event: EventIndex,
    /// Unknown where the record does not say it.
    pub(super) class: ObjectClass,
}

/// What an address is used as, with up to two numbers that say how large it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Usage {
    pub(super) class: ObjectClass,
    pub(super) parameters: [u64; 2],
}

/// What the walk found.
#[derive(Debug)]
pub(super) struct Survey {
    /// In the order of their first record.
    pub(super) active: Vec<ActiveObject>,
    pub(super) namings: Vec<Naming>,
    /// Of pools, queues and timers.
    pub(super) used: HashMap<u32, Usage>,
    /// The framework's own signals that occur, and their numbers.
    pub(super) reserved: Vec<(Reserved, u32)>,
    /// Whether any record tells that the processing of an event ended.
    pub(super) tells_ends: bool,
}

/// Walks through all records.
pub(super) fn walk(columns: &Columns, senses: &Senses, signal: Width) -> Survey {
    let mut survey = Survey {
        active: Vec::new(),
        namings: Vec::new(),
        used: HashMap::new(),
        reserved: Vec::new(),
        tells_ends: false,
    };
    let mut numbers = Addresses::new();
    let mut recent = Addresses::new();
    let records = columns.kinds.iter().zip(&columns.arguments).zip(0..);
    for ((kind, arguments), number) in records {
        let event = EventIndex(number);
        let sense = senses.get(*kind);
        let words = || columns.extras.words(event);
        let object = match sense.role {
            Role::Symbol(ObjectClass::ActiveObject) => Some(arguments[0]),
            _ => sense.object.of(arguments, words),
        };
        if let Some(address) = object.filter(|address| *address != 0) {
            let active = &mut survey.active;
            let index = numbers.get_or_insert(address, || {
                active.push(ActiveObject {
                    address,
                    priority: None,
                });
                active.len() - 1
            });
            if let Some(priority) = sense.priority.of(arguments, words)
                && let Some(object) = survey.active.get_mut(index)
            {
                object.priority = u16::try_from(priority).ok();
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
                survey.namings.push(Naming { event, class });
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
        let used = &mut survey.used;
        recent.get_or_insert(address, || {
            used.entry(address).or_insert(Usage {
                class,
                parameters: [0; 2],
            });
        });
        if let Some(parameters) = parameters
            && let Some(usage) = survey.used.get_mut(&address)
            && usage.class == class
            && usage.parameters == [0; 2]
        {
            usage.parameters = parameters;
        }
    }
    survey
}

/// How many signals below the highest number are the framework's own.
const RESERVED: u32 = 3;

impl Survey {
    #[cold]
    fn reserve(&mut self, number: u32, width: Width) {
        if let Some(reserved) = Reserved::of(number, width)
            && !self.reserved.contains(&(reserved, number))
        {
            self.reserved.push((reserved, number));
        }
    }
}
