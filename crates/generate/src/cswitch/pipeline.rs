//! The points of interest of a pipeline's items, and their ground truth.

use super::core::EntryPayload;
use super::firmware::{Firmware, ITEM};
use super::workload::PlannedEntry;
use crate::facts::KernelFact;
use crate::pipeline::ItemStep;
use rtoscope_wire::cswitch::EntryKind;
use serde::Serialize;
use std::collections::BTreeMap;

/// Plans the markers of items: one from the interrupt that makes an item to its end, and
/// one while the thread of a stage serves it.
#[derive(Debug)]
pub(super) struct ItemMarkers {
    /// The number of the first stage's thread; the others follow.
    first_thread: u16,
    /// By stage: the item that its thread has taken and not marked yet.
    taken: Vec<Option<u64>>,
}

impl ItemMarkers {
    pub(super) fn new(first_thread: u16, stages: u8) -> Self {
        Self {
            first_thread,
            taken: vec![None; stages.into()],
        }
    }

    /// Adds the markers that precede the call with these facts.
    pub(super) fn before_call(
        &mut self,
        facts: &[KernelFact],
        firmware: &Firmware,
        entries: &mut Vec<EntryPayload>,
    ) {
        let mut add = |kind, number, item| {
            entries.push(EntryPayload::new(kind, item, firmware.marker(number)));
        };
        for fact in facts {
            let KernelFact::Item { item, stage, step } = *fact else {
                continue;
            };
            let stage = usize::from(stage);
            let served = match step {
                ItemStep::Put => stage.checked_sub(1),
                ItemStep::Served => Some(stage),
                _ => continue,
            };
            match served {
                Some(served) => {
                    // The thread has not run with interrupts enabled since it took it.
                    if self.taken.get_mut(served).and_then(Option::take).is_some() {
                        add(EntryKind::MarkerBegin, ITEM + 1 + served, item);
                    }
                    add(EntryKind::MarkerEnd, ITEM + 1 + served, item);
                }
                None => add(EntryKind::MarkerBegin, ITEM, item),
            }
            if step == ItemStep::Served {
                add(EntryKind::MarkerEnd, ITEM, item);
            }
        }
    }

    /// Notes the items that threads take.
    pub(super) fn take(&mut self, facts: &[KernelFact]) {
        for fact in facts {
            if let KernelFact::Item { item, stage, step } = *fact
                && step == ItemStep::Taken
                && let Some(taken) = self.taken.get_mut(usize::from(stage))
            {
                *taken = Some(item);
            }
        }
    }

    /// The begin of the running thread's service, if it has taken an item.
    pub(super) fn begin(&mut self, thread: u16, firmware: &Firmware) -> Option<EntryPayload> {
        let stage = usize::from(thread.checked_sub(self.first_thread)?);
        let item = self.taken.get_mut(stage)?.take()?;
        let name = firmware.marker(ITEM + 1 + stage);
        Some(EntryPayload::new(EntryKind::MarkerBegin, item, name))
    }
}

/// A pipeline whose items are marked with points of interest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MarkedPipelineTruth {
    /// The name of the marker of a whole item.
    pub item_marker: String,
    /// The names of the markers of the stages, in the order in which items pass them.
    pub stage_markers: Vec<String>,
    /// The items with a marker in the log, by number.
    pub items: Vec<MarkedItemTruth>,
}

/// An item whose way is marked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MarkedItemTruth {
    /// Its number, from 0 at the start of the system: the value of its markers.
    pub item: u64,
    /// From the interrupt that makes it to its end.
    pub whole: MarkedSpanTruth,
    /// While the threads of the stages serve it.
    pub stages: Vec<MarkedSpanTruth>,
}

/// A span, in ticks since the oldest entry. `None` is a time without an entry in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct MarkedSpanTruth {
    /// Its begin.
    pub begin_ticks: Option<u64>,
    /// Its end.
    pub end_ticks: Option<u64>,
}

/// Collects the markers of items.
#[derive(Debug)]
pub(super) struct MarkedPipeline {
    /// The address and name of the marker of items, then of those of the stages.
    markers: Vec<(u64, String)>,
    /// By item: its spans, in the order of the markers.
    items: BTreeMap<u64, Vec<MarkedSpanTruth>>,
}

impl MarkedPipeline {
    /// `None` without a pipeline.
    pub(super) fn of(firmware: &Firmware) -> Option<Self> {
        let markers = firmware.markers.get(ITEM..)?;
        let markers = markers.iter().map(|it| (it.address, it.text.clone()));
        Some(Self {
            markers: markers.collect(),
            items: BTreeMap::new(),
        })
        .filter(|it| !it.markers.is_empty())
    }

    /// Adds an entry that is kept. False if it is not a marker of an item.
    pub(super) fn add(&mut self, step: &PlannedEntry) -> bool {
        let is_end = match step.kind {
            EntryKind::MarkerBegin => false,
            EntryKind::MarkerEnd => true,
            _ => return false,
        };
        let mut markers = self.markers.iter();
        let Some(marker) = markers.position(|(address, _)| *address == step.name) else {
            return false;
        };
        let spans = self.items.entry(step.address).or_default();
        spans.resize(self.markers.len(), MarkedSpanTruth::default());
        if let Some(span) = spans.get_mut(marker) {
            match is_end {
                true => span.end_ticks = Some(step.time),
                false => span.begin_ticks = Some(step.time),
            }
        }
        true
    }

    /// The truth, with times since `oldest`.
    pub(super) fn finish(self, oldest: u64) -> MarkedPipelineTruth {
        let since = |time: Option<u64>| time.map(|time| time - oldest);
        let span = |span: MarkedSpanTruth| MarkedSpanTruth {
            begin_ticks: since(span.begin_ticks),
            end_ticks: since(span.end_ticks),
        };
        let mut names = self.markers.into_iter().map(|(_, name)| name);
        let items = self.items.into_iter().map(|(item, spans)| {
            let mut spans = spans.into_iter().map(span);
            MarkedItemTruth {
                item,
                whole: spans.next().unwrap_or_default(),
                stages: spans.collect(),
            }
        });
        MarkedPipelineTruth {
            item_marker: names.next().unwrap_or_default(),
            stage_markers: names.collect(),
            items: items.collect(),
        }
    }
}
