//! Options and escapes in addresses.

use super::AddressErrorKind;
use super::parse_number::parse_flag;
use rtoscope_trace::filter::closest;

/// The options of an address: `?name=value&name=value`.
pub(super) struct AddressOptions<'a> {
    values: Vec<(&'a str, &'a str)>,
    /// The options that the source supports.
    recognised: Vec<&'static str>,
}

impl<'a> AddressOptions<'a> {
    /// Splits an address into the part before the options, and the options.
    pub(super) fn split_options(text: &'a str) -> Result<(&'a str, Self), AddressErrorKind> {
        let (place, options) = text.split_once('?').unwrap_or((text, ""));
        let mut given: Vec<(&str, &str)> = Vec::new();
        for option in options.split('&').filter(|option| !option.is_empty()) {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            if given.iter().any(|(other, _)| *other == name) {
                return Err(AddressErrorKind::Repeated(name.to_owned()));
            }
            given.push((name, value));
        }
        let known = Vec::new();
        Ok((
            place,
            Self {
                values: given,
                recognised: known,
            },
        ))
    }

    /// Takes the value of an option, if given.
    pub(super) fn take(&mut self, name: &'static str) -> Result<Option<String>, AddressErrorKind> {
        self.recognised.push(name);
        let Some(index) = self.values.iter().position(|(given, _)| *given == name) else {
            return Ok(None);
        };
        unescape(self.values.remove(index).1).map(Some)
    }

    /// Takes and parses the value of an option.
    pub(super) fn take_parsed<T>(
        &mut self,
        name: &'static str,
        expected: &'static str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, AddressErrorKind> {
        let Some(value) = self.take(name)? else {
            return Ok(None);
        };
        match read(&value) {
            Some(read) => Ok(Some(read)),
            None => Err(AddressErrorKind::BadValue {
                name,
                value,
                expected,
            }),
        }
    }

    /// Takes the value of a boolean option.
    pub(super) fn take_flag(&mut self, name: &'static str) -> Result<bool, AddressErrorKind> {
        Ok(self
            .take_parsed(name, "0 or 1", parse_flag)?
            .unwrap_or_default())
    }

    /// Rejects unknown options.
    pub(super) fn finish(self) -> Result<(), AddressErrorKind> {
        match self.values.first() {
            None => Ok(()),
            Some((name, _)) => Err(AddressErrorKind::UnknownOption {
                name: (*name).to_owned(),
                closest: closest(name, self.recognised),
            }),
        }
    }
}

/// Decodes escaped bytes in a text.
pub(super) fn unescape(text: &str) -> Result<String, AddressErrorKind> {
    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let digits = part
            .get(..2)
            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let (Some(byte), Some(rest)) = (byte, part.get(2..)) else {
            let escape = part.chars().take(2).collect::<String>();
            return Err(AddressErrorKind::BadEscape(format!("%{escape}")));
        };
        bytes.push(byte);
        bytes.extend_from_slice(rest.as_bytes());
    }
    String::from_utf8(bytes).map_err(|_| AddressErrorKind::NotUtf8(text.to_owned()))
}

/// Escapes the characters that have a meaning in an address.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '%' | '?' | '#' | '&' => escaped.push_str(&format!("%{:02X}", u32::from(character))),
            _ if character.is_ascii_control() || character == ' ' => {
                escaped.push_str(&format!("%{:02X}", u32::from(character)));
            }
            _ => escaped.push(character),
        }
    }
    escaped
}
