//! Entries made into columns.

use super::UNFINISHED;
use super::log::{CoreLog, Missing, Shape};
use super::names::{Known, Uses};
use super::ring::is_unwritten;
use rtoscope_trace::event::Standing;
use rtoscope_trace::{ContextId, Contexts, KindId};
use rtoscope_wire::Word;
use rtoscope_wire::cswitch::{Entry, EntryKind, PREVIOUSLY_DISABLED};

/// The entries of one core, oldest first. `W` is as wide as a pointer.
#[derive(Debug, Clone, Default)]
pub(super) struct Columns<W> {
    pub(super) stamp: Vec<W>,
    pub(super) context: Vec<ContextId>,
    pub(super) kind: Vec<KindId>,
    pub(super) standing: Vec<Standing>,
    pub(super) arguments: Vec<[W; 4]>,
}

/// What was met on the way.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Met {
    /// Events before which entries are missing, and how many if that is known.
    pub(super) gaps: Vec<(usize, Option<u64>)>,
    /// Entries of types that there are not, and the first of them: its type and
    /// the number of the event behind it.
    pub(super) unknown: u64,
    pub(super) first_unknown: Option<(u32, usize)>,
    /// Entries that were being written.
    pub(super) unfinished: u64,
    /// Slots that were never written.
    pub(super) unused: u64,
    /// Whether interrupts tell their returns.
    pub(super) returns: bool,
    /// Whether interrupt handlers are recorded.
    pub(super) handlers: bool,
    /// Whether threads are resumed.
    pub(super) resumes: bool,
    /// Sleeps of a processor that sleeps already.
    pub(super) double_sleeps: Odd,
    /// Wakes of a processor that is awake already.
    pub(super) needless_wakes: Odd,
    /// Whether the processor sleeps after the last entry, if that is known.
    sleeps: Option<bool>,
}

/// Events that contradict what came before them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Odd {
    pub(super) count: u64,
    /// The number of the first.
    pub(super) first: usize,
}

impl Odd {
    #[cold]
    fn add(&mut self, event: usize) {
        if self.count == 0 {
            self.first = event;
        }
        self.count += 1;
    }
}

/// Who an entry of each type is about. Types stand at their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum About {
    Nothing,
    Wake,
    Idle,
    Thread,
    Return,
    Handler,
    Lock,
}

const TYPES: usize = (EntryKind::InterruptsRestored as u32 | PREVIOUSLY_DISABLED) as usize + 1;

const ABOUT: [About; TYPES] = {
    let mut table = [About::Nothing; TYPES];
    let again = PREVIOUSLY_DISABLED as usize;
    table[EntryKind::Wake as usize] = About::Wake;
    table[EntryKind::Sleep as usize] = About::Idle;
    table[EntryKind::SyncResume as usize] = About::Thread;
    table[EntryKind::AsyncResume as usize] = About::Thread;
    table[EntryKind::IsrReturn as usize] = About::Return;
    table[EntryKind::IsrEnter as usize] = About::Handler;
    table[EntryKind::IsrExit as usize] = About::Handler;
    table[EntryKind::InterruptsDisabled as usize] = About::Lock;
    table[EntryKind::InterruptsRestored as usize] = About::Lock;
    table[EntryKind::InterruptsDisabled as usize + again] = About::Lock;
    table[EntryKind::InterruptsRestored as usize + again] = About::Lock;
    table
};

impl<W: Word> Columns<W> {
    /// Decodes the log of a core.
    pub(super) fn decode(log: &CoreLog<'_>, shape: Shape, known: &mut Known) -> (Self, Met) {
        let size = shape.entry_bytes();
        let slots: usize = log.parts.iter().map(|part| part.bytes.len() / size).sum();
        // Zeroed columns cost nothing before their pages are touched.
        let mut columns = Self {
            stamp: vec![W::default(); slots],
            context: vec![ContextId(0); slots],
            kind: vec![KindId(0); slots],
            standing: vec![Standing(0); slots],
            arguments: vec![[W::default(); 4]; slots],
        };
        let mut met = Met::default();
        let mut events = 0;
        for part in &log.parts {
            if part.missing != Missing::Nothing {
                met.sleeps = None;
            }
            match part.missing {
                Missing::Nothing => {}
                Missing::Entries(count) => met.gaps.push((events, Some(count))),
                Missing::Unknown => met.gaps.push((events, None)),
            }
            events += columns.fill(events, part.bytes, shape, known, &mut met);
        }
        columns.truncate(events);
        (columns, met)
    }

