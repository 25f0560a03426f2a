//! What events name: threads, objects, handlers of interrupts.

use rtoscope_trace::{
    Address, ContextId, Contexts, IsrFunction, Name, ObjectClass, Resource, ResourceId,
    TextEncoding, WaitReason,
};
use std::collections::HashMap;

/// What identifies something: a number, or a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key<'a> {
    Id(u64),
    Name(&'a [u8]),
}

/// Numbers by key.
#[derive(Debug, Clone, Default, PartialEq)]
struct KeyTable {
    ids: HashMap<u64, u32>,
    names: HashMap<Box<[u8]>, u32>,
}

impl KeyTable {
    fn get(&self, key: Key<'_>) -> Option<u32> {
        match key {
            Key::Id(id) => self.ids.get(&id),
            Key::Name(name) => self.names.get(name),
        }
        .copied()
    }

    fn insert(&mut self, key: Key<'_>, number: u32) {
        match key {
            Key::Id(id) => self.ids.insert(id, number),
            Key::Name(name) => self.names.insert(name.into(), number),
        };
    }
}

/// Addresses of what has a name only, from here on: above the memory of targets.
const FIRST_NAMED_ADDRESS: u64 = 0xF000_0000;

/// Maximum number of threads, of objects, and of handlers.
const MAX_ENTITIES: usize = 1 << 16;

fn address(key: Key<'_>, number: usize) -> Address {
    match key {
        Key::Id(id) => Address(id),
        Key::Name(_) => Address(FIRST_NAMED_ADDRESS + number as u64),
    }
}

/// A thread.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Thread {
    pub(super) address: Address,
    pub(super) name: Box<[u8]>,
    pub(super) priority: Option<u16>,
    pub(super) stack: Option<[u64; 2]>,
    pub(super) has_ended: bool,
    /// The number of its first event.
    pub(super) first_event: u64,
    /// Why it will wait, as its last call says.
    pub(super) pending_wait: Option<WaitReason>,
    /// Why it waits.
    pub(super) wait: Option<WaitReason>,
    /// The object that it will have got when its wait ends: its call is stored already.
    pub(super) requested: Option<ResourceId>,
}

/// An object that threads share.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SharedObject {
    pub(super) class: ObjectClass,
    pub(super) address: Address,
    pub(super) name: Box<[u8]>,
    /// The owner of a mutex, and how often it has it, if that is known.
    pub(super) owner: Option<(ContextId, u8)>,
    /// The threads that wait for a mutex.
    pub(super) waiting: Vec<ContextId>,
}

/// Everything that events have named so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Entities {
    pub(super) threads: Vec<Thread>,
    thread_keys: KeyTable,
    pub(super) objects: Vec<SharedObject>,
    object_keys: HashMap<ObjectClass, KeyTable>,
    pub(super) functions: Vec<IsrFunction>,
    function_keys: KeyTable,
    /// Markers, by the name in place of an address.
    pub(super) markers: Vec<(Address, Box<[u8]>)>,
    marker_keys: KeyTable,
    /// Whether something was not added because there are too many.
    pub(super) is_full: bool,
}

/// The context of a thread.
pub(super) const fn context(thread: u32) -> ContextId {
    ContextId(Contexts::IDLE.0 + 1 + thread)
}

impl Entities {
    /// The thread with a key, which is added if it is new or must be another one than before.
    pub(super) fn thread(&mut self, key: Key<'_>, event: u64, is_new: bool) -> ContextId {
        let known = self.thread_keys.get(key);
        if let Some(thread) = known
            && (!is_new || self.is_unused(thread, event))
        {
            return context(thread);
        }
        if self.threads.len() >= MAX_ENTITIES {
            self.is_full = true;
            return ContextId::UNKNOWN;
        }
        let number = self.threads.len();
        self.threads.push(Thread {
            address: address(key, number),
            name: match key {
                Key::Id(_) => Box::default(),
                Key::Name(name) => name.into(),
            },
            priority: None,
            stack: None,
            has_ended: false,
            first_event: event,
            pending_wait: None,
            wait: None,
            requested: None,
        });
        self.thread_keys.insert(key, number as u32);
        context(number as u32)
    }

