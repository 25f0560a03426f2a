//! Every question and who answers it.

use crate::Query;
use crate::place::{check_position, check_width, check_window};
use crate::report::Question;
use crate::session::{Answer, AskError, Session};
use rtoscope_export::sequence::Show;
use serde::Serialize;

/// Lanes that can be asked for at once.
const MOST_LANES: usize = 256;

impl Session {
    /// Answers a question.
    ///
    /// # Errors
    ///
    /// [`AskError::OutOfRange`] where the question is not as documented or is
    /// about something that the trace does not have, [`AskError::Filter`] where
    /// a filter cannot be read or used, [`AskError::NoSuchReport`].
    pub fn ask(&self, query: &Query) -> Result<Answer, AskError> {
        let answer = match query {
            Query::Overview => json(&self.overview()),
            Query::Legend => json(&self.legend()),
            Query::Lanes {
                window,
                width,
                lanes,
            } => {
                check_window(window)?;
                check_width(*width)?;
                check_lanes(lanes)?;
                let lanes = self.lanes_answer(window, *width, lanes)?;
                return Ok(Answer::Lanes(lanes));
            }
            Query::Probe { axis, at, lanes } => {
                check_position(*at)?;
                check_lanes(lanes)?;
                json(&self.probe(*axis, *at, lanes)?)
            }
            Query::Locate { axis, at } => {
                check_position(*at)?;
                json(&self.locate(*axis, *at))
            }
            Query::Event { event } => json(&self.details(*event)),
            Query::Events {
                from,
                count,
                search,
            } => json(&self.rows(*from, *count, search.as_ref())?),
            Query::Step {
                from,
                direction,
                by,
            } => {
                let event = self.step(*from, *direction, by)?;
                json(&event.and_then(|event| self.place_of(event)))
            }
            Query::Search {
                search,
                window,
                width,
            } => {
                check_window(window)?;
                check_width(*width)?;
                json(&self.search(search, window, *width)?)
            }
            Query::Report {
                kinds,
                from,
                to,
                threads,
                core,
                context,
            } => {
                let report = self.report(&Question {
                    kinds,
                    from: *from,
                    to: *to,
                    threads: threads.as_deref(),
                    core: *core,
                    context: *context,
                })?;
                report.as_ref().clone()
            }
            Query::Curve { of, window, width } => {
                check_window(window)?;
                check_width(*width)?;
                json(&self.curve(*of, window, *width)?)
            }
            Query::History {
                object,
                from,
                count,
            } => json(&self.history(*object, *from, *count)?),
            Query::Posts { window, most } => {
                check_window(window)?;
                json(&self.posts(window, *most)?)
            }
            Query::Sequence {
                window,
                objects,
                format,
                states,
                actions,
                timers,
                most,
            } => {
                check_window(window)?;
                let show = Show {
                    states: *states,
                    actions: *actions,
                    timers: *timers,
                    ..Show::default()
                };
                json(&self.sequence(window, objects, *format, show, *most)?)
            }
            Query::Machine { context, format } => {
                json(self.machine_diagram(*context, *format)?.as_ref())
            }
            Query::Bookmarks => json(&self.bookmarks),
        };
        Ok(Answer::Json(answer))
    }
}

/// An answer as JSON.
pub(crate) fn json(answer: &impl Serialize) -> String {
    // Only maps whose keys are no texts fail, and no answer has one.
    serde_json::to_string(answer).unwrap_or_else(|_| "null".to_owned())
}

fn check_lanes(lanes: &[u32]) -> Result<(), AskError> {
    if lanes.len() <= MOST_LANES {
        return Ok(());
    }
    Err(AskError::OutOfRange {
        what: "the number of lanes",
        value: lanes.len().to_string(),
        expected: format!("at most {MOST_LANES}"),
    })
}
