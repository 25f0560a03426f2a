//! Collects the content of lanes in a window and encodes it.

use super::overlays;
use super::writer::BinaryWriter;
use crate::axis::Pixels;
use crate::error::QueryError;
use crate::lanes::bars::{Bar, LaneBars, lane_bars};
use crate::lanes::binary::{MAGIC, TOO_MANY};
use crate::lanes::cores::{CoreLaneFilter, CoreTrack};
use crate::lanes::events::{EventNumbers, pixel_edges};
use crate::lanes::inversions::{InversionIndex, InversionsInWindow};
use crate::lanes::thread::ThreadTrack;
use crate::lanes::track::StepTrack;
use crate::lanes::{BarClass, LaneData, interrupts_off, isr, machine, thread};
use crate::query::{Axis, Search, Window};
use crate::response::LaneKind;
use crate::session::Session;
use rtoscope_trace::{ContextId, Contexts, EventIndex};
use std::ops::Range;

/// Average number of pixels per listed bar.
const PIXELS_PER_BAR: usize = 6;
/// Minimum width of a bar with a label.
const MIN_LABEL_PIXELS: f32 = 40.0;
/// Maximum number of listed events of all lanes.
const MAX_LISTED_EVENTS: usize = 6000;
/// Number of pixels of all lanes above which a second thread pays off.
const MIN_PARALLEL_PIXELS: usize = 10_000;

/// The content of a lane.
struct LaneContent {
    lane: u32,
    bars: LaneBars,
    events: LaneEvents,
    /// 1 for each pixel with a hit of the search; empty without a search.
    hits: Vec<u8>,
}

enum LaneEvents {
    Listed(Vec<u32>),
    Binned(Vec<u8>),
}

impl Session {
    /// The content of lanes in a window, in the [binary format](crate::lanes::binary),
    /// with marks of the hits of a search.
    pub(crate) fn encode_lanes(
        &self,
        window: &Window,
        width: u32,
        lanes: &[u32],
        search: Option<&Search>,
    ) -> Result<Vec<u8>, QueryError> {
        let hits = search.map(|search| self.hits(search)).transpose()?;
        let pixels = Pixels::new(window, width);
        let edges = pixel_edges(&self.recording.trace.events, &pixels);
        let within =
            edges.first().copied().unwrap_or_default()..edges.last().copied().unwrap_or_default();
        let wanted = lanes.iter().map(|lane| Ok((*lane, self.lane(*lane)?)));
        let wanted: Vec<_> = wanted.collect::<Result<_, QueryError>>()?;
        let counts = wanted
            .iter()
            .map(|(_, lane)| self.event_numbers(lane).count(&within));
        let total: usize = counts.sum();
        let most_events = if total <= MAX_LISTED_EVENTS {
            MAX_LISTED_EVENTS
        } else {
            MAX_LISTED_EVENTS / wanted.len().max(1)
        };
        let show = |part: &[(u32, &LaneData)]| -> Vec<LaneContent> {
            let shown = part.iter().map(|(number, lane)| LaneContent {
                lane: *number,
                bars: self.content_bars(lane, &pixels),
                events: self.content_events(lane, &edges, &within, most_events),
                hits: hits
                    .as_ref()
                    .map(|hits| self.event_numbers(lane).pixels_with(hits, &edges))
                    .unwrap_or_default(),
            });
            shown.collect()
        };
        let shown = if wanted.len() * pixels.width > MIN_PARALLEL_PIXELS {
            // Lanes cost about the same, so a second thread takes half of them.
            let (one, other) = wanted.split_at(wanted.len() / 2);
            let (mut shown, other) = rtoscope_trace::parallel::join(|| show(one), || show(other));
            shown.extend(other);
            shown
        } else {
            show(&wanted)
        };
        let hits = hits.map(|hits| EventNumbers::All.pixels_with(&hits, &edges));
        Ok(self.encode_response(&pixels, &wanted, &shown, hits.as_deref()))
    }

    pub(super) fn lane(&self, number: u32) -> Result<&LaneData, QueryError> {
        let own = self.ids.lanes.own(number);
        let lane = own.map_or(Some(&self.lanes.absent), |own| {
            self.lanes.all.get(own as usize)
        });
        lane.ok_or_else(|| QueryError::OutOfRange {
            parameter: "a lane",
            value: number.to_string(),
            expected: format!("less than {}", self.lanes.all.len()),
        })
    }

