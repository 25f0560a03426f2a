//! Why queries and commands fail.

/// Why a query failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// {parameter} is {value}, expected {expected}
    #[error("{parameter} is {value}, expected {expected}")]
    OutOfRange {
        /// The parameter out of range.
        parameter: &'static str,
        /// Its value.
        value: String,
        /// The permitted values.
        expected: String,
    },
    /// The event is not in the trace, but in an earlier part of the recording.
    #[error("The event is older than the part shown.")]
    Discarded,
    /// A context, object or level is not in the trace, but may be in another part of the
    /// recording.
    #[error("Not recorded in this part of the trace.")]
    NotInPart,
    /// Another client has changed the note of a bookmark that was to be removed.
    #[error("The note was changed in another window meanwhile, so it is kept.")]
    BookmarkChanged,
    /// The filter is invalid: the position, and what was expected.
    #[error("{0}")]
    Filter(String),
    /// Cycles cannot begin with that: what it is instead.
    #[error("{0}")]
    Anchor(String),
    /// The recording cannot be read any more, so that the answer may be wrong.
    #[error("{0}; open it again")]
    Unreadable(String),
    /// There is no report {0}.
    #[error("there is no report {0:?}")]
    UnknownReport(String),
}

impl QueryError {
    /// The status of an answer with this error, as in HTTP.
    pub fn status(&self) -> u16 {
        match self {
            Self::BookmarkChanged => 409,
            _ => 400,
        }
    }
}
