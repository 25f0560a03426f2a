//! The kinds of events of a format, and the meaning of their arguments.
//!
//! A catalogue is data: code, documentation and all legends derive from it.

use crate::{EventKindId, ObjectClass};
use std::borrow::Cow;
use std::fmt;
use std::ops::{Bound, Range, RangeBounds};

/// A colour: red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Colour(pub [u8; 3]);

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

impl std::str::FromStr for Colour {
    type Err = InvalidColour;

    /// Parses `#rrggbb`, in upper or lower case.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text.strip_prefix('#').ok_or(InvalidColour)?;
        let plain = digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let value = u32::from_str_radix(digits, 16).ok().filter(|_| plain);
        let [_, red, green, blue] = value.ok_or(InvalidColour)?.to_be_bytes();
        Ok(Self([red, green, blue]))
    }
}

/// The text is not a colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a colour as #rrggbb")]
pub struct InvalidColour;

/// The icon of a kind of event: one to three characters, the first in the half
/// with `colour`, the others in the half with `second_colour`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Icon {
    /// One to three characters.
    pub letters: Cow<'static, str>,
    /// The upper, or only, colour.
    pub colour: Colour,
    /// The lower colour.
    pub second_colour: Colour,
}

/// Named values, or bits, of a format.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct NamedValues {
    /// Their common name, e.g. `thread-state`.
    pub name: &'static str,
    /// Whether each value is a set of bits that can be combined.
    pub bits: bool,
    /// The values and their names.
    pub values: &'static [(u64, &'static str)],
    /// How values without a name are displayed.
    pub unnamed: UnnamedFormat,
}

/// How a value without a name among [`NamedValues`] is displayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnnamedFormat {
    /// In decimal.
    Number,
    /// In decimal, as a duration in ticks of the kernel's timer.
    Ticks,
    /// In hexadecimal.
    Hex,
}

macro_rules! meanings {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal;)*) => {
        /// The meaning of an argument's value, which determines its display.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Meaning {
            /// The address of an object of a class.
            Object(ObjectClass),
            /// One of several named values, or bits.
            Named(&'static NamedValues),
            /// A text: the value is its position, see
            /// [`Extras::text`](crate::extras::Extras::text).
            Text,
            $($(#[doc = $doc])* $variant,)*
        }

        impl Meaning {
            const SIMPLE: &[Self] = &[$(Self::$variant),*];

            /// The name in data files, e.g. `ticks`. That of an object is its
            /// class.
            pub const fn name(self) -> &'static str {
                match self {
                    Self::Object(class) => class.name(),
                    Self::Named(names) => names.name,
                    Self::Text => "text",
                    $(Self::$variant => $name,)*
                }
            }

            /// The class of the objects that a value identifies; `Some(None)` for
            /// any class, `None` if values do not identify objects. The name of a
            /// context identifies a thread.
            pub const fn object_class(self) -> Option<Option<ObjectClass>> {
                match self {
                    Self::Object(class) => Some(Some(class)),
                    Self::AnyObject => Some(None),
                    Self::ContextName => Some(Some(ObjectClass::Thread)),
                    _ => None,
                }
            }

            /// The meaning with that name, except [`Meaning::Named`] and
            /// [`Meaning::Text`], which need a format or a decoder.
            pub fn from_name(name: &str) -> Option<Self> {
                let plain = Self::SIMPLE.iter().copied().find(|meaning| meaning.name() == name);
                plain.or_else(|| ObjectClass::from_name(name).map(Self::Object))
            }
        }
    };
}

meanings! {
    /// Any address: a buffer, a function, a string.
    Address "address";
    /// A code address: displayed as function, file and line if
    /// [`Trace::code_locations`](crate::Trace::code_locations) has it.
    Code "code";
    /// The address of an object whose class is not fixed.
    AnyObject "object";
    /// The address of the running context's name: that of a thread, of an
    /// interrupt handler or of the idle loop; 0 for the idle loop. See
    /// [`Contexts::name_at`](crate::Contexts::name_at).
    ContextName "context-name";
    /// A number of things.
    Count "count";
    /// A number of bytes.
    Bytes "bytes";
    /// A duration or a time in ticks of the kernel's timer (not of the trace's clock).
    Ticks "ticks";
    /// A thread's priority or preemption threshold; 0 is the highest.
    Priority "priority";
    /// A stack pointer of the context that logged the event.
    StackPointer "stack-pointer";
    /// The number that the application gave an interrupt service routine.
    IsrNumber "isr-number";
    /// Interrupt nesting, or the exception number on Cortex-M.
    SystemState "system-state";
    /// Bits.
    Flags "flags";
    /// An IPv4 address.
    Ipv4 "ipv4";
    /// A TCP or UDP port.
    Port "port";
    /// A number that identifies or orders something (index, sequence number, sector).
    Number "number";
    /// A signed number.
    Signed "signed";
    /// A word of bits, in hexadecimal.
    Hex "hex";
    /// The origin of an event: 0 for a static one, else the number of an event
    /// pool, from 1.
    EventPool "pool-of-event";
}

