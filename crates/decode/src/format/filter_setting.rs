//! Settings of the filter of a running target.

/// Why a setting for the filter of a running target cannot be sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FilterSettingError {
    /// It is not a name with `=on` or `=off`.
    #[error("`{0}`: expected NAME=on or NAME=off, such as {1}=on")]
    Syntax(String, &'static str),
    /// The filter has nothing of that name.
    #[error(
        "the filter has no `{name}`{}; expected {expected}",
        DidYouMean(.closest)
    )]
    UnknownName {
        /// The name.
        name: String,
        /// The names that exist, in words.
        expected: &'static str,
        /// Similar names, the most similar first.
        closest: Vec<String>,
    },
    /// A number is missing, or exceeds its range.
    #[error("`{name}`: expected a number up to {max}, or *")]
    Number {
        /// The name.
        name: String,
        /// The maximum.
        max: u32,
    },
}

/// Splits a setting, `NAME=on` or `NAME=off`, into the name and whether it is on; `example` is a
/// name that the error shows.
pub(crate) fn split_setting<'a>(
    setting: &'a str,
    example: &'static str,
) -> Result<(&'a str, bool), FilterSettingError> {
    let syntax = || FilterSettingError::Syntax(setting.to_owned(), example);
    let (name, switch) = setting.rsplit_once('=').ok_or_else(syntax)?;
    match switch.trim().to_ascii_lowercase().as_str() {
        "on" => Ok((name.trim(), true)),
        "off" => Ok((name.trim(), false)),
        _ => Err(syntax()),
    }
}

/// Similar names: `; did you mean SM or SMA?`.
struct DidYouMean<'a>(&'a [String]);

impl std::fmt::Display for DidYouMean<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            [] => Ok(()),
            names => write!(f, ", did you mean {}?", names.join(" or ")),
        }
    }
}
