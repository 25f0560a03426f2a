use crate::{ByteOrder, WireError, Word};

/// Flag on [`EntryKind::InterruptsDisabled`] and [`EntryKind::InterruptsRestored`]:
/// interrupts were disabled before this entry (`TX_DEBUG_PREVIOUSLY_DISABLED`). An
/// interrupts-off section starts at a disable without the flag and ends at a restore with
/// it.
pub const PREVIOUSLY_DISABLED: u32 = 0x20;

/// The kind of an entry (`TX_DEBUG_…` in the article). Kinds from 16 on are rtoscope's
/// extension: a reader of the article's kinds alone skips them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum EntryKind {
    /// The processor leaves the idle loop.
    Wake = 0,
    /// The processor enters the idle loop.
    Sleep = 1,
    /// The scheduler resumes a thread that had suspended itself.
    SyncResume = 2,
    /// The scheduler resumes a thread that an interrupt had preempted.
    AsyncResume = 3,
    /// An interrupt returns to the interrupted thread.
    IsrReturn = 4,
    /// An interrupt handler begins.
    IsrEnter = 5,
    /// An interrupt handler ends.
    IsrExit = 6,
    /// Interrupts are disabled from here on: by a request, or because the end of the
    /// inner of two nested sections restores this state.
    InterruptsDisabled = 7,
    /// Interrupts are enabled from here on.
    InterruptsRestored = 8,
    /// A span that the application marks begins. The entry's name is the marker's, and
    /// its address word is a value of the application.
    MarkerBegin = 16,
    /// The span of the same name and value ends.
    MarkerEnd = 17,
    /// A point of interest without a duration.
    MarkerInstant = 18,
    /// A thread becomes ready to run. The entry's name is the thread's, and its address word
    /// is 0.
    Ready = 19,
    /// The running thread stops being ready. Its address word is the reason: a number of
    /// ThreadX's thread states (`tx_thread_state`), such as 5 for a queue. The word of the name
    /// is the address to which the call returns that made the thread wait, 0 if unknown.
    Wait = 20,
    /// Time passes without an event, so that the counter does not wrap unnoticed between two
    /// entries.
    Time = 21,
    /// The recorder suppresses groups of entries from here on. Its address word is their
    /// sum: see [`EntryGroup`](super::command::EntryGroup).
    Filter = 25,
    /// A formatted event. The word of the name is the address of its format string, and the
    /// address word its first value, 0 if it has none.
    Formatted = 28,
    /// The next two values of the formatted event before it: address word and name.
    FormatValues = 29,
    /// The stack at the entry before it: the words are the stack pointer and the link
    /// register. Further entries follow, up to [`EntryKind::StackEnd`]; those of an
    /// interrupt may be in between, with complete stacks of their own.
    StackBegin = 64,
    /// The program counter, and the frame pointer of Thumb code (R7).
    StackRegisters = 65,
    /// The next two words of the stack, in the order of their addresses.
    StackWords = 66,
    /// The number of recorded words, with [`STACK_IS_COMPLETE`] if they reach the
    /// stack's end; and the frame pointer of ARM code (R11), or of another processor.
    StackEnd = 67,
    /// A fault: the last entry of a log that a fault handler froze. Its address is the code
    /// address of the fault, 0 if unknown.
    Fault = 80,
}

/// Flag on the word count of [`EntryKind::StackEnd`]: the words reach the end of the
/// stack.
pub const STACK_IS_COMPLETE: u32 = 1 << 31;

impl EntryKind {
    /// Every kind, in the order of their numbers.
    pub const ALL: [Self; 23] = [
        Self::Wake,
        Self::Sleep,
        Self::SyncResume,
        Self::AsyncResume,
        Self::IsrReturn,
        Self::IsrEnter,
        Self::IsrExit,
        Self::InterruptsDisabled,
        Self::InterruptsRestored,
        Self::MarkerBegin,
        Self::MarkerEnd,
        Self::MarkerInstant,
        Self::Ready,
        Self::Wait,
        Self::Time,
        Self::Filter,
        Self::Formatted,
        Self::FormatValues,
        Self::StackBegin,
        Self::StackRegisters,
        Self::StackWords,
        Self::StackEnd,
        Self::Fault,
    ];

    /// The kind for the type word of an entry, without [`PREVIOUSLY_DISABLED`].
    pub const fn from_number(number: u32) -> Option<Self> {
        Some(match number {
            0 => Self::Wake,
            1 => Self::Sleep,
            2 => Self::SyncResume,
            3 => Self::AsyncResume,
            4 => Self::IsrReturn,
            5 => Self::IsrEnter,
            6 => Self::IsrExit,
            7 => Self::InterruptsDisabled,
            8 => Self::InterruptsRestored,
            16 => Self::MarkerBegin,
            17 => Self::MarkerEnd,
            18 => Self::MarkerInstant,
            19 => Self::Ready,
            20 => Self::Wait,
            21 => Self::Time,
            25 => Self::Filter,
            28 => Self::Formatted,
            29 => Self::FormatValues,
            64 => Self::StackBegin,
            65 => Self::StackRegisters,
            66 => Self::StackWords,
            67 => Self::StackEnd,
            80 => Self::Fault,
            _ => return None,
        })
    }

