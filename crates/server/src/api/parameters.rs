//! Query parameters of a URL.

use crate::error::ApiError;
use axum::http::{StatusCode, Uri};
use std::borrow::Cow;

/// The value of a parameter, if present.
pub(super) fn text<'u>(uri: &'u Uri, name: &str) -> Option<Cow<'u, str>> {
    let query = uri.query().unwrap_or("");
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    let found = pairs.find(|(key, _)| key == name);
    found.map(|(_, value)| value)
}

/// The numeric value of a parameter, if present.
pub(super) fn number(uri: &Uri, name: &str) -> Result<Option<u64>, ApiError> {
    let Some(text) = text(uri, name) else {
        return Ok(None);
    };
    let number = text.parse().map_err(|_| {
        let message = format!("{name} is {text:?}, expected a number");
        ApiError::new(StatusCode::BAD_REQUEST, message)
    });
    number.map(Some)
}
