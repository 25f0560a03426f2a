//! TypeScript declarations of the queries and responses, for the viewer.

use crate::{query, response};
use rtoscope_decode::FORMATS;

/// What a viewer says of the formats.
fn format_lists() -> String {
    let list = |names: &[&str]| serde_json::to_string(names).unwrap().replace(',', ", ");
    let titles = list(&FORMATS.map(|format| format.description().plural));
    let extensions = FORMATS.map(|format| format.description().extensions);
    // `.bin` has too many other meanings.
    let extensions = extensions
        .concat()
        .into_iter()
        .filter(|name| *name != "bin");
    let extensions = list(&extensions.collect::<Vec<_>>());
    format!(
        "\n/**\n * The formats of recordings, in the plural.\n */\nexport const FORMATS = {titles};\n\
         \n/**\n * The extensions of files that are recordings.\n */\nexport const EXTENSIONS = {extensions};\n"
    )
}

#[test]
fn typescript_types_are_current() {
    // Queries contain what the analysis describes.
    let imports = "\nimport type { Durations, RecordingFigures } from \"./documents\";\n";
    let text = rtoscope_fixtures::typescript![
        "crates/session";
        query::Axis,
        query::Window,
        query::Query,
        query::Command,
        query::Bookmark,
        query::BookmarkEnd,
        query::LaneLook,
        query::Direction,
        query::StepBy,
        query::Search,
        query::FigureName,
        query::IntervalFilters,
        query::PlotSource,
        query::ThreadMeasure,
        query::IsrMeasure,
        query::MarkerMeasure,
        query::GraphSource,
        query::SequenceFormat,
        query::GraphFormat,
        response::Overview,
        response::ReportName,
        response::FormatFact,
        response::RecordingOffset,
        response::RecordingSource,
        response::Clock,
        response::Context,
        response::LaneKind,
        response::Lane,
        response::EventKind,
        response::Marker,
        response::UserEventKind,
        response::NamedObject,
        response::LevelResource,
        response::StateMachine,
        response::MachineState,
        response::BarClassName,
        response::Gap,
        response::Diagnostic,
        response::Probe,
        response::ItemVisit,
        response::Moment,
        response::EventPosition,
        response::EventDetails,
        response::EventArgument,
        response::SourceLine,
        response::EventLink,
        response::EventRows,
        response::EventRow,
        response::SearchHits,
        response::Posts,
        response::Post,
        response::Diagram,
        response::Graph,
        response::CpuLoad,
        response::ContextLoad,
        response::IntervalBars,
        response::Plot,
        response::MessageBars,
        response::RawEvents,
        response::MessageEnd,
        response::DeclaredInterval,
        response::LiveStatus,
        response::ConnectionStatus,
        response::ConnectionState,
        response::SavedRecording,
        response::OpeningProgress,
        response::OpeningPhase,
        response::OpeningDensity,
    ] + &format_lists();
    let text = text.replacen('\n', &format!("\n{imports}"), 1);
    rtoscope_fixtures::assert_current("web/src/session/wire.ts", &text);
}
