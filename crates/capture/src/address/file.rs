//! Addresses of files.

use super::AddressErrorKind;
use super::options::{AddressOptions, escape, unescape};
use std::fmt;

/// A file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileAddress {
    /// Path.
    pub path: String,
    /// Whether to wait for more data at its end.
    pub follow: bool,
}

impl FileAddress {
    pub(super) fn parse(
        place: &str,
        query: &mut AddressOptions<'_>,
    ) -> Result<Self, AddressErrorKind> {
        let path = unescape(place)?;
        if path.is_empty() {
            return Err(AddressErrorKind::NoPath("path"));
        }
        Ok(Self {
            path: without_root(&path).to_owned(),
            follow: query.take_flag("follow")?,
        })
    }
}

/// `/C:/trace.bin` is the URL form of `C:/trace.bin`.
fn without_root(path: &str) -> &str {
    match path.as_bytes() {
        [b'/', drive, b':', ..] if cfg!(windows) && drive.is_ascii_alphabetic() => {
            path.trim_start_matches('/')
        }
        _ => path,
    }
}

impl fmt::Display for FileAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = escape(&self.path);
        let slashes = if path.starts_with('/') { "//" } else { "" };
        let follow = if self.follow { "?follow=1" } else { "" };
        write!(f, "{slashes}{path}{follow}")
    }
}
