//! State of lanes at a position.

use crate::error::QueryError;
use crate::lanes::BarClass;
use crate::lanes::bars::Bar;
use crate::lanes::cores::CoreLaneFilter;
use crate::lanes::track::Track;
use crate::query::Axis;
use crate::response::{ItemVisit, LaneKind, Moment, Probe};
use crate::session::Session;
use crate::truncate::{MAX_NAME_CHARS, truncate};
use rtoscope_analysis::markers::{MarkerSpan, SpanEnding};
use rtoscope_analysis::pipelines::StageTime;
use rtoscope_analysis::schedule::{IsrActivationId, ThreadState};
use rtoscope_trace::text_log::TextLogLine;
use rtoscope_trace::{ContextId, EventIndex, Ticks};

impl Session {
    /// The state of each lane at a position; inactive lanes are omitted.
    pub(crate) fn probe(
        &self,
        axis: Axis,
        at: f64,
        lanes: &[u32],
    ) -> Result<Vec<Probe>, QueryError> {
        let mut probes = Vec::new();
        for number in lanes {
            let lane = self.lane(*number)?;
            let of = lane.kind;
            let probe = if let LaneKind::Thread { context } = of {
                let track = self.thread_track(context);
                self.probe_track(&track, axis, at, |step| self.thread_text(context, step))
            } else if let Some(track) = self.step_track(of) {
                let text = |step| self.lane_step_text(of, track.class(step), track.subject(step));
                let probe = self.probe_track(track, axis, at, text);
                let step = track.steps_until(axis, at).saturating_sub(1);
                probe.map(|probe| Probe {
                    path: self.item_path(of, track.subject(step)),
                    ..probe
                })
            } else {
                self.core_filter(of).and_then(|(place, part)| {
                    let track = self.core_track(place, part)?;
                    self.probe_track(&track, axis, at, |step| self.core_text(place, step))
                })
            };
            probes.extend(probe.map(|probe| Probe {
                lane: *number,
                ..probe
            }));
        }
        Ok(probes)
    }

    fn probe_track(
        &self,
        track: &impl Track,
        axis: Axis,
        at: f64,
        text: impl Fn(usize) -> String,
    ) -> Option<Probe> {
        if at < 0.0 || at > self.axis_end(axis) as f64 {
            return None;
        }
        let step = track.steps_until(axis, at).checked_sub(1)?;
        let class = track.visible_class(track.class(step));
        if class == BarClass::NOTHING {
            return None;
        }
        let end = track.end_position(Axis::Time, step, self.axis_end(Axis::Time));
        Some(Probe {
            lane: 0,
            class: class.0,
            text: text(step),
            start: self.recording_ticks(track.time(step)),
            end: self.recording_ticks(end),
            event: self.event_number(track.event(step)),
            start_known: track.start_known(step),
            path: Vec::new(),
        })
    }

    /// The text of a step of a lane.
    fn lane_step_text(&self, of: LaneKind, class: BarClass, subject: u32) -> String {
        let recording = &self.recording;
        match of {
            LaneKind::Isr { .. } => self.isr_text(IsrActivationId(subject)),
            LaneKind::InterruptsOff { .. } => self.interrupts_off_text(subject),
            LaneKind::Marker { .. } => {
                self.span_text(recording.markers.spans.get(subject as usize))
            }
            LaneKind::PipelineStage { pipeline, .. } => self.item_text(pipeline, class, subject),
            LaneKind::TextLog { log } => {
                let log = recording.text_logs.get(log as usize);
                let line = log.and_then(|log| log.timed_line(subject as usize));
                line.map(line_text).unwrap_or_default()
            }
            LaneKind::Machine { context } => self.state_text(context, subject),
            _ => String::new(),
        }
    }

