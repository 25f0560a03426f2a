use core::cell::Cell;
use core::future::poll_fn;
use core::task::{Poll, Waker};
use critical_section::Mutex;

/// Wakes the task that waits for it. Interrupt handlers and tasks may raise it.
pub(crate) struct Signal {
    /// Number of times it was raised since a task has waited for it.
    pending: Mutex<Cell<u32>>,
    waker: Mutex<Cell<Option<Waker>>>,
}

impl Signal {
    pub(crate) const fn new() -> Self {
        Self {
            pending: Mutex::new(Cell::new(0)),
            waker: Mutex::new(Cell::new(None)),
        }
    }

    pub(crate) fn raise(&self) {
        let waker = critical_section::with(|section| {
            let pending = self.pending.borrow(section);
            pending.set(pending.get().wrapping_add(1));
            self.waker.borrow(section).take()
        });
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Waits until it is raised. Only one task may wait.
    pub(crate) async fn wait(&self) {
        poll_fn(|context| {
            critical_section::with(|section| {
                if self.pending.borrow(section).replace(0) > 0 {
                    return Poll::Ready(());
                }
                let waker = context.waker().clone();
                self.waker.borrow(section).set(Some(waker));
                Poll::Pending
            })
        })
        .await;
    }
}
