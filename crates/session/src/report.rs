//! Reports on the whole trace or a part of it.

use crate::session::{QueryError, Session};
use rtoscope_analysis::Scope;
use rtoscope_analysis::report::{ReportDocument, ReportKind, ReportOptions, load};
use rtoscope_trace::{ContextId, Ticks};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Cache key of a report: options and scope.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ReportKey {
    options: ReportOptions,
    scope: Scope,
}

/// The parameters of a report query.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReportQuery<'q> {
    pub(crate) kinds: &'q [String],
    pub(crate) start: Option<u64>,
    pub(crate) end: Option<u64>,
    pub(crate) threads: Option<&'q [u32]>,
    pub(crate) core: Option<u8>,
    pub(crate) context: Option<u32>,
}

impl Session {
    /// The reports, as JSON.
    pub(crate) fn report_json(&self, query: &ReportQuery<'_>) -> Result<Arc<String>, QueryError> {
        let asked = ReportKey {
            options: ReportOptions {
                kinds: parse_kinds(query.kinds)?,
                context: query
                    .context
                    .map(|context| self.checked_context(context))
                    .transpose()?,
                load_windows: load::DEFAULT_WINDOWS,
            },
            scope: self.scope(query)?,
        };
        self.caches
            .reports
            .get_or_insert((asked, self.frequency_hz()), |(asked, _)| {
                let json = crate::dispatch::json(&self.document(asked));
                let bytes = json.len();
                Ok((json, bytes))
            })
    }

    fn document(&self, asked: &ReportKey) -> ReportDocument {
        let ReportKey { options, scope } = asked;
        let stats = self.recording.scope_stats(scope.clone());
        ReportDocument::new(self.name(), &self.recording.view_of(&stats), options)
    }

    fn scope(&self, query: &ReportQuery<'_>) -> Result<Scope, QueryError> {
        let ReportQuery {
            start, end, core, ..
        } = *query;
        let span = self.recording.trace.events.span().0;
        let last = end.unwrap_or(span).min(span);
        if let Some(start) = start.filter(|start| *start > last) {
            return Err(QueryError::OutOfRange {
                parameter: "start",
                value: start.to_string(),
                expected: format!("at most {last}, the end of the part"),
            });
        }
        if let Some(core) = core.filter(|core| !self.recording.trace.cores.contains(core)) {
            return Err(self.unknown_core(core));
        }
        let threads = query.threads.map(|threads| {
            let checked = threads.iter().map(|thread| self.checked_context(*thread));
            checked.collect::<Result<BTreeSet<_>, _>>()
        });
        Ok(Scope {
            start: start.map(Ticks),
            end: end.map(Ticks),
            threads: threads.transpose()?,
            core,
        })
    }

    pub(crate) fn checked_context(&self, context: u32) -> Result<ContextId, QueryError> {
        let count = self.recording.trace.contexts.len();
        let id = ContextId(context);
        if id.index() < count {
            return Ok(id);
        }
        Err(QueryError::OutOfRange {
            parameter: "context",
            value: context.to_string(),
            expected: format!("below {count}"),
        })
    }

    /// The error for a core that is not in the trace.
    pub(crate) fn unknown_core(&self, core: u8) -> QueryError {
        let cores: Vec<_> = self
            .recording
            .trace
            .cores
            .iter()
            .map(u8::to_string)
            .collect();
        QueryError::OutOfRange {
            parameter: "core",
            value: core.to_string(),
            expected: format!("one of {}", cores.join(", ")),
        }
    }
}

/// Parses names of reports; all reports if there are none.
fn parse_kinds(names: &[String]) -> Result<BTreeSet<ReportKind>, QueryError> {
    if names.is_empty() {
        return Ok(ReportKind::ALL.iter().copied().collect());
    }
    let kind = |name: &String| {
        let unknown = |()| {
            QueryError::UnknownReport(crate::truncate::truncate(
                name,
                crate::truncate::MAX_NAME_CHARS,
            ))
        };
        name.parse().map_err(unknown)
    };
    names.iter().map(kind).collect()
}