    /// The text inside a wide bar; `None` where its colour and its lane say it all.
    pub(super) fn bar_label(&self, of: LaneKind, bar: &Bar) -> Option<String> {
        let text = match of {
            LaneKind::Thread { context } => {
                let interval = self.thread_track(context).intervals.get(bar.step)?;
                let ThreadState::Waiting {
                    wait_reason,
                    resource,
                } = interval.state
                else {
                    return None;
                };
                let name = wait_reason.name();
                resource.map_or_else(
                    || name.to_owned(),
                    |resource| format!("{name} {}", self.resource_name(resource)),
                )
            }
            LaneKind::Marker { .. } => {
                let spans = &self.recording.markers.spans;
                spans.get(bar.subject as usize)?.value.to_string()
            }
            LaneKind::PipelineStage { .. } => {
                // A narrow bar has room for the number alone.
                let text = self.lane_step_text(of, bar.class, bar.subject);
                text.trim_start_matches("item ").to_owned()
            }
            LaneKind::InterruptsOff { .. } | LaneKind::TextLog { .. } => {
                self.lane_step_text(of, bar.class, bar.subject)
            }
            _ => return None,
        };
        (!text.is_empty()).then(|| truncate(text, MAX_NAME_CHARS))
    }

    fn thread_text(&self, context: u32, step: usize) -> String {
        let track = self.thread_track(context);
        let Some(interval) = track.intervals.get(step) else {
            return String::new();
        };
        match interval.state {
            ThreadState::Unknown => "unknown".to_owned(),
            ThreadState::Deleted => "deleted".to_owned(),
            ThreadState::Ready => "ready".to_owned(),
            ThreadState::Running if track.class(step) == BarClass::INTERRUPTED => {
                self.interruption_text(interval.event)
            }
            ThreadState::Running => "running".to_owned(),
            ThreadState::Waiting {
                wait_reason,
                resource,
            } => {
                let object = resource.map(|resource| self.resource_name(resource));
                let inversion = self.inversion_of_wait(track.thread, interval.start);
                wait_reason.describe(object.as_deref()) + &inversion
            }
        }
    }

    /// The owner of the mutex, and who prolongs the wait, if the wait is a priority
    /// inversion; else empty.
    fn inversion_of_wait(&self, blocked: ContextId, start: Ticks) -> String {
        let mut inversions = self.recording.schedule.inversions.iter();
        let found = inversions.find(|it| it.blocked == blocked && it.start == start);
        let Some(inversion) = found else {
            return String::new();
        };
        let owners = inversion.owners.iter().copied();
        let culprits = inversion.culprits.iter().map(|it| it.thread);
        let held = self.names_after(", held by ", owners);
        held + &self.names_after(", prolonged by ", culprits)
    }

    /// Words and the names that follow them; empty without names.
    fn names_after(&self, words: &str, contexts: impl Iterator<Item = ContextId>) -> String {
        let names: Vec<_> = contexts.map(|context| self.context_name(context)).collect();
        match names.as_slice() {
            [] => String::new(),
            names => format!("{words}{}", names.join(", ")),
        }
    }

    /// The routine that an event enters, in the words of the thread that it interrupts.
    fn interruption_text(&self, event: EventIndex) -> String {
        let (trace, schedule) = (&self.recording.trace, &self.recording.schedule);
        let core = trace.events.core(event).unwrap_or_default();
        match schedule.isr_at(event, core) {
            Some((_, routine)) => format!("interrupted by {}", self.isr_name(routine.number)),
            None => "interrupted".to_owned(),
        }
    }

    fn isr_text(&self, id: IsrActivationId) -> String {
        let Some(activation) = self.recording.schedule.activations.get(id.index()) else {
            return String::new();
        };
        let name = self.isr_name(activation.number);
        let interrupted = match activation.interrupted {
            ContextId::UNKNOWN => String::new(),
            context => format!(", interrupted {}", self.context_name(context)),
        };
        let nested = match activation.depth {
            0 | 1 => String::new(),
            depth => format!(", nested {depth} deep"),
        };
        format!("{name}{nested}{interrupted}")
    }

    /// The context that disabled interrupts, and the code location.
    fn interrupts_off_text(&self, number: u32) -> String {
        let schedule = &self.recording.schedule;
        let Some(section) = schedule.interrupts_off.get(number as usize) else {
            return String::new();
        };
        let routine = section
            .activation
            .map(|id| schedule.activations.get(id.index()));
        let by = match routine.flatten() {
            Some(routine) => self.isr_name(routine.number),
            None => self.context_name(section.context),
        };
        let event = self.recording.trace.events.get(section.first);
        let address = event.and_then(|event| self.recording.trace.code_address(&event));
        let at = address.map(|address| {
            let place = self.recording.trace.code_locations.display(address);
            format!(" at {}", truncate(place, MAX_NAME_CHARS))
        });
        let nested = match section.nested {
            0 => String::new(),
            nested => format!(", {nested} nested"),
        };
        let at = at.unwrap_or_default();
        format!("interrupts off{nested}: disabled in {by}{at}")
    }

