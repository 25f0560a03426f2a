//! Arguments that select a part of a trace.

use anyhow::{Context as _, anyhow, bail};
use clap::Args;
use rtoscope_analysis::Scope;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::filter::{Glob, Quantity};
use rtoscope_trace::{
    ContextId, Contexts, EventIndex, Nanoseconds, NoTime, Ticks, Timescale, Trace,
};
use std::collections::BTreeSet;
use std::str::FromStr;

/// The time window of a command.
#[derive(Args)]
pub struct WindowArgs {
    /// Start: 20000 (ticks), 1.5ms (with --clock) or event:120
    #[arg(long, value_name = "MOMENT", help_heading = "Scope")]
    from: Option<TracePosition>,

    /// End, inclusive
    #[arg(long, value_name = "MOMENT", help_heading = "Scope")]
    to: Option<TracePosition>,
}

/// Arguments that select a part of a trace.
#[derive(Args)]
pub struct ScopeArgs {
    #[command(flatten)]
    window: WindowArgs,

    /// Only these threads, by name, pattern (`net*`) or address
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        help_heading = "Scope"
    )]
    threads: Vec<String>,

    /// Only this core
    #[arg(long, value_name = "NUMBER", help_heading = "Scope")]
    core: Option<u8>,
}

/// A position in a trace, as users write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TracePosition {
    /// Ticks since the first event.
    Ticks(u64),
    /// Nanoseconds since the first event.
    Nanoseconds(u64),
    /// The number of an event.
    Event(u32),
}

impl FromStr for TracePosition {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let event = text.strip_prefix("event:");
        if let Some(number) = event {
            let number = number.parse().map_err(|_| "expected an event's number");
            return Ok(Self::Event(number?));
        }
        match Quantity::parse(text) {
            Ok(Quantity::Plain(ticks)) => Ok(Self::Ticks(ticks)),
            Ok(Quantity::Nanoseconds(time)) => Ok(Self::Nanoseconds(time)),
            Err(_) => Err("expected 20000 (ticks), 1.5ms or event:120".to_owned()),
        }
    }
}

impl TracePosition {
    /// The position in ticks; a time is rounded up.
    ///
    /// # Errors
    ///
    /// If the trace has no such event, or a time has no meaning in it.
    pub fn first_tick(self, trace: &Trace) -> anyhow::Result<Ticks> {
        self.ticks(trace, Timescale::first_tick)
    }

    fn ticks(
        self,
        trace: &Trace,
        rounded: fn(&Timescale, Nanoseconds) -> Result<Ticks, NoTime>,
    ) -> anyhow::Result<Ticks> {
        match self {
            Self::Ticks(ticks) => Ok(Ticks(ticks)),
            Self::Nanoseconds(time) => {
                let ticks = rounded(&trace.timescale(), Nanoseconds(time));
                ticks.map_err(|why| match why {
                    NoTime::UnknownFrequency => anyhow!("a time needs --clock"),
                    why => anyhow!("{why}; use ticks or event numbers"),
                })
            }
            Self::Event(number) => {
                let event = trace.events.get(EventIndex(number));
                let events = pluralise(trace.events.len() as u64, "event", "events");
                let missing = || format!("there is no event {number}: the trace has {events}");
                Ok(event.with_context(missing)?.time)
            }
        }
    }
}

impl WindowArgs {
    /// The first and the last tick of the window.
    pub fn ticks(&self, trace: &Trace) -> anyhow::Result<[Option<Ticks>; 2]> {
        let moment =
            |moment: Option<TracePosition>,
             rounded: fn(&Timescale, Nanoseconds) -> Result<Ticks, NoTime>| {
                moment
                    .map(|moment| moment.ticks(trace, rounded))
                    .transpose()
            };
        let from = moment(self.from, Timescale::first_tick)?;
        let to = moment(self.to, Timescale::last_tick)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_ticks_times_or_events() {
        assert_eq!("20_000".parse(), Ok(TracePosition::Ticks(20_000)));
        assert_eq!("1.5ms".parse(), Ok(TracePosition::Nanoseconds(1_500_000)));
        assert_eq!("event:120".parse(), Ok(TracePosition::Event(120)));
        for bad in ["", "event:", "event:-1", "5 min", "end"] {
            assert!(bad.parse::<TracePosition>().is_err(), "{bad}");
        }
    }
}