    /// The track of a lane whose steps are kept.
    pub(super) fn step_track(&self, of: LaneKind) -> Option<&StepTrack> {
        let (lanes, recording) = (&self.lanes, &self.recording);
        match of {
            LaneKind::Isr { core, number } => {
                let make = || isr::tracks(&recording.schedule, &self.events_by_context);
                lanes.isr_tracks.get_or_init(make).get(&(core, number))
            }
            LaneKind::InterruptsOff { core } => {
                let make = || interrupts_off::tracks(&recording.schedule);
                lanes.interrupts_off_tracks.get_or_init(make).get(&core)
            }
            LaneKind::Marker { marker } => lanes.marker_tracks.get(marker as usize),
            LaneKind::PipelineStage { pipeline, stage } => {
                lanes.pipeline_tracks.get(pipeline, stage)
            }
            LaneKind::TextLog { log } => lanes.text_log_tracks.get(log as usize),
            LaneKind::Machine { context } => {
                let (place, _) = self.machines.find(ContextId(context))?;
                let make = || machine::tracks(&recording.trace, &recording.active, &self.machines);
                lanes.machine_tracks.get_or_init(make).get(place)
            }
            LaneKind::Summary
            | LaneKind::Core { .. }
            | LaneKind::Interrupt { .. }
            | LaneKind::InitializeIdle { .. }
            | LaneKind::Thread { .. } => None,
        }
    }

    /// The index of a core in the schedule.
    fn core_index(&self, core: u8) -> usize {
        let mut cores = self.recording.schedule.cores.iter();
        cores
            .position(|slices| slices.core == core)
            .unwrap_or_default()
    }