    /// Writes entries into the columns from an event on; how many events came of
    /// them.
    fn fill(
        &mut self,
        first: usize,
        bytes: &[u8],
        shape: Shape,
        known: &mut Known,
        met: &mut Met,
    ) -> usize {
        let mut events = 0;
        let mut places = rest(&mut self.stamp, first)
            .zip(rest(&mut self.context, first))
            .zip(rest(&mut self.kind, first))
            .zip(rest(&mut self.standing, first))
            .zip(rest(&mut self.arguments, first));
        for bytes in bytes.chunks_exact(shape.entry_bytes()) {
            let Some(entry) = shape.read(bytes) else {
                break;
            };
            let about = ABOUT.get(entry.kind as usize).copied();
            let about = about.unwrap_or(About::Nothing);
            if about == About::Nothing || entry.kind == 0 && is_unwritten(bytes) {
                met.leave_out(&entry, bytes, first + events);
                continue;
            }
            met.turn(about, first + events);
            let (who, how) = who(about, &entry, known, met);
            let Some(((((stamp, context), kind), standing), arguments)) = places.next() else {
                break;
            };
            *stamp = W::low_bits(entry.counter.into());
            *context = who;
            *kind = KindId(entry.kind);
            *standing = how;
            *arguments = [entry.address, entry.name, 0, 0].map(W::low_bits);
            events += 1;
        }
        events
    }

    fn truncate(&mut self, events: usize) {
        self.stamp.truncate(events);
        self.context.truncate(events);
        self.kind.truncate(events);
        self.standing.truncate(events);
        self.arguments.truncate(events);
    }
}

fn rest<T>(column: &mut [T], first: usize) -> std::slice::IterMut<'_, T> {
    column.get_mut(first..).unwrap_or_default().iter_mut()
}

/// On whose behalf an entry was written.
#[inline(always)]
fn who(about: About, entry: &Entry, known: &mut Known, met: &mut Met) -> (ContextId, Standing) {
    match about {
        About::Handler => {
            known.handler(entry.name);
            known.address(entry.address, Uses::HANDLER);
            (
                Contexts::INTERRUPT,
                Standing::interrupted(ContextId::UNKNOWN),
            )
        }
        About::Lock => {
            known.address(entry.address, Uses::RETURN);
            match known.locker(entry.name) {
                Contexts::INTERRUPT => (
                    Contexts::INTERRUPT,
                    Standing::interrupted(ContextId::UNKNOWN),
                ),
                thread => (thread, Standing::NO_PRIORITY),
            }
        }
        About::Thread | About::Return => {
            met.returns |= about == About::Return;
            known.address(entry.address, Uses::PLACE);
            (known.thread(entry.name), Standing::NO_PRIORITY)
        }
        About::Wake => {
            known.address(entry.address, Uses::PLACE);
            (Contexts::INTERRUPT, Standing::interrupted(Contexts::IDLE))
        }
        About::Idle | About::Nothing => {
            known.address(entry.address, Uses::PLACE);
            (Contexts::IDLE, Standing::NO_PRIORITY)
        }
    }
}

impl Met {
    /// Notes whether the processor sleeps from an entry on. A handler may run
    /// within the sleep: recorders differ in whether they wake before it.
    #[inline(always)]
    fn turn(&mut self, about: About, event: usize) {
        match about {
            About::Idle => {
                if self.sleeps == Some(true) {
                    self.double_sleeps.add(event);
                }
                self.sleeps = Some(true);
            }
            About::Wake => {
                if self.sleeps == Some(false) {
                    self.needless_wakes.add(event);
                }
                self.sleeps = Some(false);
            }
            About::Thread => {
                self.resumes = true;
                self.sleeps = Some(false);
            }
            About::Handler => self.handlers = true,
            About::Return | About::Lock | About::Nothing => {}
        }
    }

    #[cold]
    fn leave_out(&mut self, entry: &Entry, bytes: &[u8], event: usize) {
        // It may have been a sleep or a wake.
        self.sleeps = None;
        if is_unwritten(bytes) {
            self.unused += 1;
        } else if entry.kind == UNFINISHED {
            self.unfinished += 1;
        } else {
            self.unknown += 1;
            self.first_unknown.get_or_insert((entry.kind, event));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_is_about_something() {
        for (kind, about) in (0..).zip(ABOUT) {
            assert_eq!(about != About::Nothing, crate::cswitch::is_known(kind));
        }
        assert!(!crate::cswitch::is_known(TYPES as u32));
    }
}
