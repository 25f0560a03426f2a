//! Decodes entries into columns.

use super::UNFINISHED;
use super::context_ids::{AddressUses, ContextIds, EpochPosition};
use super::log::{CoreLog, EntryLayout, MissingEntries};
use super::ring_order::is_unwritten;
use super::woken_threads::WokenThreads;
use rtoscope_trace::event::PriorityWord;
use rtoscope_trace::{ContextId, Contexts, EventKindId};
use rtoscope_wire::Word;
use rtoscope_wire::cswitch::command::EntryGroup;
use rtoscope_wire::cswitch::{EntryKind, LogEntry, PREVIOUSLY_DISABLED};

/// The entries of one core, oldest first. `W` has the width of a pointer.
#[derive(Debug, Clone, Default)]
pub(super) struct LogColumns<W> {
    pub(super) timestamp: Vec<W>,
    pub(super) context: Vec<ContextId>,
    pub(super) kind: Vec<EventKindId>,
    pub(super) priority_word: Vec<PriorityWord>,
    pub(super) arguments: Vec<[W; 4]>,
}

/// Counts and properties found while decoding.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct DecodeStats {
    /// Events after missing entries, and the number of missing entries if it is
    /// known.
    pub(super) gaps: Vec<(usize, Option<u64>)>,
    /// Events before which the target restarted, and the number of restarts so far.
    pub(super) restarts: Vec<(usize, usize)>,
    /// Entries of unknown types, and the first of them: its type and the number
    /// of the following event.
    pub(super) unknown_entries: u64,
    pub(super) first_unknown_entry: Option<(u32, usize)>,
    /// Half-written entries.
    pub(super) unfinished_entries: u64,
    /// Slots that were never written.
    pub(super) unused_slots: u64,
    /// Whether interrupt exits are recorded.
    pub(super) records_handler_exits: bool,
    /// Whether interrupt handlers are recorded.
    pub(super) records_handlers: bool,
    /// Whether thread resumptions are recorded.
    pub(super) records_resumes: bool,
    /// Whether it is recorded when threads become ready, and when they start to wait.
    pub(super) records_ready: bool,
    pub(super) records_waits: bool,
    /// The groups of entries that the recorder suppressed at some time: a sum of bits.
    pub(super) suppressed_groups: u64,
    /// Whether stacks are recorded.
    pub(super) records_stacks: bool,
    /// Sleep entries while the processor is asleep already.
    pub(super) repeated_sleeps: AnomalyCount,
    /// Wake entries while the processor is awake already, other than those of exceptions
    /// that interrupt a thread.
    pub(super) redundant_wakes: AnomalyCount,
    /// Whether the processor is asleep after the last entry, if known.
    is_asleep: Option<bool>,
    woken_threads: WokenThreads,
    running: RunningState,
}

/// What the core runs after an entry: the context of markers, whose entries do not name
/// it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct RunningState {
    /// The context outside interrupt handlers.
    context: ContextId,
    /// Number of handlers that have begun and not ended.
    handlers: u32,
}

impl Default for RunningState {
    fn default() -> Self {
        Self {
            context: ContextId::UNKNOWN,
            handlers: 0,
        }
    }
}

/// Events that contradict the events before them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct AnomalyCount {
    pub(super) count: u64,
    /// The number of the first of them.
    pub(super) first: usize,
}

impl AnomalyCount {
    #[cold]
    pub(super) fn count_event(&mut self, event: usize) {
        self.first = match self.count {
            0 => event,
            _ => event.min(self.first),
        };
        self.count += 1;
    }
}

/// The subject of each entry type, indexed by type number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EntrySubject {
    Nothing,
    Wake,
    Idle,
    Thread,
    Return,
    Handler,
    Lock,
    Marker,
    Ready,
    Wait,
    Time,
    Filter,
    Formatted,
    FormatValues,
    Fault,
    Stack,
}

/// Values in an [`EntryKind::FormatValues`].
const VALUES_PER_ENTRY: u64 = 2;

const ENTRY_TYPE_COUNT: usize = EntryKind::Fault as usize + 1;

