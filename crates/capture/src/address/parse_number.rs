//! Numbers in the options of addresses.

/// A number, decimal, or hexadecimal after `0x`.
pub(super) fn parse_number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => parse_digits(digits, 16),
        None => parse_digits(text, 10),
    }
}

/// A number without a sign.
pub(super) fn parse_digits(digits: &str, radix: u32) -> Option<u64> {
    let is_plain = digits.chars().all(|digit| digit.is_digit(radix));
    is_plain.then(|| u64::from_str_radix(digits, radix).ok())?
}

/// A boolean.
pub(super) fn parse_flag(text: &str) -> Option<bool> {
    match text {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    }
}
