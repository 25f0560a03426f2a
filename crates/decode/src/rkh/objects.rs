//! The objects named by a stream or by the user's symbols.

use super::columns::RecordColumns;
use super::survey::{NameRecord, TargetSurvey};
use rtoscope_symbols::{Symbol, Symbols};
use rtoscope_trace::{Address, Name, Object, ObjectClass, ObjectId, Objects};
use rtoscope_wire::rkh::FieldWidth;
use std::collections::{BTreeSet, HashMap, HashSet};

/// An address, or the number of an object of a numbered class.
type ObjectKey = (Option<ObjectClass>, u64);

fn object_key(class: ObjectClass, address: u64) -> ObjectKey {
    (class.is_numbered().then_some(class), address)
}

/// The objects of a stream: first those that it names itself, then those named
/// by `symbols` that records refer to, then the framework's own signals.
pub(super) fn objects(
    columns: &RecordColumns,
    survey: &TargetSurvey,
    symbols: &Symbols,
    pointer: FieldWidth,
) -> Objects {
    let mut collection = ObjectCollector::new(survey);
    collection.named(&survey.names);
    if !symbols.is_empty() {
        let used = used_addresses(columns, survey);
        for symbol in symbols.iter() {
            collection.symbol(symbol, pointer, &used);
        }
    }
    for (reserved, number) in &survey.reserved_signals {
        let name = format!("({})", reserved.name());
        let address = u64::from(*number);
        if !collection.is_named(ObjectClass::Signal, address) {
            collection.add(ObjectClass::Signal, 0, address, name.as_bytes(), 0);
        }
    }
    Objects::new(collection.finish())
}

/// The addresses in records and in the survey.
fn used_addresses(columns: &RecordColumns, survey: &TargetSurvey) -> HashSet<u32> {
    let mut used: HashSet<u32> = survey.address_usage.keys().copied().collect();
    used.extend(survey.active_objects.iter().map(|active| active.address));
    // States, functions and actors differ from record to record.
    used.extend(columns.arguments.iter().flatten());
    used
}

struct ObjectCollector<'a> {
    survey: &'a TargetSurvey,
    active: HashMap<u32, Option<u16>>,
    objects: Vec<Object>,
    /// The restart count of the target when each object was last named.
    seen: Vec<u32>,
    /// By key, class and name.
    known: HashMap<(ObjectKey, ObjectClass, Name), usize>,
    /// The last restart count with a name for each key.
    latest: HashMap<ObjectKey, u32>,
    start: u32,
    /// Addresses of queues, pools and timers.
    resolved: BTreeSet<u32>,
}

impl<'a> ObjectCollector<'a> {
    fn new(survey: &'a TargetSurvey) -> Self {
        let active = survey.active_objects.iter();
        Self {
            survey,
            active: active.map(|it| (it.address, it.priority)).collect(),
            objects: Vec::new(),
            seen: Vec::new(),
            known: HashMap::new(),
            latest: HashMap::new(),
            start: 0,
            resolved: survey.address_usage.keys().copied().collect(),
        }
    }

    /// Adds the names in the stream.
    fn named(&mut self, names: &[NameRecord]) {
        for named in names {
            let class = match named.class {
                ObjectClass::Unknown => self.class_of_use(named.address),
                class => class,
            };
            self.start = named.start;
            let name = named.name.as_bytes();
            self.add(
                class,
                named.id,
                named.address.into(),
                name,
                named.owner.into(),
            );
        }
    }

    /// The class that an address is used as.
    fn class_of_use(&self, address: u32) -> ObjectClass {
        match self.survey.address_usage.get(&address) {
            Some(usage) => usage.class,
            None if self.active.contains_key(&address) => ObjectClass::ActiveObject,
            None => ObjectClass::Unknown,
        }
    }

    fn symbol(&mut self, symbol: &Symbol, pointer: FieldWidth, used: &HashSet<u32>) {
        if symbol.class.is_some_and(ObjectClass::is_numbered) {
            let class = symbol.class.unwrap_or(ObjectClass::Unknown);
            if !self.is_named(class, symbol.address) {
                self.add(class, 0, symbol.address, symbol.name.as_bytes(), 0);
            }
            return;
        }
        // Records contain the low bytes of an address. Function addresses may
        // have the Thumb bit set.
        let address = symbol.address as u32 & pointer.max();
        let is_function = symbol.class == Some(ObjectClass::Function);
        let addresses = [Some(address), is_function.then_some(address ^ 1)];
        for address in addresses.into_iter().flatten() {
            let class = symbol.class.unwrap_or_else(|| self.class_of_use(address));
            if used.contains(&address) && !self.is_named(class, address.into()) {
                let name = symbol.name.as_bytes();
                self.add(class, 0, address.into(), name, symbol.owner);
            }
        }
        if symbol.class.is_none() {
            self.parts(symbol, address);
        }
    }

