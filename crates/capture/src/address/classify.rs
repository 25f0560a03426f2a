//! Classifies addresses by their scheme, and explains those without one.

use super::{AddressError, AddressErrorKind, FileAddress, Scheme};
use rtoscope_trace::filter::closest;

/// The form of an address.
pub(super) enum AddressForm<'a> {
    /// `-`.
    Stdin,
    /// A plain path.
    Path(FileAddress),
    /// A scheme, and the rest after its colon.
    Url(Scheme, &'a str),
}

/// Determines the form of an address.
pub(super) fn classify(text: &str) -> Result<AddressForm<'_>, AddressError> {
    if text == "-" {
        return Ok(AddressForm::Stdin);
    }
    if let Some((word, rest)) = scheme_prefix(text) {
        if let Some(scheme) = Scheme::from_name(word) {
            return Ok(AddressForm::Url(scheme, rest));
        }
        let closest = closest(word, Scheme::ALL.map(Scheme::name));
        if rest.starts_with("//") || !closest.is_empty() {
            let scheme = word.to_owned();
            return Err(AddressErrorKind::UnknownScheme { scheme, closest }.without_scheme());
        }
    }
    if text.is_empty() {
        Err(AddressErrorKind::Empty.without_scheme())
    } else if is_endpoint(text) {
        Err(AddressErrorKind::AmbiguousEndpoint(text.to_owned()).without_scheme())
    } else if is_device(text) {
        Err(AddressErrorKind::Device(text.to_owned()).without_scheme())
    } else {
        Ok(AddressForm::Path(file_address(text)))
    }
}

/// The prefix before the first colon, if it could be a scheme; a single letter is a
/// drive.
fn scheme_prefix(text: &str) -> Option<(&str, &str)> {
    let (word, rest) = text.split_once(':')?;
    let letters = |text: &str| {
        text.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-_".contains(&byte))
    };
    (word.len() > 1 && letters(word)).then_some((word, rest))
}

/// Whether it is a port with an optional host.
fn is_endpoint(text: &str) -> bool {
    text.rsplit_once(':').is_some_and(|(host, port)| {
        let is_host = !host.contains(['/', '\\']) && (host.starts_with('[') || !host.contains(':'));
        is_host && !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Whether it is the name of a serial port.
fn is_device(text: &str) -> bool {
    let number = text
        .get(..3)
        .filter(|name| name.eq_ignore_ascii_case("com"))
        .and_then(|_| text.get(3..));
    ["/dev/tty", "/dev/cu.", "/dev/serial/"]
        .iter()
        .any(|start| text.starts_with(start))
        || number.is_some_and(|number| number.parse::<u8>().is_ok())
}

/// A plain path, optionally with an option to follow it.
fn file_address(text: &str) -> FileAddress {
    let (path, follow) = match text.strip_suffix("?follow=1") {
        Some(path) => (path, true),
        None => (text, false),
    };
    FileAddress {
        path: path.to_owned(),
        follow,
    }
}
