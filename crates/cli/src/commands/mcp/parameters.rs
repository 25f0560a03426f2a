//! The parameters of the tools. Their schemas and descriptions are those of these types.

use crate::commands::check::FailOn;
use crate::commands::critical_path::EventQuestion;
use rtoscope_analysis::critical_path::CriticalPathOptions;
use rtoscope_analysis::report::ReportKind;
use rtoscope_command::scope::{ScopeArgs, WindowArgs};
use rtoscope_trace::TracePosition;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use std::borrow::Cow;

/// Number of a recording; tool `recordings` lists them. Not needed if there is only one.
#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub(super) struct RecordingNumber(pub(super) Option<usize>);

/// First line of the answer, to continue one that was cut; its last line has the number.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub(super) struct FirstLine(pub(super) usize);

impl Default for FirstLine {
    fn default() -> Self {
        Self(1)
    }
}

/// A moment: "20000" (ticks since the first event), "1.5ms" (if the clock's frequency is known)
/// or "event:120".
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(inline)]
pub(super) struct Moment(#[schemars(with = "String")] pub(super) TracePosition);

impl TryFrom<String> for Moment {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse().map(Self)
    }
}

/// A report by name.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct ReportName(pub(super) ReportKind);

impl TryFrom<String> for ReportName {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let kind = text.parse();
        kind.map(Self)
            .map_err(|()| format!("there is no report {text:?}"))
    }
}

impl JsonSchema for ReportName {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "ReportName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let kinds = ReportKind::ALL.iter();
        let names: Vec<_> = kinds.clone().map(|kind| kind.name()).collect();
        let lines = kinds.map(|kind| format!("{}: {}", kind.name(), kind.description()));
        let description = lines.collect::<Vec<_>>().join("; ");
        json_schema!({ "type": "string", "enum": names, "description": description })
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct InfoParameters {
    #[serde(default)]
    pub(super) recording: RecordingNumber,
    #[serde(default)]
    pub(super) first_line: FirstLine,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReportParameters {
    #[serde(default)]
    pub(super) recording: RecordingNumber,
    /// The reports.
    #[schemars(length(min = 1))]
    pub(super) reports: Vec<ReportName>,
    /// The part of the recording; all of it by default.
    #[serde(default)]
    pub(super) scope: ScopeParameters,
    /// Handler, thread or marker with which the cycles of report `cycles` begin; the most
    /// regular one by default.
    pub(super) anchor: Option<String>,
    #[serde(default)]
    pub(super) first_line: FirstLine,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FindingParameters {
    #[serde(default)]
    pub(super) recording: RecordingNumber,
    /// The part of the recording; all of it by default.
    #[serde(default)]
    pub(super) scope: ScopeParameters,
    #[serde(default)]
    pub(super) first_line: FirstLine,
}

/// A part of a recording.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ScopeParameters {
    /// Start: "20000" (ticks since the first event), "1.5ms" or "event:120".
    from: Option<Moment>,
    /// End, inclusive, in the same form.
    to: Option<Moment>,
    /// Only these threads, by name, pattern (`net*`) or address.
    #[serde(default)]
    threads: Vec<String>,
    /// Only this core.
    core: Option<u8>,
}

impl From<ScopeParameters> for ScopeArgs {
    fn from(given: ScopeParameters) -> Self {
        let [from, to] = [given.from, given.to].map(|it| it.map(|Moment(position)| position));
        Self {
            window: WindowArgs { from, to },
            threads: given.threads,
            core: given.core,
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EventParameters {
    #[serde(default)]
    pub(super) recording: RecordingNumber,
    /// List the events before and after this moment, "20000" (ticks), "1.5ms" or "event:120";
    /// otherwise from the first one.
    pub(super) around: Option<Moment>,
    /// Only events that match an expression, such as `context == sensor and kind ~ queue`,
    /// `object == "work queue"` or `time >= 20000`.
    pub(super) filter: Option<String>,
    /// Maximum number of events.
    #[serde(default = "default_event_limit")]
    #[schemars(range(min = 1, max = MAX_EVENTS))]
    pub(super) limit: usize,
}

/// Maximum number of events of an answer.
pub(super) const MAX_EVENTS: usize = 1000;

fn default_event_limit() -> usize {
    50
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CriticalPathParameters {
    #[serde(default)]
    pub(super) recording: RecordingNumber,
    /// The event, by its number.
    event: u32,
    /// Explain this thread or active object at the event, by name or address, instead of the
    /// context that logged the event.
    context: Option<String>,
    /// Go back to this moment, also beyond the first cause: "20000" (ticks), "1.5ms" or
    /// "event:120".
    from: Option<Moment>,
    #[serde(default)]
    pub(super) first_line: FirstLine,
}

impl CriticalPathParameters {
    pub(super) fn question(&self) -> EventQuestion {
        EventQuestion {
            event: self.event,
            context: self.context.clone(),
            from: self.from.map(|Moment(position)| position),
            limit: CriticalPathOptions::default().max_segments,
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CompareParameters {
    /// Number of the recording from which the change is counted.
    pub(super) before: usize,
    /// Number of the other recording.
    pub(super) after: usize,
    /// Show differences of more than this many percent.
    #[serde(default = "default_threshold")]
    pub(super) threshold: f64,
    #[serde(default)]
    pub(super) first_line: FirstLine,
}

fn default_threshold() -> f64 {
    crate::commands::compare::DEFAULT_THRESHOLD
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CheckParameters {
    #[serde(default)]
    pub(super) recording: RecordingNumber,
    /// Rules in TOML instead of those of the project, such as
    /// `[[rule]]\ntable = "latency.threads"\nrow = "ui"\ncolumn = "wake_up.max"\nmax = "3ms"`.
    pub(super) rules: Option<String>,
    /// Also fail on findings of this severity, or a higher one.
    pub(super) fail_on: Option<FailOn>,
    /// The part of the recording; all of it by default.
    #[serde(default)]
    pub(super) scope: ScopeParameters,
    #[serde(default)]
    pub(super) first_line: FirstLine,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SqlTableParameters {
    /// A table, view or canned query to describe; without it, all are listed.
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) first_line: FirstLine,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SqlParameters {
    #[serde(default)]
    pub(super) recording: RecordingNumber,
    /// One SELECT statement; tool `sql_tables` describes what it can read.
    pub(super) sql: String,
    #[serde(default)]
    pub(super) first_line: FirstLine,
}
