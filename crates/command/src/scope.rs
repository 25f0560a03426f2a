//! Arguments that select a part of a trace.

use anyhow::{Context as _, bail};
use clap::Args;
use rtoscope_analysis::Scope;
use rtoscope_trace::filter::Glob;
use rtoscope_trace::{ContextId, Contexts, Ticks, Trace, TracePosition};
use std::collections::BTreeSet;

/// The time window of a command.
#[derive(Default, Args)]
pub struct WindowArgs {
    /// Start: 20000 (ticks), 1.5ms (with --clock) or event:120
    #[arg(long, value_name = "MOMENT", help_heading = "Scope")]
    pub from: Option<TracePosition>,

    /// End, inclusive
    #[arg(long, value_name = "MOMENT", help_heading = "Scope")]
    pub to: Option<TracePosition>,
}

/// Arguments that select a part of a trace.
#[derive(Default, Args)]
pub struct ScopeArgs {
    /// The time window.
    #[command(flatten)]
    pub window: WindowArgs,

    /// Only these threads, by name, pattern (`net*`) or address
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        help_heading = "Scope"
    )]
    pub threads: Vec<String>,

    /// Only this core
    #[arg(long, value_name = "NUMBER", help_heading = "Scope")]
    pub core: Option<u8>,
}

impl WindowArgs {
    /// The first and the last tick of the window.
    pub fn ticks(&self, trace: &Trace) -> anyhow::Result<[Option<Ticks>; 2]> {
        let from = self.from.map(|it| it.first_tick(trace)).transpose();
        let from = from.map_err(anyhow::Error::msg)?;
        let to = self.to.map(|it| it.last_tick(trace)).transpose();
        let to = to.map_err(anyhow::Error::msg)?;
        if let (Some(from), Some(to)) = (from, to)
            && from > to
        {
            bail!("--from ({from} ticks) is after --to ({to} ticks)");
        }
        let span = trace.events.span();
        if let Some(from) = from.filter(|from| *from > span) {
            bail!("--from ({from} ticks) is after the last event, at {span} ticks");
        }
        Ok([from, to])
    }
}

impl ScopeArgs {
    /// The scope in this trace.
    pub fn scope(&self, trace: &Trace) -> anyhow::Result<Scope> {
        let [from, to] = self.window.ticks(trace)?;
        if let Some(core) = self.core.filter(|core| !trace.cores.contains(core)) {
            let cores: Vec<_> = trace.cores.iter().map(u8::to_string).collect();
            bail!("no events of core {core}; available: {}", cores.join(", "));
        }
        let threads = (!self.threads.is_empty())
            .then(|| select_threads(trace, &self.threads))
            .transpose()?;
        Ok(Scope {
            start: from,
            end: to,
            threads,
            core: self.core,
        })
    }
}

/// Finds threads by names, patterns or addresses.
fn select_threads(trace: &Trace, wanted: &[String]) -> anyhow::Result<BTreeSet<ContextId>> {
    let mut found = BTreeSet::new();
    for wanted in wanted {
        let before = found.len();
        let contexts = trace.contexts.threads();
        let fitting = contexts.filter(|thread| matches_context(trace, thread, wanted));
        let mut any = false;
        found.extend(fitting.map(|thread| thread.id).inspect(|_| any = true));
        if found.len() == before && !any {
            let names = trace.contexts.threads();
            let names: Vec<_> = names.map(|thread| trace.context_name(thread.id)).collect();
            bail!(
                "no thread matches {wanted:?}; available: {}",
                names.join(", ")
            );
        }
    }
    Ok(found)
}

/// Finds a thread or an active object by its name or address; of several the first.
///
/// # Errors
///
/// If there is none.
pub fn find_context(trace: &Trace, wanted: &str) -> anyhow::Result<ContextId> {
    let mut all = trace.contexts.iter().filter(|it| it.id > Contexts::IDLE);
    let found = all.find(|context| matches_context(trace, context, wanted));
    found.map(|context| context.id).with_context(|| {
        format!("no thread or active object matches {wanted:?}; `rtoscope objects` lists them")
    })
}

/// Whether a context matches a name, an address or a pattern.
pub fn matches_context(trace: &Trace, context: &rtoscope_trace::Context, wanted: &str) -> bool {
    let name = trace.context_name(context.id);
    let address = crate::input::parse_number(wanted);
    let pattern = wanted.contains(['*', '?']) && Glob::new(wanted).matches(&name);
    name == wanted || address == Ok(context.address.0) || pattern
}
