//! Reports on the whole trace or a part of it.

use crate::error::QueryError;
use crate::query_response::json;
use crate::session::Session;
use crate::truncate::{MAX_NAME_CHARS, truncate};
use rtoscope_analysis::Scope;
use rtoscope_analysis::report::{ReportDocument, ReportKind, ReportOptions, load};
use rtoscope_trace::Ticks;
use std::collections::BTreeSet;
use std::sync::Arc;

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
        let options = ReportOptions {
            kinds: parse_kinds(query.kinds)?,
            context: query
                .context
                .map(|context| self.checked_context(context))
                .transpose()?,
            load_windows: load::DEFAULT_WINDOWS,
            period_events: Vec::new(),
        };
        let key = (options, self.scope(query)?, self.frequency_hz());
        self.caches
            .reports
            .get_or_insert(key, |(options, scope, _)| {
                let json = json(&self.document(options, scope));
                let bytes = json.len();
                Ok((json, bytes))
            })
    }

    fn document(&self, options: &ReportOptions, scope: &Scope) -> ReportDocument {
        let stats = self.recording.scope_stats(scope.clone());
        ReportDocument::new(self.name(), &self.recording.view_of(&stats), options)
    }

    fn scope(&self, query: &ReportQuery<'_>) -> Result<Scope, QueryError> {
        let ReportQuery {
            start, end, core, ..
        } = *query;
        let scope = self.time_scope(start, end)?;
        if let Some(core) = core.filter(|core| !self.recording.trace.cores.contains(core)) {
            return Err(self.unknown_core(core));
        }
        let threads = query.threads.map(|threads| {
            let checked = threads.iter().map(|thread| self.checked_context(*thread));
            checked.collect::<Result<BTreeSet<_>, _>>()
        });
        Ok(Scope {
            threads: threads.transpose()?,
            core,
            ..scope
        })
    }

    /// The scope of a part of the trace, in ticks.
    pub(crate) fn time_scope(
        &self,
        start: Option<u64>,
        end: Option<u64>,
    ) -> Result<Scope, QueryError> {
        let span = self.recording.trace.events.span().0;
        let last = end.unwrap_or(span).min(span);
        if let Some(start) = start.filter(|start| *start > last) {
            return Err(QueryError::OutOfRange {
                parameter: "start",
                value: start.to_string(),
                expected: format!("at most {last}, the end of the part"),
            });
        }
        Ok(Scope {
            start: start.map(Ticks),
            end: end.map(Ticks),
            ..Scope::default()
        })
    }
}

/// Parses names of reports; all reports if there are none.
fn parse_kinds(names: &[String]) -> Result<BTreeSet<ReportKind>, QueryError> {
    if names.is_empty() {
        return Ok(ReportKind::ALL.iter().copied().collect());
    }
    let kind = |name: &String| {
        let unknown = |()| QueryError::UnknownReport(truncate(name, MAX_NAME_CHARS));
        name.parse().map_err(unknown)
    };
    names.iter().map(kind).collect()
}
