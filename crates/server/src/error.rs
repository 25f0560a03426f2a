//! Errors of the HTTP API.

use crate::traces::TooManyTraces;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use rtoscope_session::QueryError;

/// An HTTP status and a message for the user.
#[derive(Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    message: String,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { status, message }
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
        let status = StatusCode::from_u16(error.status());
        Self::new(status.unwrap_or(StatusCode::BAD_REQUEST), error.to_string())
    }
}

impl From<TooManyTraces> for ApiError {
    fn from(error: TooManyTraces) -> Self {
        Self::new(StatusCode::CONFLICT, error.to_string())
    }
}
