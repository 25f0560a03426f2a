//! Errors in addresses.

use super::Scheme;
use std::fmt;

/// An error in an address, with a hint on the correct form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressError {
    /// The error.
    pub kind: AddressErrorKind,
    /// The scheme, if the address has one.
    pub scheme: Option<Scheme>,
}

/// Kinds of errors in addresses.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddressErrorKind {
    /// The address is empty.
    #[error("the address of the source is empty")]
    Empty,
    /// The scheme is unknown.
    #[error("unknown kind of source `{scheme}`{}", Suggestions(closest))]
    UnknownScheme {
        /// The scheme.
        scheme: String,
        /// Similar scheme names.
        closest: Vec<String>,
    },
    /// It is a host and a port, without a scheme that says which side connects.
    #[error(
        "`{0}` does not say who connects: write tcp://{0} to connect to it, or \
         tcp-listen://{0} to be connected to"
    )]
    AmbiguousEndpoint(String),
    /// It is a device, not a file.
    #[error("`{0}` is a device: write serial://{0}, optionally followed by ?baud=NUMBER")]
    Device(String),
    /// The host is missing.
    #[error("the host is missing")]
    NoHost,
    /// The host is neither a name nor an address.
    #[error("`{0}` cannot be a host: expected a name or an address, of IPv6 in brackets")]
    BadHost(String),
    /// The port is missing.
    #[error("the port is missing after `{0}`")]
    NoPort(String),
    /// The port is not a valid number.
    #[error("invalid port `{port}`: expected a number from {min} to 65535")]
    BadPort {
        /// The text.
        port: String,
        /// The minimum port number.
        min: u16,
    },
    /// Unexpected text at the end.
    #[error("unexpected text: `{0}`")]
    Trailing(String),
    /// The path of the file or device is missing.
    #[error("the {0} is missing")]
    NoPath(&'static str),
    /// The option is unknown.
    #[error("unknown option `{name}`{}", Suggestions(closest))]
    UnknownOption {
        /// Its name.
        name: String,
        /// Similar option names.
        closest: Vec<String>,
    },
    /// An option is given twice.
    #[error("`{0}` is given twice")]
    Repeated(String),
    /// Two mutually exclusive options are given.
    #[error("`{0}` and `{1}` exclude each other")]
    Conflict(&'static str, &'static str),
    /// An option has an invalid value.
    #[error("`{name}={value}`: expected {expected}")]
    BadValue {
        /// The option.
        name: &'static str,
        /// Its value.
        value: String,
        /// The permitted values.
        expected: &'static str,
    },
    /// A `%` is not followed by two hexadecimal digits.
    #[error("invalid escape `{0}`: expected % and two hexadecimal digits")]
    BadEscape(String),
    /// The escaped bytes are not valid UTF-8.
    #[error("the escaped bytes of `{0}` are not UTF-8")]
    NotUtf8(String),
}

impl AddressErrorKind {
    pub(super) fn with_scheme(self, scheme: Scheme) -> AddressError {
        AddressError {
            kind: self,
            scheme: Some(scheme),
        }
    }

    /// An error before the scheme is known.
    pub(super) fn without_scheme(self) -> AddressError {
        AddressError {
            kind: self,
            scheme: None,
        }
    }
}

impl std::error::Error for AddressError {}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)?;
        match (self.scheme, &self.kind) {
            // These messages already contain the correct form.
            (None, AddressErrorKind::AmbiguousEndpoint(_) | AddressErrorKind::Device(_)) => Ok(()),
            (None, _) => {
                let examples = Scheme::ALL.map(Scheme::example);
                write!(
                    f,
                    "; sources are {} and paths of files",
                    examples.join(", ")
                )
            }
            (Some(scheme), _) => {
                let (form, example) = (scheme.syntax(), scheme.example());
                write!(f, "; write {form}, such as {example}")
            }
        }
    }
}

/// Similar names: `; did you mean tcp or stdin?`.
struct Suggestions<'a>(&'a [String]);

impl fmt::Display for Suggestions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => Ok(()),
            words => write!(f, "; did you mean {}?", words.join(" or ")),
        }
    }
}
