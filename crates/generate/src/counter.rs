use rtoscope_record::port::Clock;
use std::cell::Cell;
use std::rc::Rc;

/// A target's counter, set by the simulation.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counter(Rc<Cell<u32>>);

impl Counter {
    /// Sets the current value.
    pub(crate) fn set(&self, value: u32) {
        self.0.set(value);
    }
}

impl Clock for Counter {
    fn now(&self) -> u32 {
        self.0.get()
    }
}