    /// The name without a prefix: that of the article is `TX_DEBUG_`, that of the
    /// extension `RTO_`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wake => "WAKE",
            Self::Sleep => "SLEEP",
            Self::SyncResume => "SYNC_RESUME",
            Self::AsyncResume => "ASYNC_RESUME",
            Self::IsrReturn => "ISR_RETURN",
            Self::IsrEnter => "ISR_ENTER",
            Self::IsrExit => "ISR_EXIT",
            Self::InterruptsDisabled => "INT_DISABLE",
            Self::InterruptsRestored => "INT_RESTORE",
            Self::MarkerBegin => "MARKER_BEGIN",
            Self::MarkerEnd => "MARKER_END",
            Self::MarkerInstant => "MARKER",
            Self::Ready => "READY",
            Self::Wait => "WAIT",
            Self::Time => "TIME",
            Self::Filter => "FILTER",
            Self::Formatted => "FORMATTED",
            Self::FormatValues => "FORMAT_VALUES",
            Self::StackBegin => "STACK_BEGIN",
            Self::StackRegisters => "STACK_REGISTERS",
            Self::StackWords => "STACK_WORDS",
            Self::StackEnd => "STACK_END",
            Self::Fault => "FAULT",
        }
    }

    /// Whether the kind is rtoscope's extension of the article's kinds.
    pub const fn is_extension(self) -> bool {
        self as u32 >= Self::MarkerBegin as u32
    }

    /// Whether the entry is a part of a recorded stack: its words are no pointers to
    /// code and a name.
    pub const fn is_stack(self) -> bool {
        matches!(
            self,
            Self::StackBegin | Self::StackRegisters | Self::StackWords | Self::StackEnd
        )
    }

    /// Whether [`PREVIOUSLY_DISABLED`] is valid for this kind.
    pub const fn allows_previously_disabled(self) -> bool {
        matches!(self, Self::InterruptsDisabled | Self::InterruptsRestored)
    }
}

/// Size of a pointer on the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PointerSize {
    /// 4 bytes: entries have 16 bytes.
    Four,
    /// 8 bytes: entries have 24 bytes.
    Eight,
}

impl PointerSize {
    /// The size in bytes: 4 or 8.
    pub const fn bytes(self) -> usize {
        match self {
            Self::Four => 4,
            Self::Eight => 8,
        }
    }

    /// The size for a number of bytes; `None` unless it is 4 or 8.
    pub const fn from_bytes(bytes: usize) -> Option<Self> {
        match bytes {
            4 => Some(Self::Four),
            8 => Some(Self::Eight),
            _ => None,
        }
    }

    /// Length of an entry: 16 or 24 bytes.
    pub const fn entry_bytes(self) -> usize {
        2 * u32::BYTES + 2 * self.bytes()
    }

    fn read(self, bytes: &[u8], order: ByteOrder) -> Option<u64> {
        match self {
            Self::Four => u32::read(bytes, order).map(u64::from),
            Self::Eight => u64::read(bytes, order),
        }
    }

    fn write(self, value: u64, bytes: &mut [u8], order: ByteOrder) -> Option<()> {
        match self {
            Self::Four => u32::low_bits(value).write(bytes, order),
            Self::Eight => value.write(bytes, order),
        }
    }
}

/// An entry as in memory, not validated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogEntry {
    /// The number of an [`EntryKind`], optionally with [`PREVIOUSLY_DISABLED`].
    pub kind: u32,
    /// The cycle counter in ticks; it wraps.
    pub counter: u32,
    /// The code address: a return address, the program counter of an exception, or the
    /// address of an interrupt handler. The value of a marker.
    pub address: u64,
    /// Address of the NUL-terminated name of the thread or of the marker; interrupt
    /// handlers use the string `ISR`.
    pub name: u64,
}

const STRUCTURE: &str = "an entry of a context-switch log";

impl LogEntry {
    /// Reads the entry at the start of `bytes`.
    ///
    /// # Errors
    /// [`WireError::TooShort`] if `bytes` has fewer than [`PointerSize::entry_bytes`]
    /// bytes.
    #[inline]
    pub fn read(bytes: &[u8], size: PointerSize, order: ByteOrder) -> Result<Self, WireError> {
        let field = |at: usize| bytes.get(at..).unwrap_or_default();
        let words = || {
            Some(Self {
                kind: u32::read(bytes, order)?,
                counter: u32::read(field(4), order)?,
                address: size.read(field(8), order)?,
                name: size.read(field(8 + size.bytes()), order)?,
            })
        };
        words().ok_or_else(|| too_short(size, bytes.len()))
    }

    /// Writes the entry to the start of `bytes`. Pointers of 4 bytes keep the low 32
    /// bits.
    ///
    /// # Errors
    /// As [`LogEntry::read`]; the content of `bytes` is then unspecified.
    pub fn write(
        self,
        bytes: &mut [u8],
        size: PointerSize,
        order: ByteOrder,
    ) -> Result<(), WireError> {
        let available = bytes.len();
        let mut put = || {
            self.kind.write(bytes, order)?;
            self.counter.write(bytes.get_mut(4..)?, order)?;
            size.write(self.address, bytes.get_mut(8..)?, order)?;
            size.write(self.name, bytes.get_mut(8 + size.bytes()..)?, order)
        };
        put().ok_or_else(|| too_short(size, available))
    }
}

fn too_short(size: PointerSize, available: usize) -> WireError {
    WireError::TooShort {
        structure: STRUCTURE,
        needed: size.entry_bytes(),
        available,
    }
}
