//! All cores together.

use crate::creation::Creation;
use crate::event::{Dispatch, Event};
use crate::kernel::Kernel;
use crate::startup;
use crate::witness::Fact;

/// An endless course of events. A clone takes the same course.
#[derive(Debug, Clone)]
pub(crate) struct Simulation {
    kernels: Vec<Kernel>,
    /// When each core logs its next event.
    next_times: Vec<u64>,
    /// The threads that the cores start with.
    first_threads: Vec<u16>,
}

impl Simulation {
    /// Starts at `time`, with witnesses.
    pub(crate) fn witnessed(mut kernels: Vec<Kernel>, creations: &[Creation], time: u64) -> Self {
        for kernel in &mut kernels {
            kernel.witness = Some(Box::default());
        }
        Self::new(kernels, creations, time)
    }

    /// Starts at `time`.
    pub(crate) fn new(mut kernels: Vec<Kernel>, creations: &[Creation], time: u64) -> Self {
        startup::start(&mut kernels, creations, time);
        let first_threads = kernels
            .iter()
            .filter_map(|kernel| Some(kernel.threads[kernel.running?.slot()].number))
            .collect();
        let next_times = kernels.iter_mut().map(Kernel::peek_time).collect();
        Self {
            kernels,
            next_times,
            first_threads,
        }
    }

    /// The next event of any core.
    #[inline]
    pub(crate) fn next_event(&mut self) -> Event {
        let core = self.earliest_core();
        let kernel = &mut self.kernels[core];
        let event = kernel.next_event();
        self.next_times[core] = kernel.peek_time();
        event
    }

    /// The next event of any core, and in `facts` what it brings about. Only
    /// of use if the kernels have witnesses.
    pub(crate) fn next_witnessed(&mut self, facts: &mut Vec<Fact>) -> Event {
        facts.clear();
        let core = self.earliest_core();
        let event = self.kernels[core].next_event();
        if event.dispatch == Dispatch::Start {
            let kernels = self.kernels.iter_mut();
            kernels.for_each(|kernel| kernel.take_facts(facts));
        } else {
            self.kernels[core].take_facts(facts);
        }
        self.next_times[core] = self.kernels[core].peek_time();
        event
    }

    #[inline]
    fn earliest_core(&self) -> usize {
        let mut core = 0;
        let mut earliest = u64::MAX;
        for (index, time) in self.next_times.iter().enumerate() {
            if *time < earliest {
                (core, earliest) = (index, *time);
            }
        }
        core
    }

    /// Adds a dispatch to the counts of all threads.
    #[inline]
    pub(crate) fn count_dispatch(&self, dispatch: Dispatch, counts: &mut [u64]) {
        let mut count = |number: u16| {
            if let Some(count) = counts.get_mut(usize::from(number)) {
                *count += 1;
            }
        };
        match dispatch {
            Dispatch::None => {}
            Dispatch::Thread(number) => count(number),
            Dispatch::Start => self.first_threads.iter().copied().for_each(count),
        }
    }
}
