//! TypeScript declarations of the queries and responses, for the viewer.

use crate::{query, response};
use rtoscope_decode::FORMATS;

/// The formats that a viewer opens.
fn format_titles() -> String {
    let plurals = FORMATS.map(|format| format.description().plural);
    let list = serde_json::to_string(&plurals).unwrap().replace(',', ", ");
    format!(
        "\n/**\n * The formats of recordings, in the plural.\n */\nexport const FORMATS = {list};\n"
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
    ] + &format_titles();
    let text = text.replacen('\n', &format!("\n{imports}"), 1);
    rtoscope_fixtures::assert_current("web/src/session/wire.ts", &text);
}

/// `.bin` has too many other meanings.
#[test]
fn the_extension_opens_the_files_of_all_formats() {
    let path = rtoscope_fixtures::repository_path("web/vscode/package.json");
    let package: serde_json::Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let extensions = FORMATS.map(|format| format.description().extensions);
    let usual: Vec<_> = extensions
        .concat()
        .into_iter()
        .filter(|name| *name != "bin")
        .collect();
    let files = format!("*.{{{}}}", usual.join(","));
    assert_eq!(
        package["contributes"]["customEditors"][0]["selector"],
        serde_json::json!([
            { "filenamePattern": files },
            { "filenamePattern": format!("{files}.{{gz,zst}}") },
        ])
    );
}
