//! CPU time, or events, by context over a window.

use crate::axis::Pixels;
use crate::error::QueryError;
use crate::lanes::cores::{CoreLaneFilter, CoreTrack};
use crate::lanes::track::Track;
use crate::query::{Axis, Window};
use crate::response::{ContextLoad, CpuLoad};
use crate::session::Session;
use crate::truncate::{MAX_NAME_CHARS, truncate};
use rtoscope_analysis::report::{CpuContext, CpuTimeIndex, ReportKind};
use rtoscope_analysis::schedule::{CoreSlices, Schedule, Slice};
use rtoscope_trace::Ticks;
use std::cmp::Reverse;

/// Maximum number of contexts times parts in a response.
const MAX_FIGURES: u32 = 1 << 17;

/// The CPU time index of an axis, and the order of its contexts in responses.
#[derive(Debug)]
pub(crate) struct RankedCpuTimes {
    index: CpuTimeIndex,
    /// What each core runs at each event, with events for ticks; `None` on the time axis.
    slots: Option<Vec<CoreSlices>>,
    /// The numbers of the contexts in the index, the busiest first. Idle and unknown
    /// time are not among them.
    ranked: Vec<usize>,
    /// The numbers of idle and unknown time.
    separate: Vec<usize>,
}

impl RankedCpuTimes {
    fn cores<'s>(&'s self, schedule: &'s Schedule) -> &'s [CoreSlices] {
        self.slots.as_deref().unwrap_or(&schedule.cores)
    }
}

/// What a core runs at each event, as its lane shows it.
fn slots(track: &CoreTrack<'_>, events: u64) -> CoreSlices {
    let steps = (0..track.len()).filter_map(|step| {
        let start = track.position(Axis::Index, step);
        let slice = track.slices.slices.get(step)?;
        (start < track.end_position(Axis::Index, step, events)).then_some(Slice {
            start: Ticks(start),
            ..slice
        })
    });
    CoreSlices {
        core: track.slices.core,
        slices: steps.collect(),
        end: Ticks(events),
    }
}

impl Session {
    fn ranked_cpu_times(&self, axis: Axis) -> &RankedCpuTimes {
        self.caches.cpu_times.get(axis, || {
            let schedule = &self.recording.schedule;
            let end = self.axis_end(axis);
            let slots = (axis == Axis::Index).then(|| {
                let cores = 0..schedule.cores.len();
                let tracks = cores.filter_map(|core| self.core_track(core, CoreLaneFilter::All));
                tracks.map(|track| slots(&track, end)).collect::<Vec<_>>()
            });
            let cores = slots.as_deref().unwrap_or(&schedule.cores);
            let index = CpuTimeIndex::new(schedule, cores);
            let mut totals = vec![0; index.contexts().len()];
            let mut ticks = Vec::new();
            for core in 0..cores.len() {
                index.core_ticks(schedule, cores, core, 0..end, &mut ticks);
                add(&mut totals, &ticks);
            }
            let mut ranked: Vec<_> = (0..).zip(index.contexts()).zip(totals).collect();
            ranked.sort_by_key(|((_, context), total)| (Reverse(*total), **context));
            let is_separate =
                |context: CpuContext| matches!(context, CpuContext::Idle | CpuContext::Unknown);
            let numbers = |wanted: bool| {
                let ranked = ranked.iter();
                let wanted = ranked.filter(|((_, context), _)| is_separate(**context) == wanted);
                wanted.map(|((number, _), _)| *number).collect()
            };
            let [separate, ranked] = [true, false].map(numbers);
            RankedCpuTimes {
                index,
                slots,
                ranked,
                separate,
            }
        })
    }

