//! Objects: queues, mutexes, timers, files, sockets.

use crate::{Address, Name, ObjectId};
use std::fmt;

macro_rules! classes {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal;)*) => {
        /// The class of an object.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum ObjectClass {
            $($(#[doc = $doc])* $variant,)*
        }

        impl ObjectClass {
            /// All classes.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The name in output and data files, e.g. `event-flags`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The class with that name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|class| class.name() == name)
            }
        }
    };
}

classes! {
    /// A thread.
    Thread "thread";
    /// A software timer.
    Timer "timer";
    /// A message queue.
    Queue "queue";
    /// A counting semaphore.
    Semaphore "semaphore";
    /// A mutex.
    Mutex "mutex";
    /// A group of event flags.
    EventFlags "event-flags";
    /// A pool of blocks of one size.
    BlockPool "block-pool";
    /// A pool of bytes (a heap).
    BytePool "byte-pool";
    /// A file system's medium.
    Media "media";
    /// An open file.
    File "file";
    /// An IP instance.
    Ip "ip";
    /// A pool of network packets.
    PacketPool "packet-pool";
    /// A TCP socket.
    TcpSocket "tcp-socket";
    /// A UDP socket.
    UdpSocket "udp-socket";
    /// A device as a USB host sees it.
    UsbHostDevice "usb-host-device";
    /// An interface as a USB host sees it.
    UsbHostInterface "usb-host-interface";
    /// An endpoint as a USB host sees it.
    UsbHostEndpoint "usb-host-endpoint";
    /// A class instance of a USB host.
    UsbHostClass "usb-host-class";
    /// A USB device.
    UsbDevice "usb-device";
    /// An interface of a USB device.
    UsbDeviceInterface "usb-device-interface";
    /// An endpoint of a USB device.
    UsbDeviceEndpoint "usb-device-endpoint";
    /// A class instance of a USB device.
    UsbDeviceClass "usb-device-class";
    /// An active object: a state machine with its own queue.
    ActiveObject "active-object";
    /// A state of a state machine.
    State "state";
    /// A pseudostate of a state machine: history, choice, conditional, entry, exit.
    Pseudostate "pseudostate";
    /// A signal, by its number: the kind of an event for active objects.
    Signal "signal";
    /// A function of the application.
    Function "function";
    /// A sender of events that is not an active object: an interrupt service
    /// routine, a driver.
    Actor "actor";
    /// A pool of events, by its number.
    EventPool "event-pool";
    /// An event that the application records, by its number.
    UserEvent "user-event";
    /// A point of interest or span that the application marks.
    Marker "marker";
    /// A class that the format does not name.
    Unknown "unknown";
}

impl ObjectClass {
    /// Whether an object of this class, by its use in a record, can be
    /// registered with class `of`: the same, or unknown.
    pub fn may_be(self, of: Self) -> bool {
        of == self || of == Self::Unknown && !self.is_numbered()
    }

    /// Whether objects of the class have numbers rather than addresses, so that
    /// 0 is valid.
    pub const fn is_numbered(self) -> bool {
        matches!(self, Self::Signal | Self::EventPool | Self::UserEvent)
    }

    /// The names of the two parameters of an object in the registry; empty for an
    /// unused one.
    pub const fn parameter_names(self) -> [&'static str; 2] {
        match self {
            Self::Thread => ["stack start", "stack bytes"],
            Self::Timer => ["initial ticks", "reschedule ticks"],
            Self::Queue => ["queue size", "message words"],
            Self::Semaphore => ["initial count", ""],
            Self::Mutex => ["inherits priority", ""],
            Self::BlockPool => ["pool bytes", "block bytes"],
            Self::BytePool => ["pool bytes", ""],
            Self::Media => ["FAT cache size", "sector cache size"],
            Self::Ip => ["stack start", "stack bytes"],
            Self::PacketPool => ["payload bytes", "packets"],
            Self::TcpSocket => ["type of service", "window bytes"],
            Self::UdpSocket => ["type of service", "queue maximum"],
            Self::State | Self::Pseudostate => ["active object", ""],
            _ => ["", ""],
        }
    }
}

impl fmt::Display for ObjectClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// An object with a name in the recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    /// Its number in the trace.
    pub id: ObjectId,
    /// Its class.
    pub class: ObjectClass,
    /// The format's number of the class.
    pub type_number: u8,
    /// Its address on the target. Not unique: an address can be reused.
    pub address: Address,
    /// Its name, possibly empty.
    pub name: Name,
    /// Two parameters; their meaning depends on the class, see
    /// [`ObjectClass::parameter_names`]. `None` if the recording has none.
    pub parameters: Option<[u64; 2]>,
    /// A thread's priority at its registration (0 is the highest).
    pub priority: Option<u16>,
    /// Whether it is recorded as deleted.
    pub deleted: bool,
    /// Its slot in the recording's registry, or its place in the recording's list of
    /// objects; `None` for an object that only the firmware's symbols name.
    pub slot: Option<u32>,
}

impl Object {
    /// An object with a known class, address and name, and nothing else. The
    /// trace's [`Objects`] number it.
    pub fn named(class: ObjectClass, address: Address, name: Name) -> Self {
        Self {
            id: ObjectId(0),
            class,
            type_number: 0,
            address,
            name,
            parameters: None,
            priority: None,
            deleted: false,
            slot: None,
        }
    }