const ENTRY_SUBJECTS: [EntrySubject; ENTRY_TYPE_COUNT] = {
    let mut table = [EntrySubject::Nothing; ENTRY_TYPE_COUNT];
    let again = PREVIOUSLY_DISABLED as usize;
    table[EntryKind::Wake as usize] = EntrySubject::Wake;
    table[EntryKind::Sleep as usize] = EntrySubject::Idle;
    table[EntryKind::SyncResume as usize] = EntrySubject::Thread;
    table[EntryKind::AsyncResume as usize] = EntrySubject::Thread;
    table[EntryKind::IsrReturn as usize] = EntrySubject::Return;
    table[EntryKind::IsrEnter as usize] = EntrySubject::Handler;
    table[EntryKind::IsrExit as usize] = EntrySubject::Handler;
    table[EntryKind::InterruptsDisabled as usize] = EntrySubject::Lock;
    table[EntryKind::InterruptsRestored as usize] = EntrySubject::Lock;
    table[EntryKind::MarkerBegin as usize] = EntrySubject::Marker;
    table[EntryKind::MarkerEnd as usize] = EntrySubject::Marker;
    table[EntryKind::MarkerInstant as usize] = EntrySubject::Marker;
    table[EntryKind::Ready as usize] = EntrySubject::Ready;
    table[EntryKind::Wait as usize] = EntrySubject::Wait;
    table[EntryKind::Time as usize] = EntrySubject::Time;
    table[EntryKind::Filter as usize] = EntrySubject::Filter;
    table[EntryKind::Formatted as usize] = EntrySubject::Formatted;
    table[EntryKind::FormatValues as usize] = EntrySubject::FormatValues;
    table[EntryKind::StackBegin as usize] = EntrySubject::Stack;
    table[EntryKind::StackRegisters as usize] = EntrySubject::Stack;
    table[EntryKind::StackWords as usize] = EntrySubject::Stack;
    table[EntryKind::StackEnd as usize] = EntrySubject::Stack;
    table[EntryKind::Fault as usize] = EntrySubject::Fault;
    table[EntryKind::InterruptsDisabled as usize + again] = EntrySubject::Lock;
    table[EntryKind::InterruptsRestored as usize + again] = EntrySubject::Lock;
    table
};

impl<W: Word> LogColumns<W> {
    /// Decodes the log of one core.
    pub(super) fn decode(
        log: &CoreLog<'_>,
        place: usize,
        layout: EntryLayout,
        known: &mut ContextIds<'_>,
    ) -> (Self, DecodeStats) {
        let size = layout.entry_bytes();
        let slots: usize = log.parts.iter().map(|part| part.bytes.len() / size).sum();
        // Zeroed columns cost nothing until their pages are touched.
        let mut columns = Self {
            timestamp: vec![W::default(); slots],
            context: vec![ContextId(0); slots],
            kind: vec![EventKindId(0); slots],
            priority_word: vec![PriorityWord(0); slots],
            arguments: vec![[W::default(); 4]; slots],
        };
        let mut stats = DecodeStats::default();
        let mut events = 0;
        let mut epoch = None;
        for part in &log.parts {
            if part.missing != MissingEntries::None {
                stats.forget();
            }
            let before = epoch.replace(part.epoch);
            if before != epoch {
                known.set_position(EpochPosition {
                    epoch: part.epoch,
                    place,
                    event: events,
                });
            }
            let restarts = known.restarts_until(part.epoch);
            match part.missing {
                _ if before.is_some_and(|before| known.restarts_until(before) != restarts) => {
                    stats.restarts.push((events, restarts));
                }
                MissingEntries::None => {}
                MissingEntries::Known(count) => stats.gaps.push((events, Some(count))),
                MissingEntries::Unknown => stats.gaps.push((events, None)),
            }
            events += columns.fill(events, part.bytes, layout, known, &mut stats);
        }
        columns.truncate(events);
        (columns, stats)
    }

