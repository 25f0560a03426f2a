//! How the events of a stream are written, and what is usual among them.

use super::kernel::{Kernel, Role, Shape};
use super::timestamps::Counter;
use rtoscope_wire::percepio::{EventHeader, Layout, StreamHeader};

/// Number of cores that the counts of events can distinguish.
pub(super) const MAX_CORES: usize = 16;

/// Ticks between two events that are plausible without the next event.
pub(super) const USUAL_TICKS: u64 = 1 << 24;

/// Ticks between two events from which on a damaged timestamp is worth finding: until the clock
/// catches up with it, the times of the next events are unknown. A live stream shows an event that
/// needs confirmation only with the next one.
const CONFIRMED_TICKS: u64 = 1 << 12;

/// How a stream is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct StreamFormat {
    /// `None` if the start of the stream is missing.
    pub(super) header: Option<StreamHeader>,
    pub(super) layout: Layout,
    pub(super) kernel: &'static Kernel,
    pub(super) counter: Counter,
    pub(super) cores: usize,
}

impl StreamFormat {
    /// The most common target.
    pub(super) fn without_header() -> Self {
        Self {
            header: None,
            layout: Layout::default(),
            kernel: Kernel::freertos(),
            counter: Counter::FREE_RUNNING,
            cores: 1,
        }
    }

    pub(super) fn new(header: &StreamHeader) -> Self {
        let cores = header.cores.map_or(1, usize::from).min(MAX_CORES);
        Self {
            header: Some(*header),
            layout: header.layout,
            kernel: Kernel::of_platform(header.platform),
            counter: Counter::new(&header.timestamps, cores),
            cores,
        }
    }

    /// The core of an event, and its number among the events of the core.
    #[inline]
    pub(super) const fn core_and_count(&self, event: &EventHeader) -> (usize, u16) {
        match self.cores {
            0 | 1 => (0, event.count),
            _ => (event.count as usize >> 12, event.count & 0xFFF),
        }
    }

    /// The difference of two counts of the events of a core.
    #[inline]
    pub(super) const fn counts_between(&self, from: u16, to: u16) -> u16 {
        let difference = to.wrapping_sub(from);
        if self.cores > 1 {
            difference & 0xFFF
        } else {
            difference
        }
    }

    /// Whether an event of this kind can have that many parameters.
    pub(super) fn has_plausible_parameters(&self, shape: Shape, parameters: u8) -> bool {
        match (shape.role, shape.parameters) {
            (Role::Unknown, _) => false,
            (Role::Print(values), _) => parameters > values + 1,
            (Role::Activate, _) => matches!(parameters, 1 | 2),
            (Role::Start, _) => usize::from(parameters) <= MAX_CORES,
            (_, None) => true,
            (_, Some(least)) if shape.has_text => parameters >= least,
            (_, Some(number)) => parameters == number,
        }
    }

    /// Whether an event that many ticks after the last one needs no confirmation by the next one.
    #[inline]
    pub(super) fn needs_no_confirmation(&self, ticks: Option<u64>) -> bool {
        match ticks {
            Some(ticks) if self.counter.shows_steps_back() => ticks < CONFIRMED_TICKS,
            _ => self.is_soon(ticks),
        }
    }

    /// Whether an event is usual that many ticks after the last one; `None` if it is earlier.
    pub(super) fn is_soon(&self, ticks: Option<u64>) -> bool {
        match ticks {
            Some(ticks) => ticks < USUAL_TICKS,
            None => self.counter.may_go_back(),
        }
    }
}
