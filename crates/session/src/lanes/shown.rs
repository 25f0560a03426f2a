//! What lanes show in a window, put together and written.

use super::Lane;
use super::answer::{MAGIC, MANY};
use super::bars::{Bar, Bars, bars};
use super::cores::{CoreTrack, Part};
use super::events::{Numbers, edges};
use super::inversions::InversionIndex;
use super::isr::IsrTracks;
use super::machine::{MachineTrack, MachineTracks};
use super::marks;
use super::masked::MaskTracks;
use super::thread::ThreadTrack;
use super::writer::Writer;
use crate::answer::LaneKind;
use crate::pixels::Pixels;
use crate::query::Window;
use crate::session::{AskError, Session};
use rtoscope_trace::{ContextId, Contexts};
use std::ops::Range;
use std::thread;

/// Pixels that a lane has for each bar that is listed, on average.
const PIXELS_PER_BAR: usize = 6;
/// Events of all lanes that are listed.
const MOST_EVENTS: usize = 6000;
/// Pixels of all lanes above which they are worth a second thread.
const MUCH: usize = 10_000;

/// What one lane shows.
struct Shown {
    lane: u32,
    bars: Bars,
    events: Events,
}

enum Events {
    Listed(Vec<u32>),
    Binned(Vec<u8>),
}

impl Session {
    /// What lanes show in a window, in the [binary form](super::answer).
    pub(crate) fn lanes_answer(
        &self,
        window: &Window,
        width: u32,
        lanes: &[u32],
    ) -> Result<Vec<u8>, AskError> {
        let pixels = Pixels::of(window, width);
        let edges = edges(&self.trace.events, &pixels);
        let within =
            edges.first().copied().unwrap_or_default()..edges.last().copied().unwrap_or_default();
        let wanted = lanes.iter().map(|lane| Ok((*lane, self.lane(*lane)?)));
        let wanted: Vec<_> = wanted.collect::<Result<_, AskError>>()?;
        let counts = wanted
            .iter()
            .map(|(_, lane)| self.numbers(lane).count(&within));
        let total: usize = counts.sum();
        let most_events = if total <= MOST_EVENTS {
            MOST_EVENTS
        } else {
            MOST_EVENTS / wanted.len().max(1)
        };
        let show = |part: &[(u32, &Lane)]| -> Vec<Shown> {
            let shown = part.iter().map(|(number, lane)| Shown {
                lane: *number,
                bars: self.bars(lane, &pixels),
                events: self.events(lane, &edges, &within, most_events),
            });
            shown.collect()
        };
        let shown = if wanted.len() * pixels.width > MUCH {
            // Lanes differ little in what they cost: half of them to another thread.
            let (one, other) = wanted.split_at(wanted.len() / 2);
            thread::scope(|scope| {
                let other = scope.spawn(|| show(other));
                let mut shown = show(one);
                match other.join() {
                    Ok(other) => shown.extend(other),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
                shown
            })
        } else {
            show(&wanted)
        };
        Ok(self.written(&pixels, &wanted, &shown))
    }

    pub(super) fn lane(&self, number: u32) -> Result<&Lane, AskError> {
        let lane = self.lanes.all.get(number as usize);
        lane.ok_or_else(|| AskError::OutOfRange {
            what: "a lane",
            value: number.to_string(),
            expected: format!("less than {}", self.lanes.all.len()),
        })
    }

    pub(super) fn isrs(&self) -> &IsrTracks {
        let schedule = &self.analysis.schedule;
        let make = || IsrTracks::of(schedule, &self.postings);
        self.lanes.isrs.get_or_init(make)
    }

    pub(super) fn masks(&self) -> &MaskTracks {
        let make = || MaskTracks::of(&self.analysis.schedule);
        self.lanes.masks.get_or_init(make)
    }

    /// The place of a core among those of the schedule.
    fn place(&self, core: u8) -> usize {
        let mut cores = self.analysis.schedule.cores.iter();
        cores
            .position(|slices| slices.core == core)
            .unwrap_or_default()
    }

    pub(super) fn core_track(&self, place: usize, part: Part) -> Option<CoreTrack<'_>> {
        Some(CoreTrack {
            slices: self.analysis.schedule.cores.get(place)?,
            activations: &self.analysis.schedule.activations,
            events: &self.trace.events,
            part,
        })
    }

