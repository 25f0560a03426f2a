//! A core as its log sees it.

use super::workload::{CoreContext, PlannedEntry};
use rtoscope_wire::cswitch::EntryKind;

/// Who a core executes, and what it has recorded last.
#[derive(Debug, Default)]
pub(super) struct CoreLog {
    number: u8,
    /// The thread that has the core.
    pub(super) thread: Option<u16>,
    /// The handlers under way by their interrupts, the outermost first.
    pub(super) handlers: Vec<u64>,
    /// Whether it has left idle, or the outermost handler, and nobody goes on yet.
    pub(super) in_kernel: bool,
    /// When it recorded its last entry.
    last: u64,
    /// When interrupts will be restored, and that entry's address and name.
    restoring: Option<(u64, u64, u64)>,
}

impl CoreLog {
    pub(super) fn new(number: u8) -> Self {
        Self {
            number,
            ..Self::default()
        }
    }

    /// Whether it has nothing to do.
    pub(super) fn is_idle(&self) -> bool {
        self.thread.is_none() && self.handlers.is_empty() && !self.in_kernel
    }

    /// Who it executes.
    pub(super) fn running(&self) -> CoreContext {
        match (self.handlers.last(), self.thread) {
            (Some(handler), _) => CoreContext::Handler(*handler),
            (None, _) if self.in_kernel => CoreContext::Kernel,
            (None, Some(thread)) => CoreContext::Thread(thread),
            (None, None) => CoreContext::Idle,
        }
    }

    /// The next entry: at `time`, or `apart` ticks behind the last.
    pub(super) fn entry(&mut self, time: u64, apart: u64, what: EntryPayload) -> PlannedEntry {
        let time = time.max(self.last + apart.max(1));
        self.last = time;
        PlannedEntry {
            core: self.number,
            time,
            kind: what.kind,
            flagged: what.flagged,
            address: what.address,
            name: what.name,
            running: self.running(),
        }
    }

    /// Interrupts stay off for a while.
    pub(super) fn restore_at(&mut self, time: u64, address: u64, name: u64) {
        self.restoring = Some((time, address, name));
    }

    /// The end of a time with interrupts off, if it has to be before `time`,
    /// when something else happens.
    pub(super) fn take_restore_before(&mut self, time: u64) -> Option<PlannedEntry> {
        let (end, address, name) = self.restoring.take()?;
        let what = EntryPayload::new(EntryKind::InterruptsRestored, address, name);
        Some(self.entry(end.min(time - 1), 1, what))
    }
}

/// What an entry says beside its time.
#[derive(Debug, Clone, Copy)]
pub(super) struct EntryPayload {
    kind: EntryKind,
    flagged: bool,
    address: u64,
    name: u64,
}

impl EntryPayload {
    pub(super) fn new(kind: EntryKind, address: u64, name: u64) -> Self {
        Self {
            kind,
            flagged: false,
            address,
            name,
        }
    }

    /// Interrupts were off before.
    pub(super) fn with_flag(self) -> Self {
        Self {
            flagged: true,
            ..self
        }
    }
}