    /// Decodes entries into the columns from an event on; returns the number of
    /// events.
    fn fill(
        &mut self,
        first: usize,
        bytes: &[u8],
        layout: EntryLayout,
        known: &mut ContextIds<'_>,
        stats: &mut DecodeStats,
    ) -> usize {
        let mut events = 0;
        // The arguments of the formatted event to which the next entry may add values.
        let mut formatted: Option<&mut [W; 4]> = None;
        let mut places = column_tail(&mut self.timestamp, first)
            .zip(column_tail(&mut self.context, first))
            .zip(column_tail(&mut self.kind, first))
            .zip(column_tail(&mut self.priority_word, first))
            .zip(column_tail(&mut self.arguments, first));
        for bytes in bytes.chunks_exact(layout.entry_bytes()) {
            let Some(entry) = layout.read(bytes) else {
                break;
            };
            let about = ENTRY_SUBJECTS.get(entry.kind as usize).copied();
            let about = about.unwrap_or(EntrySubject::Nothing);
            if about == EntrySubject::FormatValues
                && let Some([_, _, _, count]) = &mut formatted
                && known.push_format_values(&entry, (*count).into())
            {
                *count = W::low_bits(Into::<u64>::into(*count) + VALUES_PER_ENTRY);
                continue;
            }
            formatted = None;
            if about == EntrySubject::Nothing
                || about == EntrySubject::FormatValues
                || entry.kind == 0 && is_unwritten(bytes)
            {
                stats.skip_entry(&entry, bytes, first + events);
                continue;
            }
            let (who, how) = entry_context(about, &entry, known, stats);
            stats.track_sleep(about, entry.kind, who, first + events);
            let Some(((((stamp, context), kind), standing), arguments)) = places.next() else {
                break;
            };
            *stamp = W::low_bits(entry.counter.into());
            *context = who;
            *kind = EventKindId(entry.kind);
            *standing = how;
            *arguments = match about {
                EntrySubject::Marker => [entry.name, entry.address, 0, 0].map(W::low_bits),
                EntrySubject::Wait => [entry.address, entry.name, 0, 0].map(W::low_bits),
                EntrySubject::Formatted => {
                    let values = known.format_values().len() as u64;
                    [entry.name, entry.address, values, 0].map(W::low_bits)
                }
                EntrySubject::Fault | EntrySubject::Time | EntrySubject::Filter => {
                    [entry.address, 0, 0, 0].map(W::low_bits)
                }
                EntrySubject::Ready => [entry.name, 0, 0, 0].map(W::low_bits),
                _ => {
                    stats.running.update(&entry, who);
                    [entry.address, entry.name, 0, 0].map(W::low_bits)
                }
            };
            if about == EntrySubject::Formatted {
                formatted = Some(arguments);
            }
            events += 1;
        }
        events
    }

    fn truncate(&mut self, events: usize) {
        self.timestamp.truncate(events);
        self.context.truncate(events);
        self.kind.truncate(events);
        self.priority_word.truncate(events);
        self.arguments.truncate(events);
    }
}

fn column_tail<T>(column: &mut [T], first: usize) -> std::slice::IterMut<'_, T> {
    column.get_mut(first..).unwrap_or_default().iter_mut()
}

/// The context of an entry and its priority word.
#[inline(always)]
fn entry_context(
    about: EntrySubject,
    entry: &LogEntry,
    known: &mut ContextIds<'_>,
    stats: &mut DecodeStats,
) -> (ContextId, PriorityWord) {
    match about {
        EntrySubject::Handler => {
            known.handler(entry.name);
            known.address(entry.address, AddressUses::HANDLER);
            (
                Contexts::INTERRUPT,
                PriorityWord::interrupted(ContextId::UNKNOWN),
            )
        }
        EntrySubject::Lock => {
            known.address(entry.address, AddressUses::RETURN);
            match known.interrupt_locker(entry.name) {
                Contexts::INTERRUPT => (
                    Contexts::INTERRUPT,
                    PriorityWord::interrupted(ContextId::UNKNOWN),
                ),
                thread => (thread, PriorityWord::NO_PRIORITY),
            }
        }
        EntrySubject::Marker => {
            known.marker(entry.name);
            stats.running.context_and_priority()
        }
        EntrySubject::Ready => {
            stats.records_ready = true;
            known.thread(entry.name);
            stats.running.context_and_priority()
        }
        EntrySubject::Wait => {
            stats.records_waits = true;
            if entry.name != 0 {
                known.address(entry.name, AddressUses::RETURN);
            }
            stats.running.context_and_priority()
        }
        EntrySubject::Time | EntrySubject::Formatted | EntrySubject::FormatValues => {
            stats.running.context_and_priority()
        }
        EntrySubject::Filter => {
            stats.suppressed_groups |= entry.address;
            stats.running.context_and_priority()
        }
        EntrySubject::Fault => {
            if entry.address != 0 {
                known.address(entry.address, AddressUses::CODE);
            }
            stats.running.context_and_priority()
        }
        EntrySubject::Stack => {
            stats.records_stacks = true;
            stats.running.context_and_priority()
        }
        EntrySubject::Thread | EntrySubject::Return => {
            stats.records_handler_exits |= about == EntrySubject::Return;
            known.address(entry.address, AddressUses::CODE);
            (known.thread(entry.name), PriorityWord::NO_PRIORITY)
        }
        EntrySubject::Wake => {
            known.idle(entry.name);
            known.address(entry.address, AddressUses::CODE);
            (
                Contexts::INTERRUPT,
                PriorityWord::interrupted(Contexts::IDLE),
            )
        }
        EntrySubject::Idle | EntrySubject::Nothing => {
            known.idle(entry.name);
            known.address(entry.address, AddressUses::CODE);
            (Contexts::IDLE, PriorityWord::NO_PRIORITY)
        }
    }
}

