use rtoscope_wire::rkh::config;
use std::fmt;

/// Why a file gives no configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigurationError {
    /// The line, counted from 1, if it is one line's fault.
    pub line: Option<u64>,
    /// What is wrong.
    pub problem: ConfigurationProblem,
}

/// What is wrong with a file or one of its lines.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigurationProblem {
    /// It is no text.
    #[error("the bytes are no UTF-8 text")]
    NotText,
    /// It is not written as JSON or TOML is.
    #[error("{0}")]
    Syntax(String),
    /// A line is neither empty nor a comment nor a setting.
    #[error("{0:?} is no setting, expected KEY = number")]
    NotASetting(String),
    /// There is no such setting.
    #[error("there is no setting {0:?}")]
    UnknownKey(String),
    /// The value is no number.
    #[error("{value} is no value of {key}, expected a number")]
    NotANumber {
        /// The setting.
        key: String,
        /// What stands there.
        value: String,
    },
    /// The value cannot be.
    #[error(transparent)]
    Value(#[from] config::ConfigurationError),
    /// The version is none of RKH's.
    #[error("{0:?} is no version of RKH whose records are known")]
    Dialect(String),
    /// There is not one setting.
    #[error("there is no setting of a stream in it")]
    Empty,
}

impl ConfigurationError {
    pub(super) fn new(line: Option<u64>, problem: ConfigurationProblem) -> Self {
        Self { line, problem }
    }
}

impl fmt::Display for ConfigurationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        self.problem.fmt(f)
    }
}

impl std::error::Error for ConfigurationError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        // The problem itself is part of the message.
        self.problem.source()
    }
}
