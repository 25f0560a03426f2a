//! What is wrong with addresses.

use super::Scheme;
use std::fmt;

/// What is wrong with an address, and how it should be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressError {
    /// What is wrong.
    pub kind: AddressErrorKind,
    /// The kind of source that is meant, if the address says.
    pub scheme: Option<Scheme>,
}

/// What is wrong with an address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddressErrorKind {
    /// There is none.
    #[error("the address of the source is empty")]
    Empty,
    /// It begins with a word and a colon, but not one that is known.
    #[error("`{scheme}` is no kind of source{}", Suggestions(closest))]
    UnknownScheme {
        /// The word.
        scheme: String,
        /// Words that could have been meant.
        closest: Vec<String>,
    },
    /// It is a host and a port, but not who connects to whom.
    #[error(
        "`{0}` does not say who connects: write tcp://{0} to connect to it, or \
         tcp-listen://{0} to be connected to"
    )]
    AmbiguousEndpoint(String),
    /// It is a device and not a file.
    #[error("`{0}` is a device: write serial://{0}, with ?baud=NUMBER behind it")]
    Device(String),
    /// There is no host.
    #[error("there is no host")]
    NoHost,
    /// It is no name and no address of a host.
    #[error("`{0}` cannot be a host: expected a name or an address, of IPv6 in brackets")]
    BadHost(String),
    /// There is no port.
    #[error("there is no port behind `{0}`")]
    NoPort(String),
    /// It is not a port's number.
    #[error("`{port}` is no port: expected a number from {min} to 65535")]
    BadPort {
        /// What stands there.
        port: String,
        /// The least number of a port there.
        min: u16,
    },
    /// Something stands where nothing may.
    #[error("nothing may stand there: `{0}`")]
    Trailing(String),
    /// There is no path of a file or device.
    #[error("there is no {0}")]
    NoPath(&'static str),
    /// There is no such option.
    #[error("`{name}` is no option of it{}", Suggestions(closest))]
    UnknownOption {
        /// Its name.
        name: String,
        /// Names that could have been meant.
        closest: Vec<String>,
    },
    /// An option is given twice.
    #[error("`{0}` is given twice")]
    Repeated(String),
    /// Two options that exclude each other are given.
    #[error("`{0}` and `{1}` exclude each other")]
    Conflict(&'static str, &'static str),
    /// An option has a value that it cannot have.
    #[error("`{name}={value}`: expected {expected}")]
    BadValue {
        /// The option.
        name: &'static str,
        /// Its value.
        value: String,
        /// What it can be.
        expected: &'static str,
    },
    /// A `%` does not begin an escape.
    #[error("`{0}` is no escaped byte: expected % and two hexadecimal digits")]
    BadEscape(String),
    /// Escaped bytes are no text.
    #[error("the escaped bytes of `{0}` are no UTF-8")]
    NotUtf8(String),
}

impl AddressErrorKind {
    pub(super) fn with_scheme(self, scheme: Scheme) -> AddressError {
        AddressError {
            kind: self,
            scheme: Some(scheme),
        }
    }

    /// Before the kind of source is known.
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
            // These say themselves what to write.
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

/// Words that could have been meant: `; did you mean tcp or stdin?`.
struct Suggestions<'a>(&'a [String]);

impl fmt::Display for Suggestions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => Ok(()),
            words => write!(f, "; did you mean {}?", words.join(" or ")),
        }
    }
}
