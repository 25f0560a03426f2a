//! What was read of a stream, made into a trace.

use super::catalogue::{name_user_event, of_runs};
use super::guess::Guess;
use super::objects;
use super::reader::Reader;
use super::report::{self, Facts};
use super::role::Senses;
use super::stream::{Provenance, Run, Stream};
use super::survey::{self, Survey};
use super::who::{self, UNKNOWN_PRIORITY};
use super::{Options, Recording, timing};
use crate::rkh::addresses::Addresses;
use rtoscope_trace::event::{Arguments, Words};
use rtoscope_trace::{
    Address, Contexts, Diagnostics, EventIndex, Events, ObjectClass, Objects, Places, Telling,
    Trace,
};

/// The recording of a stream that was read to its end.
pub(super) fn recording(
    reader: Reader,
    bytes: u64,
    provenance: Provenance,
    guess: Option<Guess>,
    options: &Options,
) -> Recording {
    let configuration = reader.configuration();
    let Reader {
        columns,
        mut runs,
        bare,
        losses,
        mut gaps,
        ..
    } = reader;
    if runs.is_empty() {
        runs.push(Run {
            first: EventIndex(0),
            configuration,
            target: None,
            restart: false,
            stamped: None,
        });
    }
    // What the user gave is not used where the target tells it first.
    let told = runs.first().is_some_and(|run| run.target.is_some());
    let provenance = if told { Provenance::Told } else { provenance };
    let events = columns.next();
    gaps.retain(|gap| gap.before.0 < events);
    let rate = report::rate(&runs, options.clock);
    let timing = timing::unwrap(&columns, &mut runs, &bare, rate.frequency);
    let mut catalogue = of_runs(&runs);
    let senses = Senses::of(&catalogue);
    let survey = survey::walk(&columns, &senses, configuration.signal);
    let pointer = configuration.address_width();
    let objects = objects::objects(&columns, &runs, &survey, &options.symbols, pointer);
    for (number, object) in objects::user_events(&objects) {
        name_user_event(&mut catalogue, number, &object.name.to_string());
    }
    let (contexts, known) = contexts(&survey, &objects);
    let executed = who::executed(&columns, &senses, &known, &survey, &runs, &gaps);
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
        bytes,
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

/// A context for each active object: in the order of their priorities, those
/// without one behind, as they appear.
fn contexts(survey: &Survey, objects: &Objects) -> (Contexts, who::Objects) {
    let mut contexts = Contexts::new(Address(0), Address(0), Address(0));
    let mut known = who::Objects {
        ids: Addresses::new(),
        priorities: vec![0; contexts.len()],
    };
    let mut active = survey.active.clone();
    active.sort_by_key(|object| object.priority.unwrap_or(u16::MAX));
    for object in active {
        let address = Address(object.address.into());
        let named = objects.find_class(address, ObjectClass::ActiveObject);
        let id = contexts.push_thread(address, named.map(|named| named.id));
        known.ids.get_or_insert(object.address, || id);
        let priority = object.priority.unwrap_or(UNKNOWN_PRIORITY);
        known.priorities.push(priority);
    }
    (contexts, known)
}
