//! `rtoscope report`: findings, CPU time, latencies and more.

pub(super) mod summary;
pub(super) mod text;

use super::analyze;
use anyhow::Context as _;
use clap::builder::{EnumValueParser, PossibleValue, RangedU64ValueParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Args, Command, ValueEnum};
use rtoscope_analysis::report::{ReportDocument, ReportKind, ReportOptions, cycles, load, periods};
use rtoscope_analysis::{AnalyzedRecording, View};
use rtoscope_command::Undecided;
use rtoscope_command::input::{DecodeArgs, FileArgs, TimingArgs};
use rtoscope_command::output::{self, OutputFormat};
use rtoscope_command::scope::{self, ScopeArgs};
use rtoscope_trace::{ContextId, EventKindId, NoTime, Trace};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;

#[derive(Args)]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    file: FileArgs,

    /// Reports to show; default: a one-page summary
    #[arg(value_name = "REPORT", value_parser = ReportChoiceParser)]
    kinds: Vec<ReportChoice>,

    #[command(flatten)]
    decode: DecodeArgs,

    #[command(flatten)]
    timing: TimingArgs,

    #[command(flatten)]
    scope: ScopeArgs,

    /// Only services of this context: a thread, or `(interrupt)`
    #[arg(long, value_name = "NAME", help_heading = "Scope")]
    context: Option<String>,

    /// Exit code 3, and no report, if the times of the recording are unknown
    #[arg(long, help_heading = "Timing")]
    require_clock: bool,

    /// Also the periods of events of this name; repeatable
    #[arg(long, value_name = "NAME", help_heading = "Scope")]
    event: Vec<String>,

    /// Handler, thread or marker with which the cycles of the report begin; default: the
    /// most regular one
    #[arg(long, value_name = "NAME", help_heading = "Scope")]
    anchor: Option<String>,

    /// Number of windows of the load report
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = load::DEFAULT_WINDOWS,
        value_parser = windows_parser(),
        help_heading = "Scope"
    )]
    windows: usize,

    /// Output format; json contains all reports unless some are named
    #[arg(short, long, default_value = "text")]
    format: OutputFormat,
}

/// One report, or all.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ReportChoice {
    All,
    One(ReportKind),
}

impl ValueEnum for ReportChoice {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [ReportChoice; ReportKind::ALL.len() + 1] = {
            let mut all = [ReportChoice::All; ReportKind::ALL.len() + 1];
            let mut at = 0;
            while at < ReportKind::ALL.len() {
                all[at] = ReportChoice::One(ReportKind::ALL[at]);
                at += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Self::All => PossibleValue::new("all").help("all of them"),
            Self::One(kind) => PossibleValue::new(kind.name()).help(kind.description()),
        })
    }
}

/// Parses the names of reports, and explains a file in the place of one.
#[derive(Clone)]
struct ReportChoiceParser;

impl TypedValueParser for ReportChoiceParser {
    type Value = ReportChoice;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<ReportChoice, clap::Error> {
        let parsed = EnumValueParser::new().parse_ref(command, argument, value);
        parsed.map_err(|mut error| {
            if Path::new(value).exists() {
                let order = "the recording comes first: `rtoscope report FILE REPORT`";
                let order = ContextValue::StyledStrs(vec![order.into()]);
                error.insert(ContextKind::Suggested, order);
            }
            error
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let values = ReportChoice::value_variants().iter();
        Some(Box::new(values.filter_map(ValueEnum::to_possible_value)))
    }
}

/// Writes a document for each recording.
pub(crate) fn run(arguments: &ReportArgs) -> anyhow::Result<()> {
    for (number, file) in arguments.file.each()?.iter().enumerate() {
        if number > 0 && matches!(arguments.format, OutputFormat::Text) {
            output::write_text("\n")?;
        }
        let recording = analyze(file, &arguments.decode, &arguments.timing)?;
        arguments.with_document(&recording, |document, view| match arguments.format {
            OutputFormat::Json => output::write_json(document),
            OutputFormat::Text if arguments.is_summary() => {
                output::write_text(&summary::render(document, view))
            }
            OutputFormat::Text => output::write_text(&text::render(document, view)),
        })?;
    }
    Ok(())
}

/// Refuses a recording whose times are not known.
fn require_clock(trace: &Trace, name: &str) -> anyhow::Result<()> {
    let reason = match trace.timescale().no_time() {
        None => return Ok(()),
        Some(NoTime::UnknownFrequency) => {
            format!("the clock frequency of {name} is unknown (set it with --clock)")
        }
        Some(why) => format!("the times of {name} are unknown ({why})"),
    };
    Err(Undecided(reason).into())
}

fn windows_parser() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..)
}

impl ReportArgs {
    /// Whether only the one-page summary is shown.
    fn is_summary(&self) -> bool {
        self.kinds.is_empty() && matches!(self.format, OutputFormat::Text)
    }

    /// Computes the reports of a recording, and calls `use_it` with them.
    pub(crate) fn with_document<T>(
        &self,
        recording: &AnalyzedRecording,
        use_it: impl FnOnce(&ReportDocument, &View<'_>) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let trace = &recording.trace;
        if self.require_clock {
            require_clock(trace, &recording.info.name)?;
        }
        let stats = recording.scope_stats(self.scope.scope(trace)?);
        let view = recording.view_of(&stats);
        let is_summary = self.is_summary();
        let anchor = self.anchor.as_deref();
        let anchor = anchor.map(|anchor| cycles::find_anchor(&view, anchor));
        let options = ReportOptions {
            kinds: match is_summary {
                true => summary::summary_kinds(),
                false => self.kinds(),
            },
            context: self.context(trace)?,
            load_windows: self.windows,
            period_events: self.period_events(trace)?,
            anchor: anchor.transpose().map_err(anyhow::Error::msg)?,
            findings: is_summary || matches!(self.format, OutputFormat::Json),
        };
        use_it(
            &ReportDocument::new(&recording.info.name, &view, &options),
            &view,
        )
    }

    fn context(&self, trace: &Trace) -> anyhow::Result<Option<ContextId>> {
        let Some(wanted) = &self.context else {
            return Ok(None);
        };
        let mut contexts = trace.contexts.iter();
        let found = contexts.find(|context| scope::matches_context(trace, context, wanted));
        let found = found.with_context(|| format!("no context matches {wanted:?}"))?;
        Ok(Some(found.id))
    }

    /// The kinds of events with the names of `--event`.
    fn period_events(&self, trace: &Trace) -> anyhow::Result<Vec<EventKindId>> {
        let mut kinds = Vec::new();
        for name in &self.event {
            let found = periods::event_kinds_named(trace, name);
            anyhow::ensure!(!found.is_empty(), "no event is named {name:?}");
            kinds.extend(found);
        }
        kinds.sort_unstable();
        kinds.dedup();
        Ok(kinds)
    }

    fn kinds(&self) -> BTreeSet<ReportKind> {
        let all = || ReportKind::ALL.iter().copied().collect();
        if self.kinds.is_empty() || self.kinds.contains(&ReportChoice::All) {
            return all();
        }
        let named = self.kinds.iter().filter_map(|choice| match choice {
            ReportChoice::All => None,
            ReportChoice::One(kind) => Some(*kind),
        });
        named.collect()
    }
}