    pub(crate) fn core_track(&self, place: usize, part: CoreLaneFilter) -> Option<CoreTrack<'_>> {
        Some(CoreTrack {
            slices: self.recording.schedule.cores.get(place)?,
            activations: &self.recording.schedule.activations,
            events: &self.recording.trace.events,
            filter: part,
        })
    }

    /// The state of a thread as its lane shows it, with interruptions.
    pub(super) fn thread_track(&self, context: u32) -> ThreadTrack<'_> {
        let thread = ContextId(context);
        let make = || thread::steps(&self.recording.schedule);
        let steps = self.lanes.thread_steps.get_or_init(make);
        match steps.get(thread.index()) {
            Some(steps) => ThreadTrack {
                intervals: &steps.intervals,
                interrupted: &steps.interrupted,
                ..self.thread_states(thread)
            },
            None => self.thread_states(thread),
        }
    }

    /// The state of a thread, whether or not interrupts have its core.
    pub(super) fn thread_states(&self, thread: ContextId) -> ThreadTrack<'_> {
        ThreadTrack {
            thread,
            intervals: self.recording.schedule.thread_states(thread),
            interrupted: &[],
            events: &self.recording.trace.events,
        }
    }

    /// The core that a lane shows, and the part of its activity.
    pub(super) fn core_filter(&self, of: LaneKind) -> Option<(usize, CoreLaneFilter)> {
        match of {
            LaneKind::Summary if self.lanes.core_sums.len() == 1 => Some((0, CoreLaneFilter::All)),
            LaneKind::Core { core } => Some((self.core_index(core), CoreLaneFilter::All)),
            LaneKind::Interrupt { core } => {
                Some((self.core_index(core), CoreLaneFilter::Interrupts))
            }
            LaneKind::InitializeIdle { core } => {
                Some((self.core_index(core), CoreLaneFilter::InitializeIdle))
            }
            LaneKind::Summary
            | LaneKind::Isr { .. }
            | LaneKind::InterruptsOff { .. }
            | LaneKind::Marker { .. }
            | LaneKind::PipelineStage { .. }
            | LaneKind::TextLog { .. }
            | LaneKind::Thread { .. }
            | LaneKind::Machine { .. } => None,
        }
    }

    pub(super) fn content_bars(&self, lane: &LaneData, pixels: &Pixels) -> LaneBars {
        let end = self.axis_end(pixels.axis);
        let limit = pixels.width / PIXELS_PER_BAR;
        let shown = if let LaneKind::Thread { context } = lane.kind {
            let track = self.thread_track(context);
            Some(lane_bars(&track, &lane.sums, pixels, end, limit, false))
        } else if let Some(track) = self.step_track(lane.kind) {
            Some(lane_bars(track, &lane.sums, pixels, end, limit, false))
        } else {
            self.core_filter(lane.kind).and_then(|(place, part)| {
                let track = self.core_track(place, part)?;
                let sums = self.lanes.core_sums.get(place)?;
                // The subject of a bar is visible only if bars are listed, so list more
                // of them.
                Some(lane_bars(&track, sums, pixels, end, 4 * limit, true))
            })
        };
        shown.unwrap_or(LaneBars::Listed(Vec::new()))
    }

    /// The events that a lane shows.
    fn event_numbers(&self, lane: &LaneData) -> EventNumbers<'_> {
        let fixed = |context, core| {
            self.events_by_context
                .on_core(context, self.core_index(core))
        };
        match lane.kind {
            LaneKind::Summary => EventNumbers::All,
            LaneKind::Interrupt { core } => EventNumbers::List(fixed(Contexts::INTERRUPT, core)),
            LaneKind::InitializeIdle { core } => EventNumbers::Merged(
                fixed(Contexts::INITIALIZE, core),
                fixed(Contexts::IDLE, core),
            ),
            LaneKind::Thread { context } => {
                EventNumbers::List(self.events_by_context.on_core(ContextId(context), 0))
            }
            of => {
                let track = self.step_track(of);
                EventNumbers::List(track.map(|track| &*track.events).unwrap_or_default())
            }
        }
    }

    fn content_events(
        &self,
        lane: &LaneData,
        edges: &[u32],
        within: &Range<u32>,
        limit: usize,
    ) -> LaneEvents {
        let numbers = self.event_numbers(lane);
        if numbers.count(within) <= limit {
            LaneEvents::Listed(numbers.in_range(within))
        } else {
            LaneEvents::Binned(numbers.densities_per_pixel(edges))
        }
    }

    fn encode_response(
        &self,
        pixels: &Pixels,
        wanted: &[(u32, &LaneData)],
        shown: &[LaneContent],
        hits: Option<&[u8]>,
    ) -> Vec<u8> {
        let end = self.axis_end(pixels.axis);
        let (trace, schedule) = (&self.recording.trace, &self.recording.schedule);
        let places = 0..schedule.cores.len();
        let cores = places.filter_map(|place| self.core_track(place, CoreLaneFilter::All));
        let switches = overlays::switches(&cores.collect::<Vec<_>>(), pixels, end);
        let threads = wanted.iter().filter_map(|(_, lane)| match lane.kind {
            LaneKind::Thread { context } => Some(self.thread_states(ContextId(context))),
            _ => None,
        });
        let threads: Vec<_> = threads.collect();
        let wakes = overlays::wakes(schedule, &threads, pixels, end);
        let index = self.lanes.inversion_index.get(pixels.axis, || {
            InversionIndex::of(trace, schedule, pixels.axis)
        });
        let contexts = threads.iter().map(|track| track.thread).collect();
        let InversionsInWindow {
            marks: inversions,
            shares,
        } = index.in_window(schedule, pixels, &contexts);
        let gaps = overlays::gaps(trace, pixels);
        let mut out = BinaryWriter::default();
        out.word(MAGIC);
        out.word(pixels.width as u32);
        let origin = self.axis_origin(pixels.axis);
        out.double(origin + pixels.start);
        out.double(origin + pixels.end);
        out.double(self.axis_origin(Axis::Index));
        out.word(shown.len() as u32);
        out.word(switches.as_ref().map_or(TOO_MANY, |all| all.len() as u32));
        out.word(wakes.as_ref().map_or(TOO_MANY, |all| all.len() as u32));
        out.word(inversions.len() as u32);
        out.word(gaps.len() as u32);
        out.word(shares.len() as u32);
        out.word(u32::from(hits.is_some()));
        for (one, (_, lane)) in shown.iter().zip(wanted) {
            self.encode_lane((one, lane.kind), pixels, &mut out);
        }
        let switches = switches.unwrap_or_default();
        out.floats(switches.iter().map(|one| one.x));
        let contexts = &self.ids.contexts;
        out.words(switches.iter().map(|one| contexts.id(one.from)));
        out.words(switches.iter().map(|one| contexts.id(one.to)));
        out.words(switches.iter().map(|one| one.event));
        let wakes = wakes.unwrap_or_default();
        out.floats(wakes.iter().map(|one| one.x[0]));
        out.floats(wakes.iter().map(|one| one.x[1]));
        out.words(wakes.iter().map(|one| contexts.id(one.by)));
        out.words(wakes.iter().map(|one| contexts.id(one.thread)));
        out.words(wakes.iter().map(|one| one.cause));
        out.words(wakes.iter().map(|one| one.effect));
        out.floats(inversions.iter().map(|one| one.x[0]));
        out.floats(inversions.iter().map(|one| one.x[1]));
        out.words(inversions.iter().map(|one| one.number));
        out.words(inversions.iter().map(|one| contexts.id(one.blocked)));
        out.words(inversions.iter().map(|one| contexts.id(one.owner)));
        out.words(inversions.iter().map(|one| one.unbounded));
        out.floats(gaps.iter().map(|(x, _)| *x));
        out.words(gaps.iter().map(|(_, event)| *event));
        for one in &shares {
            out.word(
                one.context
                    .map_or(TOO_MANY, |context| self.context_id(context)),
            );
            out.layer(&one.bounded);
            out.layer(&one.unbounded);
        }
        if let Some(hits) = hits {
            out.layer(hits);
        }
        out.finish()
    }

    /// The texts of bars that have room for some of them.
    fn encode_labels(&self, kind: LaneKind, bars: &[Bar], out: &mut BinaryWriter) {
        let wide = bars.iter().zip(0_u32..);
        let wide = wide.filter(|(bar, _)| bar.end - bar.start >= MIN_LABEL_PIXELS);
        let labels = wide.filter_map(|(bar, place)| Some((place, self.bar_label(kind, bar)?)));
        let labels: Vec<_> = labels.collect();
        out.word(labels.len() as u32);
        out.words(labels.iter().map(|(place, _)| *place));
        out.words(labels.iter().map(|(_, text)| text.len() as u32));
        out.bytes(labels.iter().flat_map(|(_, text)| text.bytes()));
    }

    fn encode_lane(
        &self,
        (shown, kind): (&LaneContent, LaneKind),
        pixels: &Pixels,
        out: &mut BinaryWriter,
    ) {
        out.word(shown.lane);
        let (bars, layers) = match &shown.bars {
            LaneBars::Listed(bars) => (bars.len() as u32, 0),
            LaneBars::Binned { isr, .. } => (TOO_MANY, 2 + u32::from(isr.is_some())),
        };
        out.word(bars);
        out.word(match &shown.events {
            LaneEvents::Listed(events) => events.len() as u32,
            LaneEvents::Binned(_) => TOO_MANY,
        });
        out.word(layers);
        match &shown.bars {
            LaneBars::Listed(bars) => {
                out.floats(bars.iter().map(|bar| bar.start));
                out.floats(bars.iter().map(|bar| bar.end));
                out.words(bars.iter().map(|bar| bar.event));
                out.words(bars.iter().map(|bar| match bar.class {
                    BarClass::THREAD => self.ids.contexts.id(bar.subject),
                    _ => bar.subject,
                }));
                let class = |bar: &Bar| bar.class.0;
                out.bytes(bars.iter().map(class));
                self.encode_labels(kind, bars, out);
            }
            LaneBars::Binned { class, busy, isr } => {
                for layer in [Some(class), Some(busy), isr.as_ref()]
                    .into_iter()
                    .flatten()
                {
                    out.layer(layer);
                }
            }
        }
        match &shown.events {
            LaneEvents::Listed(events) => {
                let position = |event| self.position(pixels.axis, event);
                out.floats(events.iter().map(|event| pixels.x(position(*event))));
                out.words(events.iter().copied());
                out.words(events.iter().map(|event| self.kind_index(*event)));
            }
            LaneEvents::Binned(counts) => out.layer(counts),
        }
        if !shown.hits.is_empty() {
            out.layer(&shown.hits);
        }
    }

    /// The index of an event's kind in the overview.
    fn kind_index(&self, event: u32) -> u32 {
        let kind = self.recording.trace.events.kind(EventIndex(event));
        let kind = kind.unwrap_or_default();
        let place = self
            .kind_counts
            .binary_search_by_key(&kind, |(kind, _)| *kind);
        place.map_or(TOO_MANY, |place| self.ids.kinds.id(place as u32))
    }
}
