//! What is answered to a request that cannot be granted.

use crate::traces::TooManyTraces;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use rtoscope_session::AskError;

/// A status and a sentence for people.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    sentence: String,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, sentence: impl Into<String>) -> Self {
        let sentence = sentence.into();
        Self { status, sentence }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let json = serde_json::json!({ "error": self.sentence }).to_string();
        let kind = [(header::CONTENT_TYPE, "application/json")];
        (self.status, kind, json).into_response()
    }
}

impl From<AskError> for Refusal {
    fn from(error: AskError) -> Self {
        Self::new(StatusCode::BAD_REQUEST, error.to_string())
    }
}

impl From<TooManyTraces> for Refusal {
    fn from(error: TooManyTraces) -> Self {
        Self::new(StatusCode::CONFLICT, error.to_string())
    }
}