    pub(super) fn thread_track(&self, context: u32) -> ThreadTrack<'_> {
        let thread = ContextId(context);
        let stretches = self.analysis.schedule.threads.get(thread.index());
        ThreadTrack {
            thread,
            stretches: stretches.map(Vec::as_slice).unwrap_or_default(),
            contexts: &self.trace.events.context,
        }
    }

    pub(super) fn machine_track(&self, context: u32) -> Option<&MachineTrack> {
        let active = &self.analysis.active;
        let make = || MachineTracks::of(&self.trace, active, &self.machines);
        let (place, _) = self.machines.find(ContextId(context))?;
        self.lanes.machines.get_or_init(make).get(place)
    }

    /// The core whose time a lane shows, and what of it.
    pub(super) fn core_part(&self, of: LaneKind) -> Option<(usize, Part)> {
        match of {
            LaneKind::Summary if self.lanes.cores.len() == 1 => Some((0, Part::All)),
            LaneKind::Core { core } => Some((self.place(core), Part::All)),
            LaneKind::Interrupt { core } => Some((self.place(core), Part::Interrupts)),
            LaneKind::InitializeIdle { core } => Some((self.place(core), Part::InitializeIdle)),
            LaneKind::Summary
            | LaneKind::Isr { .. }
            | LaneKind::InterruptsOff { .. }
            | LaneKind::Thread { .. }
            | LaneKind::Machine { .. } => None,
        }
    }

    fn bars(&self, lane: &Lane, pixels: &Pixels) -> Bars {
        let end = self.end(pixels.axis);
        let most = pixels.width / PIXELS_PER_BAR;
        let shown = match lane.of {
            LaneKind::Thread { context } => {
                let track = self.thread_track(context);
                Some(bars(&track, &lane.sums, pixels, end, most, false))
            }
            LaneKind::Isr { core, number } => {
                let track = self.isrs().get((core, number));
                track.map(|track| bars(track, &lane.sums, pixels, end, most, false))
            }
            LaneKind::InterruptsOff { core } => {
                let track = self.masks().get(core);
                track.map(|track| bars(track, &lane.sums, pixels, end, most, false))
            }
            LaneKind::Machine { context } => {
                let track = self.machine_track(context);
                track.map(|track| bars(track, &lane.sums, pixels, end, most, false))
            }
            of => self.core_part(of).and_then(|(place, part)| {
                let track = self.core_track(place, part)?;
                let sums = self.lanes.cores.get(place)?;
                // Who executes is only seen where bars are listed.
                Some(bars(&track, sums, pixels, end, 4 * most, true))
            }),
        };
        shown.unwrap_or(Bars::Listed(Vec::new()))
    }

    /// The events that a lane shows.
    fn numbers(&self, lane: &Lane) -> Numbers<'_> {
        let fixed = |context, core| self.postings.on_core(context, self.place(core));
        match lane.of {
            LaneKind::Summary => Numbers::All,
            LaneKind::Core { .. } | LaneKind::InterruptsOff { .. } | LaneKind::Machine { .. } => {
                Numbers::These(&[])
            }
            LaneKind::Interrupt { core } => Numbers::These(fixed(Contexts::INTERRUPT, core)),
            LaneKind::InitializeIdle { core } => Numbers::Both(
                fixed(Contexts::INITIALIZE, core),
                fixed(Contexts::IDLE, core),
            ),
            LaneKind::Isr { core, number } => {
                let track = self.isrs().get((core, number));
                Numbers::These(track.map(|track| &*track.events).unwrap_or_default())
            }
            LaneKind::Thread { context } => {
                Numbers::These(self.postings.on_core(ContextId(context), 0))
            }
        }
    }

    fn events(&self, lane: &Lane, edges: &[u32], within: &Range<u32>, most: usize) -> Events {
        let numbers = self.numbers(lane);
        if numbers.count(within) <= most {
            Events::Listed(numbers.within(within))
        } else {
            Events::Binned(numbers.counts(edges))
        }
    }

    fn written(&self, pixels: &Pixels, wanted: &[(u32, &Lane)], shown: &[Shown]) -> Vec<u8> {
        let end = self.end(pixels.axis);
        let (trace, schedule) = (&self.trace, &self.analysis.schedule);
        let places = 0..schedule.cores.len();
        let cores = places.filter_map(|place| self.core_track(place, Part::All));
        let switches = marks::switches(&cores.collect::<Vec<_>>(), pixels, end);
        let threads = wanted.iter().filter_map(|(_, lane)| match lane.of {
            LaneKind::Thread { context } => Some(self.thread_track(context)),
            _ => None,
        });
        let wakes = marks::wakes(&threads.collect::<Vec<_>>(), pixels, end);
        let index = self.lanes.inversions.get(pixels.axis, || {
            InversionIndex::of(trace, schedule, pixels.axis)
        });
        let inversions = index.within(schedule, pixels);
        let gaps = marks::gaps(trace, pixels);
        let mut out = Writer::default();
        out.word(MAGIC);
        out.word(pixels.width as u32);
        out.double(pixels.from);
        out.double(pixels.to);
        out.word(shown.len() as u32);
        out.word(switches.as_ref().map_or(MANY, |all| all.len() as u32));
        out.word(wakes.as_ref().map_or(MANY, |all| all.len() as u32));
        out.word(inversions.len() as u32);
        out.word(gaps.len() as u32);
        out.word(0);
        for one in shown {
            self.lane_written(one, pixels, &mut out);
        }
        let switches = switches.unwrap_or_default();
        out.floats(switches.iter().map(|one| one.x));
        out.words(switches.iter().map(|one| one.from));
        out.words(switches.iter().map(|one| one.to));
        out.words(switches.iter().map(|one| one.event));
        let wakes = wakes.unwrap_or_default();
        out.floats(wakes.iter().map(|one| one.x[0]));
        out.floats(wakes.iter().map(|one| one.x[1]));
        out.words(wakes.iter().map(|one| one.by));
        out.words(wakes.iter().map(|one| one.thread));
        out.words(wakes.iter().map(|one| one.cause));
        out.words(wakes.iter().map(|one| one.effect));
        out.floats(inversions.iter().map(|one| one.x[0]));
        out.floats(inversions.iter().map(|one| one.x[1]));
        out.words(inversions.iter().map(|one| one.number));
        out.words(inversions.iter().map(|one| one.blocked));
        out.words(inversions.iter().map(|one| one.owner));
        out.words(inversions.iter().map(|one| one.unbounded));
        out.floats(gaps.iter().map(|(x, _)| *x));
        out.words(gaps.iter().map(|(_, event)| *event));
        out.finish()
    }

    fn lane_written(&self, shown: &Shown, pixels: &Pixels, out: &mut Writer) {
        out.word(shown.lane);
        let (bars, layers) = match &shown.bars {
            Bars::Listed(bars) => (bars.len() as u32, 0),
            Bars::Binned { isr, .. } => (MANY, 2 + u32::from(isr.is_some())),
        };
        out.word(bars);
        out.word(match &shown.events {
            Events::Listed(events) => events.len() as u32,
            Events::Binned(_) => MANY,
        });
        out.word(layers);
        match &shown.bars {
            Bars::Listed(bars) => {
                out.floats(bars.iter().map(|bar| bar.start));
                out.floats(bars.iter().map(|bar| bar.end));
                out.words(bars.iter().map(|bar| bar.event));
                out.words(bars.iter().map(|bar| bar.what));
                let class = |bar: &Bar| bar.class.0;
                out.bytes(bars.iter().map(class));
            }
            Bars::Binned { class, busy, isr } => {
                for layer in [Some(class), Some(busy), isr.as_ref()]
                    .into_iter()
                    .flatten()
                {
                    out.layer(layer);
                }
            }
        }
        match &shown.events {
            Events::Listed(events) => {
                let position = |event| self.position(pixels.axis, event);
                out.floats(events.iter().map(|event| pixels.x(position(*event))));
                out.words(events.iter().copied());
                out.words(events.iter().map(|event| self.kind_place(*event)));
            }
            Events::Binned(counts) => out.layer(counts),
        }
    }

    /// The place of an event's kind among the overview's.
    fn kind_place(&self, event: u32) -> u32 {
        let kind = self.trace.events.kind.get(event as usize);
        let kind = kind.copied().unwrap_or_default();
        let place = self.kinds.binary_search_by_key(&kind, |(kind, _)| *kind);
        place.map_or(MANY, |place| place as u32)
    }
}