impl fmt::Display for Meaning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// An argument of a kind of event.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ArgumentDef {
    /// Its name, as in the kernel's documentation.
    pub name: Cow<'static, str>,
    /// What its value means.
    pub meaning: Meaning,
}

/// A kind of event.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EventKind {
    /// Its number in the format.
    pub id: EventKindId,
    /// The symbol in the kernel's source, e.g. `TX_TRACE_QUEUE_SEND`; empty for
    /// an application's own kind.
    pub symbol: Cow<'static, str>,
    /// The display name, e.g. `tx_queue_send`.
    pub name: Cow<'static, str>,
    /// The software component it belongs to, e.g. `filex`.
    pub component: Cow<'static, str>,
    /// Whether the kernel logs it by itself rather than in a call.
    pub internal: bool,
    /// Its icon.
    pub icon: Icon,
    /// The arguments by position; `None` where nothing is recorded.
    pub arguments: [Option<ArgumentDef>; 4],
    /// Further content after the arguments.
    pub extras: ExtrasLayout,
    /// The part of a marker that its events are, if any.
    pub marker: Option<MarkerRole>,
}

/// The part of a marker that an event is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MarkerRole {
    /// What happens to the marker.
    pub action: MarkerAction,
    /// The marker's name, if it is that of the kind: the first argument is then the
    /// value. `None` if the first argument is the marker, an object with its name, and
    /// the second is the value.
    pub name: Option<Cow<'static, str>>,
}

/// What happens to a marker at an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MarkerAction {
    /// A span begins.
    Begin,
    /// The span of the same name and value ends.
    End,
    /// A point in time without a duration.
    Instant,
    /// A span is open whose begin is not recorded.
    Open,
    /// A span begins, and ends the one of the same name whatever its value.
    Change,
    /// Whether the span of the same name and value is still open is not known any more.
    Lose,
}

impl MarkerAction {
    /// All actions.
    pub const ALL: [Self; 6] = [
        Self::Begin,
        Self::End,
        Self::Instant,
        Self::Open,
        Self::Change,
        Self::Lose,
    ];

    /// The name in output and data files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Begin => "begin",
            Self::End => "end",
            Self::Instant => "instant",
            Self::Open => "open",
            Self::Change => "change",
            Self::Lose => "lose",
        }
    }
}

/// The content of records of a kind after the four arguments of the columns,
/// see [`Extras`](crate::extras::Extras).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ExtrasLayout {
    /// These arguments, by position; `None` where nothing is recorded.
    Arguments(Cow<'static, [Option<ArgumentDef>]>),
    /// Self-describing items, see [`TypedItem`](crate::extras::TypedItem).
    Items,
}

impl ExtrasLayout {
    /// No further content.
    pub const NONE: Self = Self::Arguments(Cow::Borrowed(&[]));
}

impl EventKind {
    /// All arguments by position: those of the columns and the further ones.
    pub fn all_arguments(&self) -> impl Iterator<Item = Option<&ArgumentDef>> {
        let more = match &self.extras {
            ExtrasLayout::Arguments(more) => more.as_ref(),
            ExtrasLayout::Items => &[],
        };
        self.arguments.iter().chain(more).map(Option::as_ref)
    }

    /// The class of the event's object, which is always its first argument.
    pub fn object_class(&self) -> Option<ObjectClass> {
        match self.arguments.first() {
            Some(Some(ArgumentDef {
                meaning: Meaning::Object(class),
                ..
            })) => Some(*class),
            _ => None,
        }
    }
}

/// The kinds of events of a format, including those that the application added.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Catalogue {
    /// Sorted by number.
    kinds: Vec<EventKind>,
    /// The number range of an application's kinds, also without an entry. Its end
    /// may be 2^32.
    user_numbers: Range<u64>,
}

impl Catalogue {
    /// Creates a catalogue. If two kinds share a number, the later one counts.
    pub fn new(kinds: impl IntoIterator<Item = EventKind>) -> Self {
        let mut catalogue = Self::default();
        catalogue.extend(kinds);
        catalogue
    }

    /// Sets the number range of an application's kinds; numbers in it that have an
    /// entry belong to the entry's component.
    pub fn with_user_numbers(mut self, numbers: impl RangeBounds<u32>) -> Self {
        let start = match numbers.start_bound() {
            Bound::Included(first) => u64::from(*first),
            Bound::Excluded(before) => u64::from(*before) + 1,
            Bound::Unbounded => 0,
        };
        let end = match numbers.end_bound() {
            Bound::Included(last) => u64::from(*last) + 1,
            Bound::Excluded(after) => u64::from(*after),
            Bound::Unbounded => 1 << u32::BITS,
        };
        self.user_numbers = start..end;
        self
    }

