//! The simulation of all cores.

use crate::ThreadXOptions;
use crate::clock::Clock;
use crate::creation::Creation;
use crate::event::{Dispatch, Event};
use crate::facts::KernelFact;
use crate::kernel::Kernel;
use crate::startup;
use fastrand::Rng;

/// An endless sequence of events. A clone produces the same sequence.
#[derive(Debug, Clone)]
pub(crate) struct Simulation {
    kernels: Vec<Kernel>,
    /// The time of each core's next event, if cores are independent.
    next_times: Vec<u64>,
    /// The core that runs next, if cores share objects: then one runs at a
    /// time, as under the kernel's lock.
    acting: Option<usize>,
    /// The first thread of each core.
    first_threads: Vec<u16>,
}

impl Simulation {
    /// Creates a simulation that records facts.
    pub(crate) fn with_facts(
        mut kernels: Vec<Kernel>,
        creations: &[Creation],
        options: &ThreadXOptions,
    ) -> Self {
        for kernel in &mut kernels {
            kernel.fact_log = Some(Box::default());
        }
        Self::new(kernels, creations, options)
    }

    /// Creates a simulation that starts at an arbitrary count of the time
    /// source.
    pub(crate) fn new(
        mut kernels: Vec<Kernel>,
        creations: &[Creation],
        options: &ThreadXOptions,
    ) -> Self {
        startup::start(&mut kernels, creations, start_time(options));
        let first_threads = kernels
            .iter()
            .filter_map(|kernel| Some(kernel.threads[kernel.running?.slot()].number))
            .collect();
        let is_shared = options.shared_objects && kernels.len() > 1;
        let next_times = if is_shared {
            Vec::new()
        } else {
            kernels.iter_mut().map(Kernel::peek_time).collect()
        };
        Self {
            kernels,
            next_times,
            acting: is_shared.then_some(0),
            first_threads,
        }
    }

    /// The next event of any core.
    #[inline]
    pub(crate) fn next_event(&mut self) -> Event {
        if let Some(acting) = self.acting {
            let core = self.step_core(acting);
            return self.kernels[core].next_event();
        }
        let core = self.earliest_core();
        let kernel = &mut self.kernels[core];
        let event = kernel.next_event();
        self.next_times[core] = kernel.peek_time();
        event
    }

    /// The next event of any core, with the facts that it causes in `facts`.
    /// Needs kernels that record facts.
    pub(crate) fn next_with_facts(&mut self, facts: &mut Vec<KernelFact>) -> Event {
        facts.clear();
        let core = match self.acting {
            Some(acting) => self.step_core(acting),
            None => self.earliest_core(),
        };
        let event = self.kernels[core].next_event();
        if event.dispatch == Dispatch::Start {
            let kernels = self.kernels.iter_mut();
            kernels.for_each(|kernel| kernel.take_facts(facts));
        } else {
            self.kernels[core].take_facts(facts);
        }
        if let Some(time) = self.next_times.get_mut(core) {
            *time = self.kernels[core].peek_time();
        }
        event
    }

    /// Runs cores in turn until one has logged something.
    fn step_core(&mut self, acting: usize) -> usize {
        let mut acting = acting;
        while !self.kernels[acting].has_events() {
            let free = self.kernels[acting].now;
            let cores = 0..self.kernels.len();
            acting = cores
                .min_by_key(|core| self.kernels[*core].next_action())
                .unwrap_or(acting);
            let neighbour = (acting + 1) % self.kernels.len();
            if let Ok([core, neighbour]) = self.kernels.get_disjoint_mut([acting, neighbour]) {
                core.run_next_action(free, Some(neighbour));
            }
        }
        self.acting = Some(acting);
        acting
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

/// The simulation starts at an arbitrary count of the time source.
fn start_time(options: &ThreadXOptions) -> u64 {
    // Half of the mask, so that 64 bits do not overflow.
    let mask = Clock::new(options.clock_bits, false).mask() / 2;
    Rng::with_seed(!options.seed).u64(0..=mask)
}
