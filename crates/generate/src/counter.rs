use rtoscope_record::port::Clock;
use std::cell::Cell;
use std::rc::Rc;

/// A target's counter that shows what the simulation says.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counter(Rc<Cell<u32>>);

impl Counter {
    /// What it shows from now on.
    pub(crate) fn set(&self, value: u32) {
        self.0.set(value);
    }
}

impl Clock for Counter {
    fn now(&self) -> u32 {
        self.0.get()
    }
}