    /// Whether it has a kind with that number, or the number is an application's.
    pub fn is_defined(&self, id: EventKindId) -> bool {
        self.get(id).is_some() || self.is_user_number(id)
    }

    /// Whether an application may have kinds without an entry.
    pub fn has_user_numbers(&self) -> bool {
        !self.user_numbers.is_empty()
    }

    /// Whether the number is one for kinds of an application.
    pub fn is_user_number(&self, id: EventKindId) -> bool {
        self.user_numbers.contains(&id.0.into())
    }

    /// All kinds, by number.
    pub fn iter(&self) -> std::slice::Iter<'_, EventKind> {
        self.kinds.iter()
    }

    /// Number of kinds.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// The kind with that number.
    pub fn get(&self, id: EventKindId) -> Option<&EventKind> {
        let found = self.kinds.binary_search_by_key(&id, |kind| kind.id);
        found.ok().and_then(|index| self.kinds.get(index))
    }

    /// The name of a kind, or its number if it is not in the catalogue.
    pub fn name(&self, id: EventKindId) -> Cow<'_, str> {
        match self.get(id) {
            Some(kind) => Cow::Borrowed(&kind.name),
            None if self.is_user_number(id) => Cow::Owned(format!("user event {id}")),
            None => Cow::Owned(format!("event {id}")),
        }
    }

    /// The component of a kind; if it is not in the catalogue, `user` for an
    /// application's number, else `unknown`.
    pub fn component(&self, id: EventKindId) -> &str {
        match self.get(id) {
            Some(kind) => &kind.component,
            None if self.is_user_number(id) => "user",
            None => "unknown",
        }
    }
}

impl Extend<EventKind> for Catalogue {
    fn extend<T: IntoIterator<Item = EventKind>>(&mut self, kinds: T) {
        self.kinds.extend(kinds);
        // Stable, so that among equal numbers the last added stays the last.
        self.kinds.sort_by_key(|kind| kind.id);
        self.kinds.reverse();
        self.kinds.dedup_by_key(|kind| kind.id);
        self.kinds.reverse();
    }
}

impl<'a> IntoIterator for &'a Catalogue {
    type Item = &'a EventKind;
    type IntoIter = std::slice::Iter<'a, EventKind>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(id: u32, name: &'static str) -> EventKind {
        EventKind {
            id: EventKindId(id),
            symbol: "".into(),
            name: name.into(),
            component: "test".into(),
            internal: false,
            icon: Icon {
                letters: "T".into(),
                colour: Colour::default(),
                second_colour: Colour::default(),
            },
            arguments: [const { None }; 4],
            extras: ExtrasLayout::NONE,
            marker: None,
        }
    }

    #[test]
    fn later_kinds_replace_earlier_ones() {
        let mut catalogue = Catalogue::new([kind(2, "two"), kind(1, "one")]);
        catalogue.extend([kind(2, "deux")]);
        assert_eq!(catalogue.len(), 2);
        assert_eq!(catalogue.name(EventKindId(2)), "deux");
        assert_eq!(catalogue.name(EventKindId(9)), "event 9");
        assert_eq!(catalogue.component(EventKindId(9)), "unknown");
        let catalogue = catalogue.with_user_numbers(9..20);
        assert_eq!(catalogue.name(EventKindId(9)), "user event 9");
        assert_eq!(catalogue.component(EventKindId(9)), "user");
        assert_eq!(catalogue.component(EventKindId(20)), "unknown");
        let catalogue = catalogue.with_user_numbers(2..);
        assert_eq!(catalogue.component(EventKindId(1)), "test");
        assert_eq!(catalogue.component(EventKindId(2)), "test");
        assert_eq!(catalogue.component(EventKindId(u32::MAX)), "user");
        assert!(catalogue.is_defined(EventKindId(2)) && catalogue.is_defined(EventKindId(3)));
        assert!(!catalogue.is_defined(EventKindId(0)));
    }

    #[test]
    fn meanings_have_unique_names() {
        for meaning in Meaning::SIMPLE {
            assert_eq!(Meaning::from_name(meaning.name()), Some(*meaning));
        }
        for class in ObjectClass::ALL {
            let meaning = Meaning::Object(*class);
            assert_eq!(Meaning::from_name(class.name()), Some(meaning));
        }
    }

    #[test]
    fn colours_round_trip() {
        assert_eq!("#FF64c8".parse(), Ok(Colour([0xFF, 0x64, 0xC8])));
        assert_eq!(Colour([255, 100, 200]).to_string(), "#ff64c8");
        assert_eq!("#ff64c".parse::<Colour>(), Err(InvalidColour));
        assert_eq!("ff64c8".parse::<Colour>(), Err(InvalidColour));
        assert_eq!("#+f64c8".parse::<Colour>(), Err(InvalidColour));
    }
}
