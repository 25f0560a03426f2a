//! Traces and schedules for tests.

pub(crate) mod reactive;
pub(crate) mod switching;

use crate::report::{Scope, Shares, View};
use crate::schedule::{Executing, Slice, Slices, State, Stretch, Who};
use crate::{Active, Analysis, Census, Levels, Schedule};
use rtoscope_decode::{source::Source, threadx};
use rtoscope_trace::clock::{Direction, Quality};
use rtoscope_trace::event::{Arguments, Standing, Words};
use rtoscope_trace::extras::Extras;
use rtoscope_trace::{
    Act, Address, Catalogue, Clock, ContextId, Contexts, Diagnostics, Event, EventIndex, Events,
    Interpret, KindId, Objects, Places, Resource, ResourceId, Telling, Ticks, Trace, Wait,
};
use std::path::{Path, PathBuf};

/// A trace with its schedule.
pub(crate) struct Fixture {
    pub(crate) trace: Trace,
    pub(crate) schedule: Schedule,
    active: Active,
    census: Census,
    levels: Levels,
}

/// Nothing means anything.
struct Silent;

impl Interpret for Silent {
    fn act(&mut self, _: &Event) -> Act {
        Act::None
    }

    fn resources(&self) -> &[Resource] {
        &[]
    }
}

/// The first thread of a trace made by hand; the others follow.
pub(crate) const FIRST: ContextId = ContextId(3);

impl Fixture {
    /// A trace of `testdata/threadx`.
    pub(crate) fn open(name: &str) -> Self {
        let trace = open(name);
        let schedule = Schedule::of(&trace, &mut threadx::Interpreter::new(&trace));
        Self {
            trace,
            schedule,
            active: Active::default(),
            census: Census::default(),
            levels: Levels::default(),
        }
    }

    /// A trace of one core with an event at each tick up to `span`, logged by
    /// idle, and that many threads of which nothing is known.
    pub(crate) fn made(span: u64, threads: usize) -> Self {
        let trace = trace(0..=span, threads);
        let mut schedule = Schedule::of(&trace, &mut Silent);
        schedule.cores.clear();
        Self {
            trace,
            schedule,
            active: Active::default(),
            census: Census::default(),
            levels: Levels::default(),
        }
    }

    /// What a core executes, from when on.
    pub(crate) fn core(mut self, core: u8, slices: &[(u64, Who)]) -> Self {
        let slice = |(start, who): &(u64, Who)| Slice {
            start: Ticks(*start),
            event: EventIndex(*start as u32),
            who: *who,
        };
        self.schedule.cores.push(Slices {
            core,
            all: slices.iter().map(slice).collect(),
            end: self.schedule.span,
        });
        self
    }

    /// What a thread does, from when on; seen if the flag says so.
    pub(crate) fn thread(mut self, thread: ContextId, states: &[(u64, State, bool)]) -> Self {
        let stretch = |(start, state, seen): &(u64, State, bool)| Stretch {
            start: Ticks(*start),
            event: EventIndex(*start as u32),
            state: *state,
            interrupt: false,
            seen: *seen,
        };
        let stretches = states.iter().map(stretch).collect();
        self.schedule.threads[thread.index()] = stretches;
        self
    }

    /// The view of a scope; its census is empty.
    pub(crate) fn view<'a>(&'a self, scope: &'a Scope) -> View<'a> {
        View {
            trace: &self.trace,
            schedule: &self.schedule,
            active: &self.active,
            census: &self.census,
            levels: &self.levels,
            // A test may waste a little, here and below.
            shares: Box::leak(Box::new(Shares::of(&self.schedule, scope))),
            statistics: &[],
            scope,
            diagnostics: Box::leak(Box::new(self.schedule.diagnostics(&self.trace))),
        }
    }

    /// Ticks that routines of a number executed, by the slices.
    pub(crate) fn isr_ticks(&self, number: Option<u32>) -> u64 {
        let scope = Scope::default();
        let view = self.view(&scope);
        let of_number = view.slices().filter(|(_, slice, _)| {
            let executing = slice.who.executing();
            matches!(executing, Executing::Isr(_)) && view.isr_number(executing) == number
        });
        of_number.map(|(_, _, part)| part.end - part.start).sum()
    }
}

/// A good clock of unknown frequency that never wraps.
pub(crate) fn clock() -> Clock {
    Clock {
        mask: u64::MAX,
        period: None,
        direction: Direction::Up,
        quality: Quality::Good,
        frequency: None,
        wraps: 0,
        backward_steps: 0,
    }
}

/// A trace of one core with an event at each of these times, logged by idle,
/// and that many threads of which nothing is known.
pub(crate) fn trace(times: impl Iterator<Item = u64>, threads: usize) -> Trace {
    let mut contexts = Contexts::new(Address(0), Address(1), Address(2));
    for thread in 0..threads {
        contexts.push_thread(Address(0x100 + thread as u64), None);
    }
    let time: Vec<_> = times.collect();
    let count = time.len();
    Trace {
        base: Default::default(),
        events: Events {
            stamp: Words::Narrow((0..).take(count).collect()),
            time,
            core: Vec::new(),
            context: vec![Contexts::IDLE; count],
            kind: vec![KindId(0); count],
            standing: vec![Standing(0); count],
            arguments: Arguments::Narrow(vec![[0; 4]; count]),
            extras: Extras::default(),
        },
        contexts,
        objects: Objects::default(),
        clock: clock(),
        cores: vec![0],
        gaps: Vec::new(),
        catalogue: Catalogue::default(),
        telling: Telling::default(),
        places: Places::default(),
        diagnostics: Diagnostics::default(),
    }
}

/// Where the traces of `testdata/threadx` lie.
pub(crate) fn path(name: &str) -> PathBuf {
    let folder = "../../testdata/threadx";
    [env!("CARGO_MANIFEST_DIR"), folder, name].iter().collect()
}

/// A trace of `testdata/threadx`.
pub(crate) fn open(name: &str) -> Trace {
    open_at(&path(name))
}

/// A trace.
pub(crate) fn open_at(path: &Path) -> Trace {
    let source = Source::open(path).unwrap();
    let opened = rtoscope_decode::open(source.input(), Default::default()).unwrap();
    opened.decode(&threadx::Options::default()).unwrap().trace
}

/// Looks at a scope of a trace.
pub(crate) fn look<T>(trace: &Trace, scope: &Scope, report: impl FnOnce(&View<'_>) -> T) -> T {
    let analysis = Analysis::of(trace, scope.clone(), &mut threadx::Interpreter::new(trace));
    let statistics = threadx::catalogue::statistics(threadx::NetxDialect::Duo);
    report(&analysis.view(trace, statistics))
}

/// A part of the time.
pub(crate) fn window(from: u64, to: u64) -> Scope {
    Scope {
        from: Some(Ticks(from)),
        to: Some(Ticks(to)),
        ..Scope::default()
    }
}

/// A thread waits for a reason, or for an object of that number.
pub(crate) fn waiting(wait: Wait, resource: Option<u32>) -> State {
    State::Waiting {
        wait,
        resource: resource.map(ResourceId),
    }
}
