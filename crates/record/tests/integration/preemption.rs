//! A core with interrupts at every point where they are possible: before a masked section
//! and after it.

use rtoscope_record::port::{Clock, Mask};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Called with the number of a point.
type Handler = Rc<dyn Fn(u32)>;

#[derive(Default)]
pub(crate) struct Core {
    masked: Cell<bool>,
    points: Cell<u32>,
    depth: Cell<u32>,
    max_depth: u32,
    handler: RefCell<Option<Handler>>,
    /// What the clock shows next.
    pub(crate) ticks: Cell<u32>,
}

impl Core {
    /// A core whose handlers interrupt each other up to this depth.
    pub(crate) fn new(max_depth: u32) -> Rc<Self> {
        Rc::new(Self {
            max_depth,
            ..Self::default()
        })
    }

    /// Calls a handler at every point from here on.
    pub(crate) fn interrupt(&self, handler: impl Fn(u32) + 'static) {
        self.points.set(0);
        *self.handler.borrow_mut() = Some(Rc::new(handler));
    }

    /// Ends the interrupts; returns the number of points.
    pub(crate) fn calm(&self) -> u32 {
        *self.handler.borrow_mut() = None;
        self.points.get()
    }

    fn point(&self) {
        assert!(!self.masked.get(), "a recorder masks once");
        let handler = self.handler.borrow().clone();
        let (Some(handler), true) = (handler, self.depth.get() < self.max_depth) else {
            return;
        };
        let point = self.points.replace(self.points.get() + 1);
        self.depth.set(self.depth.get() + 1);
        handler(point);
        self.depth.set(self.depth.get() - 1);
    }
}

pub(crate) struct PreemptingMask(pub(crate) Rc<Core>);

// SAFETY: there is one thread, and its interrupts occur only where nothing is masked.
unsafe impl Mask for PreemptingMask {
    type State = ();

    fn acquire(&self) {
        self.0.point();
        assert!(!self.0.masked.replace(true));
    }

    unsafe fn release(&self, (): ()) {
        assert!(self.0.masked.replace(false));
        self.0.point();
    }
}

/// A clock that advances when it is read.
pub(crate) struct TickingClock(pub(crate) Rc<Core>);

impl Clock for TickingClock {
    fn now(&self) -> u32 {
        assert!(self.0.masked.get(), "the clock is read inside the mask");
        self.0.ticks.replace(self.0.ticks.get() + 1)
    }
}
