//! Reports on the whole trace or a part of it.

use crate::error::QueryError;
use crate::session::Session;
use crate::truncate::{MAX_NAME_CHARS, truncate};
use rtoscope_analysis::Scope;
use rtoscope_analysis::report::findings::Finding;
use rtoscope_analysis::report::load::{self, Load};
use rtoscope_analysis::report::{
    DescribedTable, FrontEnd, ReportDocument, ReportKind, ReportOptions, cycles,
};
use rtoscope_trace::Ticks;
use serde::Serialize;
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
    pub(crate) anchor: Option<&'q str>,
    pub(crate) tables: bool,
}

/// What a report depends on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ReportKey {
    options: ReportOptions,
    scope: Scope,
    frequency_hz: Option<u64>,
    anchor: Option<String>,
    tables: bool,
}

/// Reports as tables with described columns: all that a page needs to show them.
#[derive(Serialize)]
struct ReportTables<'d> {
    schema: &'static str,
    events: u64,
    start: u64,
    end: u64,
    span: u64,
    findings: &'d [Finding],
    load: Option<&'d Load>,
    /// What cycles can begin with.
    anchors: Vec<String>,
    tables: Vec<DescribedTable<'d>>,
}

impl<'d> ReportTables<'d> {
    fn of(document: &'d ReportDocument, anchors: Vec<String>) -> Self {
        let tables = ReportKind::ALL.iter();
        let tables = tables.flat_map(|kind| document.tables(*kind, FrontEnd::Viewer));
        Self {
            schema: document.schema,
            events: document.events,
            start: document.start,
            end: document.end,
            span: document.span,
            findings: &document.findings,
            load: document.load.as_ref(),
            anchors,
            tables: tables.collect(),
        }
    }
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
            anchor: None,
            findings: true,
        };
        let key = ReportKey {
            options,
            scope: self.scope(query)?,
            frequency_hz: self.frequency_hz(),
            anchor: query.anchor.map(str::to_owned),
            tables: query.tables,
        };
        self.caches.reports.get_or_insert(key, |key| {
            let stats = self.recording.scope_stats(key.scope.clone());
            let view = self.recording.view_of(&stats);
            let anchor = key.anchor.as_deref();
            let anchor = anchor.map(|name| cycles::find_anchor(&view, name));
            let options = ReportOptions {
                anchor: anchor.transpose().map_err(QueryError::Anchor)?,
                ..key.options.clone()
            };
            let document = ReportDocument::new(self.name(), &view, &options);
            let json = match key.tables {
                true => {
                    let has_cycles = document.cycles.is_some();
                    let anchors = has_cycles.then(|| cycles::anchor_names(&view));
                    self.report_text(&ReportTables::of(&document, anchors.unwrap_or_default()))
                }
                false => self.report_text(&document),
            };
            let bytes = json.len();
            Ok((json, bytes))
        })
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
            let present = checked.filter(|thread| *thread != Err(QueryError::NotInPart));
            present.collect::<Result<BTreeSet<_>, _>>()
        });
        Ok(Scope {
            threads: threads.transpose()?,
            core,
            ..scope
        })
    }

    /// The scope of a part of the trace, in ticks of the recording.
    pub(crate) fn time_scope(
        &self,
        start: Option<u64>,
        end: Option<u64>,
    ) -> Result<Scope, QueryError> {
        let [start, end] = [start, end].map(|at| at.map(|at| self.own_ticks(at)));
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