impl RunningState {
    fn context_and_priority(self) -> (ContextId, PriorityWord) {
        match self {
            Self {
                handlers: 0,
                context,
            } if context != Contexts::INTERRUPT => (context, PriorityWord::NO_PRIORITY),
            _ => (
                Contexts::INTERRUPT,
                PriorityWord::interrupted(ContextId::UNKNOWN),
            ),
        }
    }

    /// Follows an entry of `context` that is no marker.
    #[inline(always)]
    fn update(&mut self, entry: &LogEntry, context: ContextId) {
        const WAKE: u32 = EntryKind::Wake as u32;
        const RETURN: u32 = EntryKind::IsrReturn as u32;
        const ENTER: u32 = EntryKind::IsrEnter as u32;
        const EXIT: u32 = EntryKind::IsrExit as u32;
        match entry.kind {
            WAKE..=RETURN => {
                *self = Self {
                    context,
                    handlers: 0,
                }
            }
            ENTER => self.handlers = self.handlers.saturating_add(1),
            EXIT => self.handlers = self.handlers.saturating_sub(1),
            _ => {}
        }
    }
}

impl DecodeStats {
    /// Whether the recorder suppressed a group at some time.
    pub(super) fn suppresses(&self, group: EntryGroup) -> bool {
        self.suppressed_groups & u64::from(group.bit()) != 0
    }

    /// Tracks whether the processor is asleep after an entry. A handler may run
    /// during the sleep: some recorders wake before it, others do not.
    #[inline(always)]
    fn track_sleep(&mut self, about: EntrySubject, kind: u32, context: ContextId, event: usize) {
        match about {
            EntrySubject::Idle => {
                if self.is_asleep == Some(true) {
                    self.repeated_sleeps.count_event(event);
                }
                self.is_asleep = Some(true);
                // An idle core has no interrupted thread: these had suspended themselves.
                while let Some(event) = self.woken_threads.take_last() {
                    self.redundant_wakes.count_event(event);
                }
            }
            EntrySubject::Wake => {
                if self.is_asleep == Some(false) {
                    self.wake_while_awake(event);
                }
                self.is_asleep = Some(false);
            }
            EntrySubject::Thread => {
                self.records_resumes = true;
                self.is_asleep = Some(false);
                if !self.woken_threads.is_empty() {
                    self.continue_thread(context, kind == EntryKind::SyncResume as u32);
                }
            }
            EntrySubject::Return if !self.woken_threads.is_empty() => {
                self.continue_thread(context, false);
            }
            EntrySubject::Handler => self.records_handlers = true,
            EntrySubject::Return
            | EntrySubject::Lock
            | EntrySubject::Marker
            | EntrySubject::Ready
            | EntrySubject::Wait
            | EntrySubject::Time
            | EntrySubject::Stack
            | EntrySubject::Fault
            | EntrySubject::Filter
            | EntrySubject::Formatted
            | EntrySubject::FormatValues
            | EntrySubject::Nothing => {}
        }
    }

    /// A wake while the core is awake: some targets log one at each exception, also when a
    /// thread runs. Then that thread continues where it was interrupted. If it had suspended
    /// itself, the core was idle without a sleep.
    #[cold]
    fn wake_while_awake(&mut self, event: usize) {
        let RunningState { context, handlers } = self.running;
        if context.is_thread() {
            self.woken_threads.push(context, event);
        } else if handlers == 0 {
            self.redundant_wakes.count_event(event);
        }
    }

    /// A thread continues, where it suspended itself or where it was interrupted.
    #[cold]
    fn continue_thread(&mut self, context: ContextId, suspended_itself: bool) {
        let found = match context.is_thread() {
            true => self.woken_threads.take(context),
            false => self.woken_threads.take_last(),
        };
        if let Some(event) = found.filter(|_| suspended_itself) {
            self.redundant_wakes.count_event(event);
        }
    }

    /// What runs is not known.
    fn forget(&mut self) {
        self.is_asleep = None;
        self.woken_threads = WokenThreads::default();
        self.running = RunningState::default();
    }

    #[cold]
    fn skip_entry(&mut self, entry: &LogEntry, bytes: &[u8], event: usize) {
        // The skipped entry may have been a sleep or a wake.
        self.forget();
        if is_unwritten(bytes) {
            self.unused_slots += 1;
        } else if entry.kind == UNFINISHED {
            self.unfinished_entries += 1;
        } else {
            self.unknown_entries += 1;
            self.first_unknown_entry.get_or_insert((entry.kind, event));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_is_about_something() {
        for (kind, about) in (0..).zip(ENTRY_SUBJECTS) {
            assert_eq!(
                about != EntrySubject::Nothing,
                crate::cswitch::is_known(kind)
            );
        }
        assert!(!crate::cswitch::is_known(ENTRY_TYPE_COUNT as u32));
    }
}
