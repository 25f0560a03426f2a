//! `rtoscope report`: what went wrong, who had the processor, who waited.

mod summary;
mod text;

use crate::input::{DecodeArguments, FileArguments};
use crate::output;
use crate::scope::ScopeArguments;
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use rtoscope_analysis::report::{Document, Kind};
use rtoscope_analysis::{Census, Schedule, View};
use rtoscope_decode::threadx::Interpreter;
use std::collections::BTreeSet;
use std::io::Write;

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

    /// How to write it; json without a named report has all of them
    #[arg(short, long, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Text,
    Json,
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
    let source = arguments.file.read()?;
    let opened = arguments.file.open(source.input())?;
    let recording = arguments.file.decode(&opened, &arguments.decode)?;
    let trace = &recording.trace;
    let scope = arguments.scope.scope(trace)?;
    let schedule = Schedule::of(trace, &mut Interpreter::new(trace));
    let census = Census::of(trace, &scope);
    let view = View {
        trace,
        schedule: &schedule,
        census: &census,
        scope: &scope,
    };
    let is_summary = arguments.kinds.is_empty() && matches!(arguments.format, Format::Text);
    let kinds = if is_summary {
        summary::kinds()
    } else {
        arguments.kinds()
    };
    let document = Document::new(&arguments.file.name(), &view, &kinds);
    match arguments.format {
        Format::Json => output::json(&document),
        Format::Text => {
            let text = if is_summary {
                summary::render(&document, &view)
            } else {
                text::render(&document, &view)
            };
            Ok(output::stdout().write_all(text.as_bytes())?)
        }
    }
}

impl Arguments {
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
