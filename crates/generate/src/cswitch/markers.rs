//! The markers of threads, and their ground truth.

use super::core::EntryPayload;
use super::firmware::{self, Firmware};
use super::workload::PlannedEntry;
use fastrand::Rng;
use rtoscope_wire::cswitch::EntryKind;
use serde::Serialize;

/// Plans the markers of a core.
#[derive(Debug)]
pub(super) struct MarkerPlan {
    random: Rng,
    next_value: u32,
    /// The values of open spans.
    open: Vec<u32>,
}

/// Maximum number of open spans of a core.
const MAX_OPEN: usize = 8;
/// The part of a value that identifies a span of a core.
const VALUE_BITS: u32 = 24;

impl MarkerPlan {
    pub(super) fn new(seed: u64, core: u8) -> Self {
        Self {
            random: Rng::with_seed(seed.rotate_left(16) ^ u64::from(core)),
            next_value: u32::from(core) << VALUE_BITS,
            open: Vec::new(),
        }
    }

    /// The next marker of a thread, if any.
    pub(super) fn next_entry(&mut self, firmware: &Firmware) -> Option<EntryPayload> {
        let span = firmware.marker(firmware::SPAN);
        let entry = |kind, value: u32, name| Some(EntryPayload::new(kind, value.into(), name));
        match self.random.u32(0..16) {
            // Now and then a span is nested in one of the same value.
            0..=2 if self.open.len() < MAX_OPEN => {
                let nested = self.open.last().filter(|_| self.random.u8(0..4) == 0);
                let value = nested.copied().unwrap_or_else(|| {
                    self.next_value += 1;
                    self.next_value
                });
                self.open.push(value);
                entry(EntryKind::MarkerBegin, value, span)
            }
            3..=5 if !self.open.is_empty() => {
                let ended = self.random.usize(0..self.open.len());
                let value = self.open.swap_remove(ended);
                entry(EntryKind::MarkerEnd, value, span)
            }
            6 => {
                let value = self.random.u32(..);
                entry(
                    EntryKind::MarkerInstant,
                    value,
                    firmware.marker(firmware::INSTANT),
                )
            }
            _ => None,
        }
    }
}

/// The points of interest of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct MarkerTruth {
    /// Spans whose begin and end are written.
    pub spans: u64,
    /// The sum of their durations.
    pub ticks: u64,
    /// The longest of their durations.
    pub max_ticks: u64,
    /// Written ends of spans whose begin is not written.
    pub begin_unknown: u64,
    /// Spans that are open at the end.
    pub open: u64,
    /// Instants.
    pub instants: u64,
}

/// Pairs the markers of a core.
#[derive(Debug, Default)]
pub(super) struct MarkerPairs {
    /// Value and begin of open spans.
    open: Vec<(u64, u64)>,
}

impl MarkerPairs {
    /// Adds an entry that is kept.
    pub(super) fn add(&mut self, step: &PlannedEntry, truth: &mut MarkerTruth) {
        match step.kind {
            EntryKind::MarkerBegin => self.open.push((step.address, step.time)),
            EntryKind::MarkerEnd => {
                let mut open = self.open.iter();
                match open.rposition(|(value, _)| *value == step.address) {
                    Some(found) => {
                        let (_, begin) = self.open.remove(found);
                        let ticks = step.time - begin;
                        truth.spans += 1;
                        truth.ticks += ticks;
                        truth.max_ticks = truth.max_ticks.max(ticks);
                    }
                    None => truth.begin_unknown += 1,
                }
            }
            EntryKind::MarkerInstant => truth.instants += 1,
            _ => {}
        }
    }

    /// Number of open spans.
    pub(super) fn open(&self) -> u64 {
        self.open.len() as u64
    }
}
