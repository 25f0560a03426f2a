//! Answers to the requests of the page, with the status that the server gives them.

use crate::open::OpenRecording;
use rtoscope_session::{Command, Notes, Query, QueryError, QueryResponse};
use serde::de::DeserializeOwned;
use serde_json::json;

/// An answer: a status as in HTTP, and JSON or the content of lanes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// The body.
    pub body: Vec<u8>,
}

impl Reply {
    /// A successful answer.
    pub fn ok(body: impl Into<Vec<u8>>) -> Self {
        let body = body.into();
        Self { status: 200, body }
    }

    /// An error with a message for the user.
    pub fn error(status: u16, message: &str) -> Self {
        let body = json!({ "error": message }).to_string().into_bytes();
        Self { status, body }
    }
}

impl From<QueryError> for Reply {
    fn from(error: QueryError) -> Self {
        Self::error(error.status(), &error.to_string())
    }
}

impl OpenRecording {
    /// Answers a query.
    pub fn query(&self, body: &[u8]) -> Reply {
        let answer = parse(body).map(|query: Query| self.session.query(&query));
        match answer {
            Ok(Ok(QueryResponse::Json(text))) => Reply::ok(text),
            Ok(Ok(QueryResponse::Lanes(bytes))) => Reply::ok(bytes),
            Ok(Err(error)) => error.into(),
            Err(reply) => reply,
        }
    }

    /// Applies a command; answers with the notes, for the page to keep.
    pub fn command(&mut self, body: &[u8]) -> Reply {
        let applied = parse(body).map(|command: Command| self.session.apply(command));
        match applied {
            Ok(Ok(())) => self.notes(),
            Ok(Err(error)) => error.into(),
            Err(reply) => reply,
        }
    }

    /// Replaces the notes by the text of a notes file; answers with the notes.
    pub fn put_notes(&mut self, text: &[u8]) -> Reply {
        match self.apply_notes(text) {
            Ok(()) => self.notes(),
            Err(message) => Reply::error(422, &message),
        }
    }

    /// The notes of the recording, as the text of a notes file.
    pub fn notes(&self) -> Reply {
        match Notes::of(&self.session, self.noted_clock).to_text() {
            Ok(text) => Reply::ok(text),
            Err(message) => Reply::error(500, &message),
        }
    }
}

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Reply> {
    serde_json::from_slice(body).map_err(|error| Reply::error(400, &error.to_string()))
}