    /// CPU time by context in each of `width` parts of a window, on a core or on all; on the
    /// event axis, the events at which each context runs, as on the lanes of cores. Of the
    /// contexts, the busiest `limit` of the trace are apart.
    pub(crate) fn cpu_load(
        &self,
        core: Option<u8>,
        window: &Window,
        width: u32,
        limit: u32,
    ) -> Result<CpuLoad, QueryError> {
        if limit.saturating_mul(width) > MAX_FIGURES {
            return Err(QueryError::OutOfRange {
                parameter: "limit",
                value: limit.to_string(),
                expected: format!("at most {}", MAX_FIGURES / width),
            });
        }
        let schedule = &self.recording.schedule;
        let cores = schedule.cores.iter().enumerate();
        let cores = cores.filter(|(_, slices)| core.is_none_or(|core| core == slices.core));
        let cores: Vec<_> = cores.map(|(position, _)| position).collect();
        if let Some(core) = core.filter(|_| cores.is_empty()) {
            return Err(self.unknown_core(core));
        }
        let positions = self.part_edges(window, width);
        let missing_time = || ReportKind::Load.missing_time(&self.recording.trace.clock);
        if window.axis == Axis::Time && missing_time().is_some() {
            let parts = positions.windows(2).map(|edges| match edges {
                [start, end] => (end - start).saturating_mul(cores.len() as u64),
                _ => 0,
            });
            let unknown = [(Some(CpuContext::Unknown), parts.collect())];
            return Ok(self.load_of_parts(positions, window.axis, cores.len(), unknown));
        }
        let times_by_context = self.ranked_cpu_times(window.axis);
        let slices = times_by_context.cores(schedule);
        let index = &times_by_context.index;
        let first: Vec<_> = {
            let ranked = times_by_context.ranked.iter();
            ranked.copied().take(limit as usize).collect()
        };
        // A row for each context of the response, and the row of each context.
        let others = first.len();
        let mut rows = vec![Vec::new(); first.len() + 1 + times_by_context.separate.len()];
        let mut row_of = vec![others; index.contexts().len()];
        let apart = first.iter().zip(0..);
        let separate = times_by_context.separate.iter().zip(others + 1..);
        for (number, row) in apart.chain(separate) {
            if let Some(of) = row_of.get_mut(*number) {
                *of = row;
            }
        }
        let mut ticks = Vec::new();
        for (part, edges) in positions.windows(2).enumerate() {
            let [start, end] = edges else { continue };
            for row in &mut rows {
                row.push(0_u64);
            }
            for core in &cores {
                index.core_ticks(schedule, slices, *core, *start..*end, &mut ticks);
                for (ticks, row) in ticks.iter().zip(&row_of) {
                    let sum = rows.get_mut(*row).and_then(|row| row.get_mut(part));
                    if let Some(sum) = sum {
                        *sum = sum.saturating_add(*ticks);
                    }
                }
            }
        }
        let contexts = index.contexts();
        let context = |number: &usize| contexts.get(*number).copied();
        let apart = first.iter().map(context);
        let separate = times_by_context.separate.iter().map(context);
        let contexts = apart.chain([None]).chain(separate).zip(rows);
        Ok(self.load_of_parts(positions, window.axis, cores.len(), contexts))
    }

    /// The answer with the contexts that run, and their lengths.
    fn load_of_parts(
        &self,
        mut positions: Vec<u64>,
        axis: Axis,
        cores: usize,
        contexts: impl IntoIterator<Item = (Option<CpuContext>, Vec<u64>)>,
    ) -> CpuLoad {
        let origin = self.axis_origin(axis) as u64;
        positions.iter_mut().for_each(|at| *at += origin);
        let contexts = contexts.into_iter();
        let running = contexts.filter(|(_, lengths)| lengths.iter().any(|length| *length > 0));
        CpuLoad {
            positions,
            cores: cores as u32,
            contexts: running
                .map(|(context, lengths)| self.context_load(context, lengths))
                .collect(),
        }
    }

    /// The time or events of a context, or of the others.
    fn context_load(&self, context: Option<CpuContext>, lengths: Vec<u64>) -> ContextLoad {
        let Some(context) = context else {
            return ContextLoad {
                kind: "other",
                name: "other".to_owned(),
                context: None,
                lengths,
            };
        };
        let name = context.name(&self.recording.trace, &self.recording.schedule);
        ContextLoad {
            kind: context.kind().name(),
            name: truncate(name, MAX_NAME_CHARS),
            context: match context {
                CpuContext::Thread(id) => Some(self.context_id(id)),
                _ => None,
            },
            lengths,
        }
    }

    /// The edges of the parts of a window within the trace.
    fn part_edges(&self, window: &Window, width: u32) -> Vec<u64> {
        let extent = self.extent(window.axis);
        if window.end <= extent.start || window.start >= extent.end {
            return Vec::new();
        }
        let pixels = Pixels::new(window, width);
        let inner = pixels.edges().take(width as usize).skip(1);
        // The outer parts cover the ends of the window.
        let edges = [window.start.floor()].into_iter();
        let edges = edges
            .chain(inner.map(f64::round))
            .chain([window.end.ceil()]);
        let mut positions: Vec<_> = edges
            .map(|edge| edge.clamp(extent.start, extent.end) as u64)
            .collect();
        positions.dedup();
        positions
    }
}

/// Adds to sums; the longest times do not fit twice.
fn add(sums: &mut [u64], ticks: &[u64]) {
    for (sum, ticks) in sums.iter_mut().zip(ticks) {
        *sum = sum.saturating_add(*ticks);
    }
}
