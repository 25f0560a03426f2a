//! TypeScript declarations of the queries and responses, for the viewer.

use crate::{query, response};
use rtoscope_decode::{FORMATS, FormatDescription};
use std::collections::BTreeSet;

/// What a viewer says of the formats.
fn format_lists() -> String {
    let list = |names: &[&str]| serde_json::to_string(names).unwrap().replace(',', ", ");
    let of_all = |names: fn(&FormatDescription) -> &[&'static str]| {
        let all = FORMATS
            .iter()
            .flat_map(|format| names(format.description()));
        // Several formats have the same.
        let all: BTreeSet<_> = all.copied().collect();
        list(&all.into_iter().collect::<Vec<_>>())
    };
    let titles = list(&FORMATS.map(|format| format.description().plural));
    let own = of_all(|format| format.extensions);
    let shared = of_all(|format| format.shared_extensions);
    format!(
        "\n/**\n * The formats of recordings, in the plural.\n */\nexport const FORMATS = {titles};\n\
         \n/**\n * The extensions of recordings that few other files have.\n */\nexport const EXTENSIONS = {own};\n\
         \n/**\n * Those that more files of other programs have.\n */\nexport const SHARED_EXTENSIONS = {shared};\n"
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
