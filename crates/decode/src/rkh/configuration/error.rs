use rtoscope_wire::rkh::config;
use std::fmt;

/// Why a file has no valid configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigurationError {
    /// The line, counted from 1, if the error is in one line.
    pub line: Option<u64>,
    /// The problem.
    pub problem: ConfigurationProblem,
}

/// A problem with a file or one of its lines.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigurationProblem {
    /// It is not text.
    #[error("the bytes are not UTF-8 text")]
    NotText,
    /// It is not valid JSON or TOML.
    #[error("{0}")]
    Syntax(String),
    /// A line is neither empty nor a comment nor a setting.
    #[error("{0:?} is not a setting, expected KEY = number")]
    NotASetting(String),
    /// The setting does not exist.
    #[error("there is no setting {0:?}")]
    UnknownKey(String),
    /// The value is not a number.
    #[error("{value} is not a value of {key}, expected a number")]
    NotANumber {
        /// The setting.
        key: String,
        /// The value in the file.
        value: String,
    },
    /// The value is out of range.
    #[error(transparent)]
    Value(#[from] config::ConfigurationError),
    /// The version is not an RKH version.
    #[error("{0:?} is not a supported version of RKH")]
    Dialect(String),
    /// An option of RKH has an impossible value.
    #[error(
        "{value} is not a value of {option}, expected {}",
        expected_values(option)
    )]
    OptionValue {
        /// The option.
        option: &'static str,
        /// The value in the file.
        value: i64,
    },
    /// Parts of a firmware were compiled with different configurations.
    #[error("parts of the firmware have different values of {name}: {} and {}", values[0], values[1])]
    Conflict {
        /// The option.
        name: &'static str,
        /// Two of its values.
        values: [i64; 2],
    },
    /// An ELF file has no macros of RKH's configuration.
    #[error("the ELF file contains no macro of RKH's configuration: compile it with -g3")]
    NoMacros,
    /// There are no settings.
    #[error("it contains no setting of a stream")]
    Empty,
}

/// The values that an option of RKH can have.
fn expected_values(option: &str) -> &'static str {
    let mut keys = config::CONFIGURATION_KEYS.iter();
    match keys.any(|key| key.option == option && key.is_switch) {
        true => "0 or 1",
        false => "8, 16 or 32 bits",
    }
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
        // The message already contains the problem itself.
        self.problem.source()
    }
}
