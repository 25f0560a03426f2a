//! What is answered to a request that cannot be granted.

use crate::traces::TooManyTraces;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use rtoscope_session::QueryError;

/// A status and a sentence for people.
#[derive(Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    message: String,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, sentence: impl Into<String>) -> Self {
        let sentence = sentence.into();
        Self {
            status,
            message: sentence,
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let json = serde_json::json!({ "error": self.message }).to_string();
        let kind = [(header::CONTENT_TYPE, "application/json")];
        (self.status, kind, json).into_response()
    }
}

impl From<QueryError> for ApiError {
    fn from(error: QueryError) -> Self {
        Self::new(StatusCode::BAD_REQUEST, error.to_string())
    }
}

impl From<TooManyTraces> for ApiError {
    fn from(error: TooManyTraces) -> Self {
        Self::new(StatusCode::CONFLICT, error.to_string())
    }
}
