//! Reports on the whole trace or a part of it.

use crate::session::{AskError, Session};
use rtoscope_analysis::report::{Document, Kind, Shares, View, Wish, load};
use rtoscope_analysis::{Census, Levels, Scope};
use rtoscope_trace::{ContextId, Ticks};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::thread;

/// Which reports are asked for, on what.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Asked {
    wish: Wish,
    scope: Scope,
}

/// The same as it comes with a question.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Question<'q> {
    pub(crate) kinds: &'q [String],
    pub(crate) from: Option<u64>,
    pub(crate) to: Option<u64>,
    pub(crate) threads: Option<&'q [u32]>,
    pub(crate) core: Option<u8>,
    pub(crate) context: Option<u32>,
}

impl Session {
    /// The reports, as JSON.
    pub(crate) fn report(&self, question: &Question<'_>) -> Result<Arc<String>, AskError> {
        let asked = Asked {
            wish: Wish {
                kinds: kinds(question.kinds)?,
                context: question
                    .context
                    .map(|context| self.checked_context(context))
                    .transpose()?,
                windows: load::WINDOWS,
            },
            scope: self.scope(question)?,
        };
        self.caches.reports.get((asked, self.hz()), |(asked, _)| {
            let json = crate::ask::json(&self.document(asked));
            let bytes = json.len();
            Ok((json, bytes))
        })
    }

    /// The whole trace, as reports look at it.
    pub(crate) fn whole(&self) -> View<'_> {
        self.analysis.view(&self.trace, self.origin.statistics())
    }

    fn document(&self, asked: &Asked) -> Document {
        let Asked { wish, scope } = asked;
        let (trace, schedule) = (&self.trace, &self.analysis.schedule);
        let whole = self.whole();
        if *scope == self.analysis.scope {
            return Document::new(&self.name, &whole, wish);
        }
        // Schedule and active objects are those of the whole trace; what was
        // counted is not.
        let (census, levels) = thread::scope(|threads| {
            let census = threads.spawn(|| Census::of(trace, scope));
            let levels = Levels::of(trace, &mut self.interpreter(), scope);
            match census.join() {
                Ok(census) => (census, levels),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        });
        let view = View {
            census: &census,
            levels: &levels,
            shares: &Shares::of(schedule, scope),
            scope,
            ..whole
        };
        Document::new(&self.name, &view, wish)
    }

    fn scope(&self, question: &Question<'_>) -> Result<Scope, AskError> {
        let Question { from, to, core, .. } = *question;
        let span = self.trace.events.span().0;
        let last = to.unwrap_or(span).min(span);
        if let Some(from) = from.filter(|from| *from > last) {
            return Err(AskError::OutOfRange {
                what: "from",
                value: from.to_string(),
                expected: format!("at most {last}, where the part ends"),
            });
        }
        if let Some(core) = core.filter(|core| !self.trace.cores.contains(core)) {
            return Err(self.no_core(core));
        }
        let threads = question.threads.map(|threads| {
            let checked = threads.iter().map(|thread| self.checked_context(*thread));
            checked.collect::<Result<BTreeSet<_>, _>>()
        });
        Ok(Scope {
            from: from.map(Ticks),
            to: to.map(Ticks),
            threads: threads.transpose()?,
            core,
        })
    }

    pub(crate) fn checked_context(&self, context: u32) -> Result<ContextId, AskError> {
        let count = self.trace.contexts.len();
        let id = ContextId(context);
        if id.index() < count {
            return Ok(id);
        }
        Err(AskError::OutOfRange {
            what: "context",
            value: context.to_string(),
            expected: format!("below {count}"),
        })
    }

    /// The refusal of a core that recorded nothing.
    pub(crate) fn no_core(&self, core: u8) -> AskError {
        let cores: Vec<_> = self.trace.cores.iter().map(u8::to_string).collect();
        AskError::OutOfRange {
            what: "core",
            value: core.to_string(),
            expected: format!("one of {}", cores.join(", ")),
        }
    }
}

/// The reports of these names; all if there are none.
fn kinds(names: &[String]) -> Result<BTreeSet<Kind>, AskError> {
    if names.is_empty() {
        return Ok(Kind::ALL.iter().copied().collect());
    }
    let kind = |name: &String| {
        let unknown = |()| AskError::NoSuchReport(crate::short::short(name, crate::short::NAME));
        name.parse().map_err(unknown)
    };
    names.iter().map(kind).collect()
}
