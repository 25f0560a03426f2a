//! The log of a core.

use super::workload::{CoreContext, PlannedEntry};
use rtoscope_wire::cswitch::EntryKind;

/// The running context of a core, and its last entry.
#[derive(Debug, Default)]
pub(super) struct CoreLog {
    number: u8,
    /// The thread on the core, interrupted or not.
    pub(super) thread: Option<u16>,
    /// Active handlers by interrupt, the outermost first.
    pub(super) handlers: Vec<u64>,
    /// Whether the core has left idle, or the outermost handler, and is in the
    /// kernel.
    pub(super) in_kernel: bool,
    /// The time of its last entry.
    last: u64,
    /// The time of the next restore of interrupts, and the address and name of
    /// its entry.
    restoring: Option<(u64, u64, u64)>,
}

impl CoreLog {
    pub(super) fn new(number: u8) -> Self {
        Self {
            number,
            ..Self::default()
        }
    }

    /// Whether the core is idle.
    pub(super) fn is_idle(&self) -> bool {
        self.thread.is_none() && self.handlers.is_empty() && !self.in_kernel
    }

    /// The running context.
    pub(super) fn running(&self) -> CoreContext {
        match (self.handlers.last(), self.thread) {
            (Some(handler), _) => CoreContext::Handler(*handler),
            (None, _) if self.in_kernel => CoreContext::Kernel,
            (None, Some(thread)) => CoreContext::Thread(thread),
            (None, None) => CoreContext::Idle,
        }
    }

    /// The next entry: at `time`, or `min_gap` ticks after the last one.
    pub(super) fn entry(&mut self, time: u64, min_gap: u64, payload: EntryPayload) -> PlannedEntry {
        let time = time.max(self.last + min_gap.max(1));
        self.last = time;
        PlannedEntry {
            core: self.number,
            time,
            kind: payload.kind,
            flagged: payload.flagged,
            address: payload.address,
            name: payload.name,
            running: self.running(),
        }
    }

    /// Whether a thread runs with interrupts enabled.
    pub(super) fn can_mark(&self) -> bool {
        self.restoring.is_none() && matches!(self.running(), CoreContext::Thread(_))
    }

    /// Keeps interrupts disabled until `time`.
    pub(super) fn restore_at(&mut self, time: u64, address: u64, name: u64) {
        self.restoring = Some((time, address, name));
    }

    /// The end of an interrupts-off section that has to precede `time`, when
    /// something else happens.
    pub(super) fn take_restore_before(&mut self, time: u64) -> Option<PlannedEntry> {
        let (end, address, name) = self.restoring.take()?;
        let payload = EntryPayload::new(EntryKind::InterruptsRestored, address, name);
        Some(self.entry(end.min(time - 1), 1, payload))
    }
}

/// The fields of an entry except its time.
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

    /// Marks that interrupts were already disabled.
    pub(super) fn with_flag(self) -> Self {
        Self {
            flagged: true,
            ..self
        }
    }
}
