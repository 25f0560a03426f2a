//! Validates the parameters of queries.

use crate::error::QueryError;
use crate::query::{Axis, Window};
use crate::session::Session;
use rtoscope_trace::ContextId;

/// Maximum number of pixels of a window.
const MAX_WIDTH: u32 = 8192;
/// Maximum number of lanes in a query.
const MAX_LANES: usize = 256;

/// Rejects a window whose start is not before its end.
fn check_window(window: &Window) -> Result<(), QueryError> {
    let Window {
        start: from,
        end: to,
        ..
    } = *window;
    if !(from < to && (to - from).is_finite()) {
        return Err(QueryError::OutOfRange {
            parameter: "the window",
            value: format!("{from} to {to}"),
            expected: "two numbers, the first below the second".to_owned(),
        });
    }
    Ok(())
}

/// Rejects a width out of range.
pub(crate) fn check_width(width: u32) -> Result<(), QueryError> {
    if !(1..=MAX_WIDTH).contains(&width) {
        return Err(QueryError::OutOfRange {
            parameter: "width",
            value: width.to_string(),
            expected: format!("1 to {MAX_WIDTH}"),
        });
    }
    Ok(())
}

/// Rejects too many lanes.
pub(crate) fn check_lanes(lanes: &[u32]) -> Result<(), QueryError> {
    if lanes.len() <= MAX_LANES {
        return Ok(());
    }
    Err(QueryError::OutOfRange {
        parameter: "the number of lanes",
        value: lanes.len().to_string(),
        expected: format!("at most {MAX_LANES}"),
    })
}

impl Session {
    /// A window in the trace, unless its start is not before its end.
    pub(crate) fn checked_window(&self, window: &Window) -> Result<Window, QueryError> {
        check_window(window)?;
        Ok(self.own_window(window))
    }

    /// A position in the trace, unless it is not finite.
    pub(crate) fn checked_position(&self, axis: Axis, at: f64) -> Result<f64, QueryError> {
        if at.is_finite() {
            return Ok(at - self.axis_origin(axis));
        }
        Err(QueryError::OutOfRange {
            parameter: "at",
            value: at.to_string(),
            expected: "a number".to_owned(),
        })
    }

    /// The context with this number.
    pub(crate) fn checked_context(&self, context: u32) -> Result<ContextId, QueryError> {
        let count = self.recording.trace.contexts.len();
        let own = self.ids.contexts.own(context);
        let id = ContextId(own.ok_or(QueryError::NotInPart)?);
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

    /// Rejects a context that is not an active object.
    pub(crate) fn checked_active_object(&self, context: u32) -> Result<ContextId, QueryError> {
        let own = self.ids.contexts.own(context);
        let id = ContextId(own.ok_or(QueryError::NotInPart)?);
        if self.is_active_object(id) {
            return Ok(id);
        }
        Err(QueryError::OutOfRange {
            parameter: "context",
            value: context.to_string(),
            expected: "that of an active object".to_owned(),
        })
    }

    /// Whether a context is an active object.
    pub(crate) fn is_active_object(&self, context: ContextId) -> bool {
        let objects = &self.recording.active.objects;
        objects.binary_search(&context).is_ok()
    }
}
