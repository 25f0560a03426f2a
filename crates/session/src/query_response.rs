//! The response to a query, in the form in which it is sent.

use serde::Serialize;

/// The response to a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QueryResponse {
    /// JSON of the type that the query documents.
    Json(String),
    /// The content of lanes, see [`lanes::binary`](crate::lanes::binary).
    Lanes(Vec<u8>),
}

/// Serialises a response as JSON.
pub(crate) fn json(response: &impl Serialize) -> String {
    // Serialisation fails only for maps with non-string keys, and no response has one.
    serde_json::to_string(response).unwrap_or_else(|_| "null".to_owned())
}