    /// The display name: the object's own, or its address if it has none.
    pub fn display_name(&self) -> String {
        if self.name.is_empty() {
            self.address.to_string()
        } else {
            self.name.to_string()
        }
    }

    /// A thread's lowest stack address and the stack's size in bytes; `None` if
    /// not recorded.
    pub fn stack(&self) -> Option<[u64; 2]> {
        let parameters = self.parameters.filter(|[_, size]| *size != 0);
        parameters.filter(|_| self.class == ObjectClass::Thread)
    }

    /// The parameters with their names.
    pub fn named_parameters(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let names = self.class.parameter_names().into_iter();
        let named = names.zip(self.parameters.into_iter().flatten());
        named.filter(|(name, _)| !name.is_empty())
    }
}

/// The objects of a trace, in the order of the recording's registry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Objects {
    all: Vec<Object>,
    /// Sorted by address; among equal addresses, deleted objects come last.
    by_address: Vec<ObjectId>,
    /// Sorted by address, then by class; among equal ones, deleted objects come last.
    by_class: Vec<ObjectId>,
}

impl Objects {
    /// Takes objects in the order of the registry and assigns their numbers.
    pub fn new(mut all: Vec<Object>) -> Self {
        for (object, number) in all.iter_mut().zip(0..) {
            object.id = ObjectId(number);
        }
        let mut by_address: Vec<_> = all.iter().map(|object| object.id).collect();
        by_address.sort_by_cached_key(|id| {
            let object = all.get(id.index());
            object.map(|object| (object.address, object.deleted, object.id))
        });
        // Nearly in order: few addresses are of several classes.
        let mut by_class = by_address.clone();
        by_class.sort_by_key(|id| {
            let object = all.get(id.index());
            object.map(|object| (object.address, object.class))
        });
        Self {
            all,
            by_address,
            by_class,
        }
    }

    /// All objects.
    pub fn iter(&self) -> std::slice::Iter<'_, Object> {
        self.all.iter()
    }

    /// Number of objects.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The object with that number.
    pub fn get(&self, id: ObjectId) -> Option<&Object> {
        self.all.get(id.index())
    }

    /// All objects at an address, deleted ones last.
    pub fn at(&self, address: Address) -> impl Iterator<Item = &Object> {
        let address_of = |id: &ObjectId| self.get(*id).map(|object| object.address);
        let first = self
            .by_address
            .partition_point(|id| address_of(id) < Some(address));
        let found = self.by_address.get(first..).unwrap_or_default();
        let found = found
            .iter()
            .take_while(move |id| address_of(id) == Some(address));
        found.filter_map(|id| self.get(*id))
    }

    /// The object at an address: preferably of `class`, and preferably not
    /// deleted.
    pub fn find(&self, address: Address, class: Option<ObjectClass>) -> Option<&Object> {
        let of_class = class.and_then(|class| self.find_class(address, class));
        of_class.or_else(|| self.at(address).next())
    }

    /// The object at an address if it is of `class`, preferably not deleted.
    pub fn find_class(&self, address: Address, class: ObjectClass) -> Option<&Object> {
        let place = |object: &Object| (object.address, object.class);
        let is_before = |id: &ObjectId| {
            let object = self.get(*id);
            object.is_some_and(|object| place(object) < (address, class))
        };
        let first = self.by_class.partition_point(is_before);
        let found = self.get(*self.by_class.get(first)?)?;
        (place(found) == (address, class)).then_some(found)
    }

    /// The object of `class` at an address: one that is registered with that
    /// class, else one with unknown class.
    pub fn find_as(&self, address: Address, class: ObjectClass) -> Option<&Object> {
        let classes = [class, ObjectClass::Unknown].into_iter();
        let mut classes = classes.filter(|of| class.may_be(*of));
        classes.find_map(|of| self.find_class(address, of))
    }
}

impl<'a> IntoIterator for &'a Objects {
    type Item = &'a Object;
    type IntoIter = std::slice::Iter<'a, Object>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(address: u64, class: ObjectClass, deleted: bool, slot: u32) -> Object {
        Object {
            id: ObjectId(0),
            class,
            type_number: 0,
            address: Address(address),
            name: Name::new(format!("{slot}").as_bytes()),
            parameters: Some([0, 0]),
            priority: None,
            deleted,
            slot: Some(slot),
        }
    }

    #[test]
    fn existing_objects_are_found_before_deleted_ones() {
        let objects = Objects::new(vec![
            object(0x20, ObjectClass::Media, true, 0),
            object(0x10, ObjectClass::Queue, false, 1),
            object(0x20, ObjectClass::Media, false, 2),
            object(0x20, ObjectClass::Thread, true, 3),
        ]);
        let slot = |class| {
            objects
                .find(Address(0x20), class)
                .and_then(|found| found.slot)
        };
        assert_eq!(slot(None), Some(2));
        assert_eq!(slot(Some(ObjectClass::Thread)), Some(3));
        assert_eq!(slot(Some(ObjectClass::Timer)), Some(2));
        assert_eq!(objects.at(Address(0x20)).count(), 3);
        assert_eq!(objects.find(Address(0x30), None), None);
        let timer = objects.find_class(Address(0x20), ObjectClass::Timer);
        assert_eq!(timer, None);
        let objects = Objects::new(vec![object(0x20, ObjectClass::Unknown, false, 7)]);
        let timer = objects.find_as(Address(0x20), ObjectClass::Timer);
        assert_eq!(timer.and_then(|found| found.slot), Some(7));
    }
}