    /// The value of a span, its context, and how it ends if the end is not recorded.
    fn span_text(&self, span: Option<&MarkerSpan>) -> String {
        let Some(span) = span else {
            return "planned".to_owned();
        };
        let context = self.recording.trace.events.context(span.first_event());
        let context = self.context_name(context.unwrap_or(ContextId::UNKNOWN));
        let ending = match span.ending {
            SpanEnding::Ended => "",
            SpanEnding::Open => ", still open at the end of the trace",
            SpanEnding::Lost => ", end unknown: events are missing",
        };
        format!("{}, begins in {context}{ending}", span.value)
    }

    /// An item of a pipeline, and why it is late or was dropped.
    fn item_text(&self, pipeline: u32, class: BarClass, item: u32) -> String {
        let pipelines = &self.recording.pipelines;
        let items = pipelines.get(pipeline as usize).map(|it| &it.items);
        let Some(found) = items.and_then(|items| items.get(item as usize)) else {
            return String::new();
        };
        let queued = match class {
            BarClass::QUEUED_ITEM => " queued",
            _ => "",
        };
        let number = found.number;
        match self.lanes.pipeline_tracks.miss(pipeline, item) {
            Some(miss) => {
                let (outcome, stage, cause) = (miss.outcome, &miss.stage, &miss.cause);
                format!("item {number}{queued}, {outcome} in {stage}: {cause}")
            }
            None => format!("item {number}{queued}, {}", found.outcome.name()),
        }
    }

    /// The stages that an item of a pipeline's lane passes.
    fn item_path(&self, of: LaneKind, item: u32) -> Vec<ItemVisit> {
        let LaneKind::PipelineStage { pipeline, .. } = of else {
            return Vec::new();
        };
        let lanes = self.lanes.all.iter().zip(0..);
        let stages = lanes.filter_map(|(lane, number)| match lane.kind {
            LaneKind::PipelineStage {
                pipeline: of,
                stage,
            } if of == pipeline => Some((stage as usize, self.ids.lanes.id(number))),
            _ => None,
        });
        let moment = |at: StageTime| Moment {
            event: self.event_number(at.event.0),
            time: self.recording_ticks(at.time.0),
        };
        let declared = self.recording.pipelines.get(pipeline as usize);
        let visits = stages.filter_map(|(stage, lane)| {
            let visit = declared?.visit(item as usize, stage)?;
            Some(ItemVisit {
                lane,
                arrived: moment(visit.arrived),
                received: visit.received.map(moment),
                left: visit.left.map(moment),
            })
        });
        visits.collect()
    }

    /// The state of an active object's machine, by number.
    fn state_text(&self, context: u32, state: u32) -> String {
        let context = ContextId(context);
        let machine = self.machines.find(context);
        let state = machine.and_then(|(_, machine)| machine.state(state));
        match state {
            Some(state) => format!("in state {}", self.vertex_name(state.vertex, context)),
            None => "unknown".to_owned(),
        }
    }

    fn core_text(&self, place: usize, step: usize) -> String {
        let Some(track) = self.core_track(place, CoreLaneFilter::All) else {
            return String::new();
        };
        match track.class(step) {
            BarClass::ISR | BarClass::NESTED_ISR => {
                self.isr_text(IsrActivationId(track.subject(step)))
            }
            BarClass::UNKNOWN => "unknown".to_owned(),
            BarClass::KERNEL => "interrupt or scheduler".to_owned(),
            BarClass::IDLE => "idle".to_owned(),
            BarClass::INITIALIZE => "initialisation".to_owned(),
            _ => format!("runs {}", self.context_name(track.context(step))),
        }
    }
}

/// A line of a text log, with its number, level and source.
fn line_text(line: TextLogLine<'_>) -> String {
    let level = line
        .level
        .map_or_else(String::new, |level| format!(" {level}"));
    let source = match line.source {
        "" => String::new(),
        source => format!(" {source}"),
    };
    let text = format!("line {}{level}{source}: {}", line.number, line.text);
    truncate(text, MAX_LINE_CHARS)
}

/// Maximum number of characters of a shown line.
const MAX_LINE_CHARS: usize = 240;
