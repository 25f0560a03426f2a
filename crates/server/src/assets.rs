//! The files of the web app, which are part of the program.

use crate::refusal::Refusal;
use axum::body::Bytes;
use axum::http::{Method, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};

/// Paths and bytes; written by the build script.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// The page itself.
pub(crate) const PAGE: &str = "/";

/// A file by its path in the table, and nothing else.
pub(crate) async fn serve(method: Method, uri: Uri) -> Result<Response, Refusal> {
    if method != Method::GET && method != Method::HEAD {
        return Err(Refusal::new(
            StatusCode::METHOD_NOT_ALLOWED,
            format!("there is nothing to {method} here"),
        ));
    }
    let wanted = match uri.path() {
        PAGE => "/index.html",
        path => path,
    };
    let found = FILES.iter().find(|(path, _)| *path == wanted);
    let Some((path, bytes)) = found else {
        return Err(Refusal::new(StatusCode::NOT_FOUND, "there is nothing here"));
    };
    let headers = [
        (header::CONTENT_TYPE, kind(path)),
        (header::CACHE_CONTROL, keep(path)),
    ];
    Ok((headers, Bytes::from_static(bytes)).into_response())
}

fn kind(path: &str) -> &'static str {
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

/// The bundler puts a hash of the content into names below `assets`.
fn keep(path: &str) -> &'static str {
    if path.starts_with("/assets/") {
        "private, max-age=31536000, immutable"
    } else {
        "no-cache"
    }
}
