//! Rendezvous: hand-overs at queues that store nothing.

use crate::waiting_list::WaitingList;
use rtoscope_trace::{ContextId, EventIndex};

/// The threads that wait for a partner at a queue without storage.
///
/// A call finds the thread that has waited longest, or waits itself. All that wait offer,
/// or all accept.
#[derive(Debug, Clone, Default)]
pub(crate) struct WaitingPartners {
    waiting: WaitingList<Waiter>,
    /// Whether those that wait offer.
    offers: bool,
    /// The last call, while its partner may be one that is not known to wait.
    last: Option<Waiter>,
}

/// A thread that waits for a partner since a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Waiter {
    pub(crate) context: ContextId,
    pub(crate) event: EventIndex,
    pub(crate) offers: bool,
}

/// The result of a call, as far as known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meeting {
    /// It finds a partner.
    Partner(Waiter),
    /// It waits for one.
    Waits,
    /// There is none, and it does not wait.
    Refused,
}

/// What the resumption of a thread shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Resumption {
    /// The thread waited in vain: for a time, or until a call ended its wait.
    InVain,
    /// The last call found this thread, whose own call is not recorded.
    Unrecorded(Waiter),
    /// Nothing about the queue.
    Nothing,
}

impl WaitingPartners {
    /// A call of a thread.
    pub(crate) fn call(&mut self, caller: Waiter, waits: bool) -> Meeting {
        // A thread that calls no longer waits: its partner is not recorded.
        self.leave(caller.context);
        self.last = None;
        if self.offers != caller.offers
            && let Some(partner) = self.waiting.pop_front()
        {
            return Meeting::Partner(partner);
        }
        self.last = Some(caller);
        if waits {
            self.offers = caller.offers;
            self.waiting.push_back(caller.context, caller);
            Meeting::Waits
        } else {
            Meeting::Refused
        }
    }

    /// A thread that waited for the queue continues, without a known hand-over.
    pub(crate) fn resume(&mut self, thread: ContextId) -> Resumption {
        if self.leave(thread) {
            return Resumption::InVain;
        }
        match self.last.take() {
            Some(last) if last.context != thread => {
                self.leave(last.context);
                Resumption::Unrecorded(last)
            }
            _ => Resumption::Nothing,
        }
    }

    /// Forgets who waits.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Whether the thread waited.
    pub(crate) fn leave(&mut self, thread: ContextId) -> bool {
        self.waiting.take(thread).is_some()
    }
}
