//! What was read of a stream, made into a trace.

use super::actors::Objects;
use super::catalogue::{name_user_event, of_runs};
use super::guess::Guess;
use super::objects;
use super::page::Page;
use super::report::{self, Facts};
use super::role::Senses;
use super::start::Start;
use super::stream::{Provenance, Run, Stream};
use super::survey::Survey;
use super::who::{self, Known};
use super::{Options, Recording, timing};
use rtoscope_trace::event::{Arguments, Words};
use rtoscope_trace::{Diagnostics, EventIndex, Events, ObjectClass, Places, Telling, Trace};
use rtoscope_wire::rkh::Configuration;

/// What is known of records beside themselves.
pub(super) struct Background<'a> {
    /// Bytes of the stream up to now.
    pub(super) bytes: u64,
    /// How its newest records are read.
    pub(super) configuration: Configuration,
    pub(super) provenance: Provenance,
    pub(super) guess: Option<Guess>,
    /// What all records of the stream tell of the target; `None` if these are all.
    pub(super) survey: Option<&'a Survey>,
    /// What is known before the first of them.
    pub(super) start: &'a Start,
    pub(super) options: &'a Options,
}

/// The recording of records of a stream.
pub(super) fn recording(mut page: Page, background: Background<'_>) -> Recording {
    let Background {
        configuration,
        provenance,
        guess,
        options,
        start,
        ..
    } = background;
    if page.runs.is_empty() {
        page.runs.push(Run {
            first: EventIndex(0),
            configuration,
            target: None,
            restart: false,
            stamped: None,
        });
    }
    // What the user gave is not used where the target tells it first.
    let told = page.runs.first().is_some_and(|run| run.target.is_some());
    let provenance = if told { Provenance::Told } else { provenance };
    let rate = report::rate(&page.runs, options.clock);
    let timing = timing::unwrap(&mut page, rate.frequency, &start.dial);
    let mut catalogue = of_runs(&page.runs);
    let senses = Senses::of(&catalogue);
    let own;
    let survey = match background.survey {
        Some(survey) => survey,
        None => {
            let all = 0..page.len();
            own = Survey::of(
                &page,
                all,
                &senses,
                configuration.signal,
                &Survey::default(),
            );
            &own
        }
    };
    let pointer = configuration.address_width();
    let objects = objects::objects(&page.columns, survey, &options.symbols, pointer);
    for (number, object) in objects::user_events(&objects) {
        name_user_event(&mut catalogue, number, &object.name.to_string());
    }
    let named = |address| objects.find_class(address, ObjectClass::ActiveObject);
    let (contexts, known) = Objects::new(&survey.active, |address| Some(named(address)?.id));
    let known = Known {
        senses: &senses,
        objects: &known,
        tells_ends: survey.tells_ends,
    };
    let (executed, _) = who::executed(&page, 0..page.len(), &known, &start.who);
    let events = page.columns.next();
    // A trace begins with its first record, whatever is missing before.
    page.gaps.retain(|gap| (1..events).contains(&gap.before.0));
    let Page {
        columns,
        runs,
        bare,
        losses,
        gaps,
        ..
    } = page;
    let mut diagnostics = Diagnostics::default();
    diagnostics.extend(report::diagnostics(&Facts {
        runs: &runs,
        losses: &losses,
        gaps: &gaps,
        provenance,
        guess: guess.as_ref(),
        rate: &rate,
        events,
    }));
    diagnostics.extend(timing.diagnostics);
    let trace = Trace {
        base: Default::default(),
        events: Events {
            time: timing.time,
            stamp: Words::Narrow(columns.stamps),
            core: Vec::new(),
            context: executed.context,
            kind: columns.kinds,
            standing: executed.standing,
            arguments: Arguments::Narrow(columns.arguments),
            extras: columns.extras,
        },
        contexts,
        objects,
        clock: timing.clock,
        cores: vec![0],
        gaps,
        catalogue,
        telling: Telling::default(),
        places: Places::default(),
        diagnostics,
    };
    let stream = Stream {
        bytes: background.bytes,
        runs,
        provenance,
        guess,
        losses,
        offsets: columns.offsets,
        sequences: columns.sequences,
        bare,
    };
    Recording { trace, stream }
}
