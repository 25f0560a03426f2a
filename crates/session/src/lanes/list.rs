//! The lanes of a trace.

use super::interrupts_off::InterruptsOffTracks;
use super::inversions::InversionIndex;
use super::isr::IsrTracks;
use super::per_axis::PerAxis;
use super::pipelines::PipelineTracks;
use super::prefix_sums::PrefixSums;
use super::thread::ThreadSteps;
use super::track::StepTrack;
use crate::index::events_by_context::EventsByContext;
use crate::index::state_machines::StateMachines;
use crate::response::LaneKind;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::report::CoreCpuTimes;
use rtoscope_trace::{ContextId, Contexts};
use std::sync::OnceLock;

/// A lane of a trace.
#[derive(Debug)]
pub(crate) struct LaneData {
    /// What it shows.
    pub(crate) kind: LaneKind,
    /// Number of events that it shows.
    pub(crate) events: u32,
    /// Busy time in ticks; of a machine, the time in known states; of a marker, the
    /// time in which a span is open; of a stage, the time in which it has an item.
    pub(crate) busy_time: u64,
    /// Prefix sums of its bars; those of core lanes are in [`Lanes::core_sums`].
    pub(crate) sums: PerAxis<PrefixSums>,
}

/// The lanes of a trace, by number, in their default order.
#[derive(Debug)]
pub(crate) struct Lanes {
    pub(crate) all: Vec<LaneData>,
    /// A lane that another part of a live recording has.
    pub(crate) absent: LaneData,
    /// Steps of threads by context, built on first use.
    pub(crate) thread_steps: OnceLock<Vec<ThreadSteps>>,
    /// Tracks of interrupt service routines, built on first use.
    pub(crate) isr_tracks: OnceLock<IsrTracks>,
    /// Tracks of interrupts-off sections, built on first use.
    pub(crate) interrupts_off_tracks: OnceLock<InterruptsOffTracks>,
    /// Tracks of markers, which also give their totals.
    pub(crate) marker_tracks: Vec<StepTrack>,
    /// Tracks of the stages of pipelines.
    pub(crate) pipeline_tracks: PipelineTracks,
    /// Tracks of text logs.
    pub(crate) text_log_tracks: Vec<StepTrack>,
    /// Tracks of state machines, built on first use.
    pub(crate) machine_tracks: OnceLock<Vec<StepTrack>>,
    /// Prefix sums of each core's slices.
    pub(crate) core_sums: Vec<PerAxis<PrefixSums>>,
    /// Positions of inversions.
    pub(crate) inversion_index: PerAxis<InversionIndex>,
}

impl LaneData {
    fn new(of: LaneKind, events: u32, executed: u64) -> Self {
        Self {
            kind: of,
            events,
            busy_time: executed,
            sums: PerAxis::new(),
        }
    }
}

impl Lanes {
    pub(crate) fn of(
        recording: &AnalyzedRecording,
        postings: &EventsByContext,
        machines: &StateMachines,
    ) -> Self {
        let mut all = Vec::new();
        let trace = &recording.trace;
        let shares = &recording.whole.cpu_times;
        let busy: u64 = shares.iter().map(CoreCpuTimes::busy).sum();
        all.push(LaneData::new(
            LaneKind::Summary,
            u32::try_from(trace.events.len()).unwrap_or(u32::MAX),
            busy,
        ));
        let events = |context: ContextId, place: usize| {
            u32::try_from(postings.on_core(context, place).len()).unwrap_or(u32::MAX)
        };
        let has_several = shares.iter().count() > 1;
        for core in shares.iter().filter(|_| has_several) {
            let of = LaneKind::Core { core: core.core };
            all.push(LaneData::new(of, 0, core.busy()));
        }
        let routines = super::isr::totals(recording, postings);
        let section = super::interrupts_off::totals(&recording.schedule);
        for (place, core) in shares.iter().enumerate() {
            let count = events(Contexts::INTERRUPT, place);
            let of_core = (core.core, None)..=(core.core, Some(u32::MAX));
            let mut of_core = routines.range(of_core).peekable();
            // On a multi-core target, some cores often have no interrupts.
            let section = section.get(&core.core);
            if has_several && count == 0 && of_core.peek().is_none() && section.is_none() {
                continue;
            }
            let of = LaneKind::Interrupt { core: core.core };
            let executed = core.interrupts();
            all.push(LaneData::new(of, count, executed));
            for ((core, number), (count, executed)) in of_core {
                let (core, number) = (*core, *number);
                let of = LaneKind::Isr { core, number };
                all.push(LaneData::new(of, *count, *executed));
            }
            if let Some(ticks) = section {
                let of = LaneKind::InterruptsOff { core: core.core };
                all.push(LaneData::new(of, 0, *ticks));
            }
        }
        let idle = shares.iter().enumerate().map(|(place, core)| {
            let of = LaneKind::InitializeIdle { core: core.core };
            let count = events(Contexts::INITIALIZE, place) + events(Contexts::IDLE, place);
            LaneData::new(of, count, core.initialize)
        });
        let idle: Vec<_> = idle.collect();
        let [above, below] = match has_several {
            true => [Vec::new(), idle],
            false => [idle, Vec::new()],
        };
        all.extend(above);
        let logs = recording.text_logs.iter();
        let text_log_tracks: Vec<_> = logs
            .map(|log| super::text_logs::track(trace, log))
            .collect();
        for log in 0..text_log_tracks.len() as u32 {
            all.push(LaneData::new(LaneKind::TextLog { log }, 0, 0));
        }
        let executed = shares.contexts(trace.contexts.len());
        for thread in trace.contexts.threads() {
            let of = LaneKind::Thread {
                context: thread.id.0,
            };
            let executed = executed.get(thread.id.index());
            all.push(LaneData::new(
                of,
                postings.count(thread.id),
                executed.copied().unwrap_or_default(),
            ));
            if let Some((_, machine)) = machines.find(thread.id) {
                let of = LaneKind::Machine {
                    context: thread.id.0,
                };
                all.push(LaneData::new(of, 0, machine.known_ticks()));
            }
        }
        let marker_tracks = super::markers::tracks(trace, &recording.markers);
        for (track, marker) in marker_tracks.iter().zip(0..) {
            let events = u32::try_from(track.events.len()).unwrap_or(u32::MAX);
            let of = LaneKind::Marker { marker };
            all.push(LaneData::new(of, events, track.busy_time()));
        }
        let pipeline_tracks = PipelineTracks::of(&recording.view());
        for ((pipeline, stage), track) in pipeline_tracks.iter() {
            let of = LaneKind::PipelineStage { pipeline, stage };
            all.push(LaneData::new(of, 0, track.busy_time()));
        }
        // The lanes of several cores show when these are idle, too.
        all.extend(below);
        let unknown = ContextId::UNKNOWN.0;
        Self {
            all,
            absent: LaneData::new(LaneKind::Thread { context: unknown }, 0, 0),
            thread_steps: OnceLock::new(),
            isr_tracks: OnceLock::new(),
            interrupts_off_tracks: OnceLock::new(),
            marker_tracks,
            pipeline_tracks,
            text_log_tracks,
            machine_tracks: OnceLock::new(),
            core_sums: shares.iter().map(|_| PerAxis::new()).collect(),
            inversion_index: PerAxis::new(),
        }
    }
}
