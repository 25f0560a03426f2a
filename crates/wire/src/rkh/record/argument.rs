use super::{Dialect, Group};
use crate::rkh::id::{EVENT_BITS, short_id, wire_id};
use crate::rkh::{FieldWidth, StreamConfiguration};

/// An argument of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArgumentSpec {
    /// Its short name, as RKH's host tool shows it.
    pub name: &'static str,
    /// Its type, which determines its size.
    pub kind: ArgumentKind,
}

/// The class of the object at an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ObjectClass {
    /// Anything.
    Any,
    /// A memory pool.
    Pool,
    /// A queue.
    Queue,
    /// An active object, or a state machine that is not active.
    ActiveObject,
    /// A state.
    State,
    /// A pseudostate.
    Pseudostate,
    /// A state or a pseudostate; 0 if none.
    Vertex,
    /// A timer.
    Timer,
    /// An object that sends or allocates events: an active object, a timer, an object
    /// that the application declared an actor, or 0.
    Actor,
    /// The memory of an event pool.
    Storage,
}

/// The role of an action: the values of an [`ArgumentKind::Role`]
/// (`RKH_SUBTE_SM_EXE_ACT_…`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ActionRole {
    /// Effect of a transition. RKH 3.4.00 uses it for the initial action too.
    Effect,
    /// Entry of a state.
    Entry,
    /// Exit of a state.
    Exit,
    /// Initial action. RKH 3.4.00 never sends it.
    Initial,
    /// Preprocessor of a state's events.
    Preprocessor,
    /// Guard of a transition. RKH 3.4.00 never sends it.
    Guard,
}

impl ActionRole {
    /// All roles, by number.
    pub const ALL: [Self; 6] = [
        Self::Effect,
        Self::Entry,
        Self::Exit,
        Self::Initial,
        Self::Preprocessor,
        Self::Guard,
    ];

    /// The role with this number; `None` above 5.
    pub fn from_number(number: u32) -> Option<Self> {
        let index = usize::try_from(number).ok()?;
        Self::ALL.get(index).copied()
    }

    /// Name: `effect`, `entry`, `exit`, `initial`, `preprocessor` or `guard`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Effect => "effect",
            Self::Entry => "entry",
            Self::Exit => "exit",
            Self::Initial => "initial",
            Self::Preprocessor => "preprocessor",
            Self::Guard => "guard",
        }
    }
}

/// The type of an argument; [`width`](Self::width) gives its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ArgumentKind {
    /// An object's address.
    Object(ObjectClass),
    /// An object's address, present only if senders are traced.
    Sender(ObjectClass),
    /// A function's address.
    Function,
    /// A function's address, truncated or extended to the size of an object's address.
    FunctionSymbol,
    /// A signal.
    Signal,
    /// Number of blocks of a pool.
    Blocks,
    /// Low-water mark of a pool's free blocks, if pools record it.
    BlocksMinimum,
    /// Size of a block in bytes.
    BlockSize,
    /// Number of elements of a queue.
    Elements,
    /// Low-water mark of a queue's free elements, if queues record it.
    ElementsMinimum,
    /// Ticks of a timer.
    Ticks,
    /// Size of an event in bytes.
    EventSize,
    /// One byte: an event pool, counted from 0.
    EventPool0,
    /// One byte: an event pool, counted from 1; 0 for a static event.
    EventPool1,
    /// One byte: number of references to an event.
    References,
    /// One byte: an active object's priority.
    Priority,
    /// One byte: elements of an active object's queue, modulo 256.
    QueueSize,
    /// One byte: a count.
    Count,
    /// One byte: a count, missing if the frame ends before it.
    OptionalCount,
    /// One byte: the role of an action, see [`ActionRole`].
    Role,
    /// A user's event, 0 to 31, in the size of an id.
    UserEvent,
    /// One byte: an event's id.
    EventId,
    /// An event's id in the size of ids. Its value is the id of one byte.
    FullEventId,
    /// One byte: a group's number.
    GroupId,
    /// One byte: index of an argument.
    ArgumentIndex,
    /// One byte: the return value of the dispatcher.
    ReturnCode,
    /// Four bytes: size of an event pool's memory in bytes.
    StorageSize,
    /// Two bytes: a source line.
    Line16,
    /// Four bytes: a source line.
    Line32,
    /// One byte of the target's configuration.
    U8,
    /// Two bytes of the target's configuration.
    U16,
    /// Four bytes of the target's configuration.
    U32,
    /// A text, terminated by a NUL.
    Text,
}

impl ArgumentKind {
    /// Size on the wire in bytes, 0 to 4: 0 if the argument is absent in this
    /// configuration; `None` for a text, which has a terminator.
    #[inline]
    pub const fn width(self, configuration: &StreamConfiguration) -> Option<usize> {
        Some(match self {
            Self::Object(_) | Self::FunctionSymbol => configuration.address_width().bytes(),
            Self::Sender(_) => width_if(configuration.sender, configuration.address_width()),
            Self::Function => configuration.function_width().bytes(),
            Self::Signal => configuration.signal.bytes(),
            Self::Blocks => configuration.block_count.bytes(),
            Self::BlocksMinimum => {
                width_if(configuration.pool_low_water, configuration.block_count)
            }
            Self::BlockSize => configuration.block_size.bytes(),
            Self::Elements => element_width(configuration).bytes(),
            Self::ElementsMinimum => {
                width_if(configuration.queue_low_water, element_width(configuration))
            }
            Self::Ticks => configuration.timer_ticks.bytes(),
            Self::EventSize => configuration.event_size.bytes(),
            Self::UserEvent | Self::FullEventId => configuration.id.bytes(),
            Self::EventPool0
            | Self::EventPool1
            | Self::References
            | Self::Priority
            | Self::QueueSize
            | Self::Count
            | Self::OptionalCount
            | Self::Role
            | Self::EventId
            | Self::GroupId
            | Self::ArgumentIndex
            | Self::ReturnCode
            | Self::U8 => 1,
            Self::Line16 | Self::U16 => 2,
            Self::StorageSize | Self::Line32 | Self::U32 => 4,
            Self::Text => return None,
        })
    }
}

impl ArgumentKind {
    /// The number on the wire of an argument's value.
    #[inline]
    pub const fn wire_number(self, value: u32, configuration: &StreamConfiguration) -> u32 {
        match self {
            Self::FullEventId => wire_id(value as u8, configuration.id, configuration.dialect),
            _ => value,
        }
    }

    /// The value of a number on the wire: of an event's id, the id of one byte if it has
    /// one. A target with ids of several bytes truncates those of
    /// [`EventId`](Self::EventId), so that only their events remain: those of state
    /// machines.
    #[inline]
    pub(in crate::rkh) fn value(self, number: u32, configuration: &StreamConfiguration) -> u32 {
        match (self, configuration.id) {
            (Self::FullEventId, width) => short_id(number, width).map_or(number, u32::from),
            (Self::EventId, FieldWidth::Two | FieldWidth::Four) if number >> EVENT_BITS == 0 => {
                u32::from(Group::Sm.number()) << EVENT_BITS | number
            }
            _ => number,
        }
    }
}

const fn width_if(present: bool, width: FieldWidth) -> usize {
    if present { width.bytes() } else { 0 }
}

/// Up to RKH 2.4, the macro tests an option that does not exist (`RKH_MP_SIZEOF_NELEM`)
/// and always sends one byte.
const fn element_width(configuration: &StreamConfiguration) -> FieldWidth {
    match configuration.dialect {
        Dialect::Flat | Dialect::V2_3 => FieldWidth::One,
        _ => configuration.element_count,
    }
}
