//! Dispatches each query to its implementation.

use crate::Query;
use crate::error::QueryError;
use crate::parameters::{check_lanes, check_width};
use crate::query_response::{QueryResponse, json};
use crate::report::ReportQuery;
use crate::response::{Diagram, EventPosition, EventRows, Graph, MessageBars, Plot};
use crate::session::Session;
use rtoscope_analysis::report::{DescribedTable, FrontEnd};
use rtoscope_export::sequence::RowOptions;

impl Session {
    /// Answers a query. Lists and diagrams of something that another part of a live
    /// recording has are empty.
    ///
    /// # Errors
    ///
    /// [`QueryError::OutOfRange`] if a parameter is invalid or refers to something that
    /// the trace does not contain, [`QueryError::NotInPart`] or [`QueryError::Discarded`]
    /// if another part of a live recording may contain it, [`QueryError::Filter`] if a
    /// filter cannot be parsed or applied, [`QueryError::UnknownReport`],
    /// [`QueryError::Unreadable`] if the recording's file changed.
    pub fn query(&self, query: &Query) -> Result<QueryResponse, QueryError> {
        let answer = self.answer(query);
        if let Some(failure) = self.recording.trace.events.read_failure() {
            return Err(QueryError::Unreadable(failure.to_owned()));
        }
        match answer {
            Err(QueryError::NotInPart) => empty_response(query)
                .map(QueryResponse::Json)
                .ok_or(QueryError::NotInPart),
            answer => answer,
        }
    }

    fn answer(&self, query: &Query) -> Result<QueryResponse, QueryError> {
        let response = match query {
            Query::Overview => json(&self.overview()),
            Query::Legend => json(&self.legend()),
            Query::Lanes {
                window,
                width,
                lanes,
                search,
            } => {
                let window = &self.checked_window(window)?;
                check_width(*width)?;
                check_lanes(lanes)?;
                let lanes = self.encode_lanes(window, *width, lanes, search.as_ref())?;
                return Ok(QueryResponse::Lanes(lanes));
            }
            Query::Probe { axis, at, lanes } => {
                let at = self.checked_position(*axis, *at)?;
                check_lanes(lanes)?;
                json(&self.probe(*axis, at, lanes)?)
            }
            Query::Locate { axis, at } => {
                let at = self.checked_position(*axis, *at)?;
                json(&self.locate(*axis, at))
            }
            Query::Event { event } => json(&self.event_details(self.own_event(*event)?)),
            Query::Events {
                offset,
                limit,
                search,
            } => json(&self.event_rows(*offset, *limit, search.as_ref())?),
            Query::Step {
                from,
                direction,
                by,
            } => {
                // An event before the trace counts as its first.
                let from = self.own_event(*from).unwrap_or_default();
                let event = self.step_event(from, *direction, by)?;
                json(&event.and_then(|event| self.event_position(event)))
            }
            Query::Search {
                search,
                window,
                width,
            } => {
                let window = &self.checked_window(window)?;
                check_width(*width)?;
                json(&self.search(search, window, *width)?)
            }
            Query::Report {
                kinds,
                start,
                end,
                threads,
                core,
                context,
                anchor,
                tables,
            } => {
                let report = self.report_json(&ReportQuery {
                    kinds,
                    start: *start,
                    end: *end,
                    threads: threads.as_deref(),
                    core: *core,
                    context: *context,
                    anchor: anchor.as_deref(),
                    tables: *tables,
                })?;
                report.as_ref().clone()
            }
            Query::CriticalPath {
                event,
                context,
                from,
                limit,
            } => {
                let (event, from) = (self.own_event(*event)?, from.map(|at| self.own_ticks(at)));
                let context = context.map(|it| self.checked_context(it)).transpose()?;
                self.report_text(&self.critical_path(event, context, from, *limit)?)
            }
            Query::Graph {
                source,
                window,
                width,
            } => {
                let window = &self.checked_window(window)?;
                check_width(*width)?;
                json(&self.graph(*source, window, *width)?)
            }
            Query::Intervals {
                filters,
                name,
                deadline,
                start,
                end,
            } => {
                let scope = [*start, *end];
                let row = self.interval_figures(filters, name, *deadline, scope)?;
                let longest = DescribedTable::new(&row.longest, FrontEnd::Viewer);
                self.report_text(&[DescribedTable::figures(&row, FrontEnd::Viewer), longest])
            }
            Query::RawEvents {
                window,
                offset,
                limit,
            } => {
                let window = &self.checked_window(window)?;
                json(&self.raw_events(window, *offset, *limit)?)
            }
            Query::Messages {
                resource,
                window,
                limit,
            } => {
                let window = &self.checked_window(window)?;
                json(&self.message_bars(*resource, window, *limit)?)
            }
            Query::Plot {
                source,
                window,
                width,
            } => {
                let window = &self.checked_window(window)?;
                check_width(*width)?;
                json(&self.plot(source, window, *width)?)
            }
            Query::IntervalBars {
                filters,
                window,
                width,
            } => {
                let window = &self.checked_window(window)?;
                check_width(*width)?;
                json(&self.interval_bars(filters, window, *width)?)
            }
            Query::CpuLoad {
                core,
                window,
                width,
                limit,
            } => {
                let window = &self.checked_window(window)?;
                check_width(*width)?;
                json(&self.cpu_load(*core, window, *width, *limit)?)
            }
            Query::History {
                object,
                offset,
                limit,
            } => json(&self.object_history(*object, *offset, *limit)?),
            Query::Posts { window, limit } => {
                let window = &self.checked_window(window)?;
                json(&self.posts(window, *limit)?)
            }
            Query::Sequence {
                window,
                objects,
                format,
                states,
                actions,
                timers,
                limit,
            } => {
                let window = &self.checked_window(window)?;
                let show = RowOptions {
                    states: *states,
                    actions: *actions,
                    timers: *timers,
                    ..RowOptions::default()
                };
                json(&self.sequence(window, objects, *format, show, *limit)?)
            }
            Query::Machine { context, format } => {
                json(self.machine_diagram(*context, *format)?.as_ref())
            }
            Query::Communication { start, end, format } => {
                json(&self.communication_graph([*start, *end], *format)?)
            }
            Query::Bookmarks => json(&self.bookmarks()),
            Query::LaneLooks => json(&self.lane_looks()),
            Query::Figures => json(&self.figures()),
            Query::Comparison { baseline } => json(&self.comparison(baseline)),
            Query::Figure { of } => self.report_text(&self.figure_details(of)),
            Query::OverlaidHistogram { of, baseline } => {
                json(&self.overlaid_histogram(of, baseline))
            }
            Query::Clock => json(&self.clock()),
        };
        Ok(QueryResponse::Json(response))
    }
}

/// The response about something that the trace does not have, if the query may be about
/// nothing.
fn empty_response(query: &Query) -> Option<String> {
    Some(match query {
        Query::Step { .. } => json(&None::<EventPosition>),
        Query::Graph { .. } => json(&Graph::default()),
        Query::Plot { .. } => json(&Plot::default()),
        Query::Messages { .. } => json(&MessageBars::default()),
        Query::History { .. } => json(&EventRows::default()),
        Query::Machine { .. } | Query::Sequence { .. } => json(&Diagram::default()),
        _ => return None,
    })
}
