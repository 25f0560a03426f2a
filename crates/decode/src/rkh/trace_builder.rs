//! Builds a trace from the records of a stream.

use super::active_object_contexts::ActiveObjectContexts;
use super::attribution::{self, AttributionContext};
use super::catalogue::{from_runs, name_user_event};
use super::guess::ConfigurationGuess;
use super::kind_semantics::SemanticsTable;
use super::objects;
use super::record_page::RecordPage;
use super::stream_diagnostics::{self, StreamFacts};
use super::stream_info::{Provenance, StreamInfo, StreamRun};
use super::stream_state::StreamState;
use super::survey::TargetSurvey;
use super::{DecodedStream, RkhOptions, timing};
use crate::format_strings;
use rtoscope_trace::events::{ArgumentColumn, EventColumns, WordColumn};
use rtoscope_trace::{
    CodeLocations, Diagnostics, EventIndex, EventKindId, Events, ObjectClass, SwitchModel, Trace,
};
use rtoscope_wire::rkh::StreamConfiguration;
use rtoscope_wire::rkh::id::FIRST_USER_ID;
use std::sync::Arc;

/// Properties of the records' stream.
pub(super) struct StreamContext {
    /// Bytes of the stream so far.
    pub(super) bytes: u64,
    /// The configuration of its newest records.
    pub(super) configuration: StreamConfiguration,
    pub(super) provenance: Provenance,
    pub(super) guess: Option<ConfigurationGuess>,
    /// The survey of all records of the stream.
    pub(super) survey: Arc<TargetSurvey>,
    /// The state before the first of them.
    pub(super) start: StreamState,
    pub(super) options: Arc<RkhOptions>,
}

/// The application's event of format strings (`RTO_RKH_FORMAT`): the address of the text
/// and the values.
const FORMAT_EVENT: EventKindId = EventKindId(FIRST_USER_ID as u32 + 31);

/// Builds the trace of a page of records.
pub(super) fn build_trace(mut page: RecordPage, context: StreamContext) -> DecodedStream {
    let StreamContext {
        bytes,
        configuration,
        provenance,
        guess,
        survey,
        start,
        options,
    } = context;
    if page.runs.is_empty() {
        page.runs.push(StreamRun {
            first: EventIndex(0),
            configuration,
            target: None,
            restart: false,
        });
    }
    // The user's configuration is not used if the target sent one first.
    let is_target_configured = page.runs.first().is_some_and(|run| run.target.is_some());
    let provenance = if is_target_configured {
        Provenance::Target
    } else {
        provenance
    };
    let rate = stream_diagnostics::tick_rate(&page.runs, &options);
    let timing = timing::unwrap(&page, rate.frequency, &start.clock);
    let mut catalogue = from_runs(&page.runs);
    let semantics = SemanticsTable::from_catalogue(&catalogue);
    let pointer = configuration.address_width();
    let objects = objects::objects(&page.columns, &survey, &options.symbols, pointer);
    for (number, object) in objects::user_events(&objects) {
        name_user_event(&mut catalogue, number, &object.name.to_string());
    }
    let named = |address| objects.find_class(address, ObjectClass::ActiveObject);
    let (contexts, objects_of_contexts) =
        ActiveObjectContexts::new(&survey.active_objects, |address| Some(named(address)?.id));
    let known = AttributionContext {
        kind_semantics: &semantics,
        objects: objects_of_contexts,
        records_step_ends: survey.records_step_ends,
    };
    let (executed, _) =
        attribution::attribute_contexts(&page, 0..page.len(), &known, &start.running);
    let events = page.columns.next_event();
    // A trace begins with its first record, even if records before it are
    // missing.
    page.gaps
        .retain(|gap| (1..events).contains(&gap.next_event.0));
    let RecordPage {
        mut columns,
        runs,
        headerless: bare,
        losses,
        gaps,
        ..
    } = page;
    let mut diagnostics = Diagnostics::default();
    diagnostics.extend(format_strings::render_items(
        &mut columns.extras,
        &columns.kinds,
        FORMAT_EVENT,
        &options.firmware,
    ));
    diagnostics.extend(stream_diagnostics::diagnostics(&StreamFacts {
        runs: &runs,
        losses: &losses,
        gaps: &gaps,
        provenance,
        guess: guess.as_ref(),
        tick_rate: &rate,
        events,
    }));
    diagnostics.extend(stream_diagnostics::mismatch(&runs, &options));
    diagnostics.extend(timing.diagnostics);
    let trace = Trace {
        origin: Default::default(),
        events: Events::new(EventColumns {
            time: timing.time,
            timestamp: WordColumn::Narrow(columns.timestamps),
            core: Vec::new(),
            context: executed.context,
            kind: columns.kinds,
            priority_word: executed.priority_word,
            arguments: ArgumentColumn::Narrow(columns.arguments),
            extras: columns.extras,
        }),
        contexts,
        objects,
        clock: timing.clock,
        cores: vec![0],
        gaps,
        catalogue,
        switch_model: SwitchModel::default(),
        code_locations: CodeLocations::default(),
        call_stacks: Default::default(),
        diagnostics,
    };
    let stream = StreamInfo {
        total_bytes: bytes,
        runs,
        provenance,
        guess,
        losses,
        offsets: columns.offsets,
        sequences: columns.sequences,
        headerless: bare,
    };
    DecodedStream {
        trace,
        stream_info: stream,
    }
}
