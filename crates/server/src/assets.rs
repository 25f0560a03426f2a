//! The files of the web app, which are part of the program.

use crate::error::ApiError;
use crate::headers::WORKER_CONTENT_SECURITY_POLICY;
use axum::body::Bytes;
use axum::http::{HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};

/// Paths and bytes; written by the build script.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// The page itself.
pub(crate) const INDEX_PATH: &str = "/";

/// A file by its path in the table, and nothing else.
pub(crate) async fn serve(method: Method, uri: Uri) -> Result<Response, ApiError> {
    if method != Method::GET && method != Method::HEAD {
        return Err(ApiError::new(
            StatusCode::METHOD_NOT_ALLOWED,
            format!("there is nothing to {method} here"),
        ));
    }
    let wanted = match uri.path() {
        INDEX_PATH => "/index.html",
        path => path,
    };
    let found = FILES.iter().find(|(path, _)| *path == wanted);
    let Some((path, bytes)) = found else {
        return Err(ApiError::new(
            StatusCode::NOT_FOUND,
            "there is nothing here",
        ));
    };
    let headers = [
        (header::CONTENT_TYPE, content_type(path)),
        (header::CACHE_CONTROL, cache_control(path)),
    ];
    let mut response = (headers, Bytes::from_static(bytes)).into_response();
    if is_worker(path) {
        let policy = HeaderValue::from_static(WORKER_CONTENT_SECURITY_POLICY);
        response
            .headers_mut()
            .insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    Ok(response)
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or("") {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        "json" | "map" | "webmanifest" => "application/json",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// Whether it is what a thread of the page runs: the bundler keeps the name of
/// the source, `NAME.worker.ts`.
fn is_worker(path: &str) -> bool {
    path.starts_with("/assets/")
        && path.contains(".worker-")
        && content_type(path).starts_with("text/javascript")
}

/// The bundler puts a hash of the content into names below `assets`.
fn cache_control(path: &str) -> &'static str {
    if path.starts_with("/assets/") {
        "private, max-age=31536000, immutable"
    } else {
        "no-cache"
    }
}
