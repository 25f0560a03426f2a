//! `rtoscope report`: what went wrong, who had the processor, who waited.

pub(super) mod summary;
pub(super) mod text;

use anyhow::Context as _;
use clap::builder::{PossibleValue, RangedU64ValueParser};
use clap::{Args, ValueEnum};
use rtoscope_analysis::Analysis;
use rtoscope_analysis::report::{Document, Kind, Wish, load};
use rtoscope_command::input::{DecodeArguments, FileArguments};
use rtoscope_command::output::{self, Format};
use rtoscope_command::scope::{self, ScopeArguments};
use rtoscope_trace::{ContextId, Trace};
use std::collections::BTreeSet;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    file: FileArguments,

    /// Which reports; a summary of one page if none is named
    #[arg(value_name = "REPORT")]
    kinds: Vec<Choice>,

    #[command(flatten)]
    decode: DecodeArguments,

    #[command(flatten)]
    scope: ScopeArguments,

    /// Only the services of this context: a thread's name or address, or
    /// `(interrupt)`
    #[arg(long, value_name = "NAME", help_heading = "Scope")]
    context: Option<String>,

    /// Windows that the load is shown in
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = load::WINDOWS,
        value_parser = windows(),
        help_heading = "Scope"
    )]
    windows: usize,

    /// How to write it; json without a named report has all of them
    #[arg(short, long, default_value = "text")]
    format: Format,
}

/// A report, or all.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    All,
    One(Kind),
}

impl ValueEnum for Choice {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [Choice; Kind::ALL.len() + 1] = {
            let mut all = [Choice::All; Kind::ALL.len() + 1];
            let mut at = 0;
            while at < Kind::ALL.len() {
                all[at] = Choice::One(Kind::ALL[at]);
                at += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Self::All => PossibleValue::new("all").help("all of them"),
            Self::One(kind) => PossibleValue::new(kind.name()).help(kind.about()),
        })
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let recording = arguments.file.recording(&arguments.decode)?;
    let trace = &recording.trace;
    let scope = arguments.scope.scope(trace)?;
    let is_summary = arguments.kinds.is_empty() && matches!(arguments.format, Format::Text);
    let wish = Wish {
        kinds: if is_summary {
            summary::kinds()
        } else {
            arguments.kinds()
        },
        context: arguments.context(trace)?,
        windows: arguments.windows,
    };
    let analysis = Analysis::of(trace, scope, &mut recording.origin.interpreter(trace));
    let view = analysis.view(trace, recording.origin.statistics());
    let document = Document::new(&arguments.file.source_name(), &view, &wish);
    match arguments.format {
        Format::Json => output::json(&document),
        Format::Text => {
            let text = if is_summary {
                summary::render(&document, &view)
            } else {
                text::render(&document, &view)
            };
            output::text(&text)
        }
    }
}

fn windows() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..)
}

impl Arguments {
    fn context(&self, trace: &Trace) -> anyhow::Result<Option<ContextId>> {
        let Some(wanted) = &self.context else {
            return Ok(None);
        };
        let mut contexts = trace.contexts.iter();
        let found = contexts.find(|context| scope::fits(trace, context, wanted));
        let found = found.with_context(|| format!("no context is called {wanted:?}"))?;
        Ok(Some(found.id))
    }

    fn kinds(&self) -> BTreeSet<Kind> {
        let all = || Kind::ALL.iter().copied().collect();
        if self.kinds.is_empty() || self.kinds.contains(&Choice::All) {
            return all();
        }
        let named = self.kinds.iter().filter_map(|choice| match choice {
            Choice::All => None,
            Choice::One(kind) => Some(*kind),
        });
        named.collect()
    }
}