    /// Names the queues, pools and timers inside a larger object.
    fn parts(&mut self, symbol: &Symbol, address: u32) {
        let size = u32::try_from(symbol.size).unwrap_or(u32::MAX);
        let within =
            address.saturating_add(1)..address.saturating_add(size).max(address.saturating_add(1));
        let parts = self.resolved.range(within).copied().collect::<Vec<_>>();
        for part in parts {
            let class = self.class_of_use(part);
            if !self.is_named(class, part.into()) {
                let offset = format!("+{:#x}", part - address);
                let name = [symbol.name.as_bytes(), offset.as_bytes()].concat();
                self.add(class, 0, part.into(), &name, 0);
            }
        }
    }

    fn is_named(&self, class: ObjectClass, address: u64) -> bool {
        self.latest.contains_key(&object_key(class, address))
    }

    fn add(&mut self, class: ObjectClass, id: u8, address: u64, name: &[u8], owner: u64) {
        let name = match name {
            // The source text of a macro's argument, usually an address-of
            // expression.
            [b'&', name @ ..] if !class.is_numbered() => Name::new(name),
            name => Name::new(name),
        };
        let place = object_key(class, address);
        let latest = self.latest.entry(place).or_default();
        *latest = self.start.max(*latest);
        let key = (place, class, name);
        if let Some(seen) = self
            .known
            .get(&key)
            .and_then(|known| self.seen.get_mut(*known))
        {
            *seen = self.start.max(*seen);
            return;
        }
        let low = u32::try_from(address).ok();
        let usage = low.and_then(|address| self.survey.address_usage.get(&address));
        let usage = usage.filter(|usage| usage.class == class);
        let priority = low.and_then(|address| self.active.get(&address).copied());
        let is_active = class == ObjectClass::ActiveObject;
        self.objects.push(Object {
            id: ObjectId(0),
            class,
            type_number: id,
            address: Address(address),
            name: key.2.clone(),
            parameters: Some(match class {
                ObjectClass::State | ObjectClass::Pseudostate => [owner, 0],
                _ => usage.map_or([0; 2], |usage| usage.parameters),
            }),
            priority: priority.flatten().filter(|_| is_active),
            deleted: false,
            slot: u32::try_from(self.objects.len()).ok(),
        });
        self.seen.push(self.start);
        self.known.insert(key, self.objects.len() - 1);
    }

    /// Returns the objects. An object that was named before a restart, and has
    /// another name after it, is deleted.
    fn finish(mut self) -> Vec<Object> {
        for (object, seen) in self.objects.iter_mut().zip(&self.seen) {
            let latest = self.latest.get(&object_key(object.class, object.address.0));
            object.deleted = latest.is_some_and(|latest| latest > seen);
        }
        self.objects
    }
}

/// Names of the application's own records, by id: the last one takes
/// precedence.
pub(super) fn user_events(objects: &Objects) -> impl Iterator<Item = (u32, &Object)> {
    let events = objects
        .iter()
        .filter(|object| object.class == ObjectClass::UserEvent);
    let living = events.filter(|object| !object.deleted && !object.name.is_empty());
    living.filter_map(|object| Some((u32::try_from(object.address.0).ok()?, object)))
}

/// The names of a stream, as symbols for another.
pub(super) fn symbols(objects: &Objects) -> Symbols {
    let named = objects.iter().filter(|object| !object.deleted);
    let symbols = named.map(|object| Symbol {
        class: Some(object.class).filter(|class| *class != ObjectClass::Unknown),
        address: object.address.0,
        size: 0,
        name: object.name.clone(),
        owner: match object.class {
            ObjectClass::State | ObjectClass::Pseudostate => {
                object.parameters.map_or(0, |[owner, _]| owner)
            }
            _ => 0,
        },
    });
    Symbols::new(symbols.collect())
}
