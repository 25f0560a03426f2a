//! Headers of every response.

use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderValue, Response};

/// The page runs only our files, connects only to this server, and cannot be framed.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

/// A worker may compile WebAssembly but load and connect to nothing.
pub(crate) const WORKER_CONTENT_SECURITY_POLICY: &str =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; frame-ancestors 'none'";

const COMMON_HEADERS: [(HeaderName, HeaderValue); 4] = [
    (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    ),
];

/// Adds the headers. Unless the response sets them itself, it is not cached and has the
/// policy of the page.
pub(crate) async fn add<B>(mut response: Response<B>) -> Response<B> {
    let headers = response.headers_mut();
    headers.extend(COMMON_HEADERS);
    let fresh = || HeaderValue::from_static("no-store");
    headers.entry(CACHE_CONTROL).or_insert_with(fresh);
    let policy = || HeaderValue::from_static(PAGE_POLICY);
    headers
        .entry(CONTENT_SECURITY_POLICY)
        .or_insert_with(policy);
    response
}