    fn is_unused(&self, thread: u32, event: u64) -> bool {
        let thread = self.threads.get(thread as usize);
        thread.is_some_and(|thread| thread.first_event == event)
    }

    /// Whether a thread is the one that its id means now.
    pub(super) fn is_current(&self, number: usize, thread: &Thread) -> bool {
        let is_named = thread.address.0 == FIRST_NAMED_ADDRESS + number as u64;
        is_named || self.thread_keys.get(Key::Id(thread.address.0)) == u32::try_from(number).ok()
    }

    pub(super) fn get_mut(&mut self, thread: ContextId) -> Option<&mut Thread> {
        let number = thread.0.checked_sub(Contexts::IDLE.0 + 1)?;
        self.threads.get_mut(number as usize)
    }

    pub(super) fn get(&self, thread: ContextId) -> Option<&Thread> {
        let number = thread.0.checked_sub(Contexts::IDLE.0 + 1)?;
        self.threads.get(number as usize)
    }

    /// The object of a class with a key.
    pub(super) fn object(&mut self, class: ObjectClass, key: Key<'_>) -> Option<ResourceId> {
        let keys = self.object_keys.entry(class).or_default();
        if let Some(known) = keys.get(key) {
            return Some(ResourceId(known));
        }
        let number = self.objects.len();
        if number >= MAX_ENTITIES {
            self.is_full = true;
            return None;
        }
        keys.insert(key, number as u32);
        self.objects.push(SharedObject {
            class,
            address: address(key, number),
            name: match key {
                Key::Id(_) => Box::default(),
                Key::Name(name) => name.into(),
            },
            owner: None,
            waiting: Vec::new(),
        });
        Some(ResourceId(number as u32))
    }

    pub(super) fn object_mut(&mut self, object: ResourceId) -> Option<&mut SharedObject> {
        self.objects.get_mut(object.index())
    }

    /// The address that stands for the name of a marker.
    pub(super) fn marker(&mut self, name: &[u8]) -> Address {
        let known = self.marker_keys.get(Key::Name(name));
        if let Some((address, _)) = known.and_then(|known| self.markers.get(known as usize)) {
            return *address;
        }
        let number = self.markers.len();
        if number >= MAX_ENTITIES {
            self.is_full = true;
            return Address(0);
        }
        let address = address(Key::Name(name), number);
        self.marker_keys.insert(Key::Name(name), number as u32);
        self.markers.push((address, name.into()));
        address
    }

    /// The index of a handler among the functions. Handlers without a number have a name.
    pub(super) fn function(
        &mut self,
        number: Option<u64>,
        name: Option<&[u8]>,
        encoding: TextEncoding,
    ) -> u32 {
        let name = name.filter(|name| !name.is_empty());
        let key = match (number, name) {
            (None, Some(name)) => Key::Name(name),
            (number, _) => Key::Id(number.unwrap_or(u64::MAX)),
        };
        let known = self.function_keys.get(key);
        let index = known.unwrap_or_else(|| self.add_function(key, number));
        if let Some(function) = self.functions.get_mut(index as usize)
            && let Some(name) = name
            && function
                .name
                .as_ref()
                .is_none_or(|known| known.as_bytes() != name)
        {
            function.name = Some(encoding.name(name));
        }
        index
    }

    fn add_function(&mut self, key: Key<'_>, number: Option<u64>) -> u32 {
        let index = self.functions.len();
        if index >= MAX_ENTITIES {
            self.is_full = true;
            return 0;
        }
        self.function_keys.insert(key, index as u32);
        let name = match number {
            None => "interrupt".to_owned(),
            Some(number) => format!("interrupt {number}"),
        };
        self.functions.push(IsrFunction {
            name: Some(Name::new(name.as_bytes())),
            address: match (key, number) {
                (Key::Id(_), Some(number)) => Address(number),
                _ => address(Key::Name(b""), index),
            },
        });
        index as u32
    }

    /// What threads share, as the interpreter lists it.
    pub(super) fn resources(&self) -> impl Iterator<Item = Resource> {
        let first = self.threads.len() as u32;
        self.objects
            .iter()
            .zip(first..)
            .map(|(object, id)| Resource {
                class: object.class,
                address: object.address,
                object: Some(rtoscope_trace::ObjectId(id)),
                capacity: None,
                owner: None,
            })
    }
}
