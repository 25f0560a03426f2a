//! The identifier of a recording in the tables of a fleet.

/// Parses a `recording_id`, or the start of one; returns it in lower case. It has hexadecimal
/// digits only, so that it can be part of a file name or of SQL.
pub fn parse_recording_id(text: &str) -> Result<String, String> {
    let is_id = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    match is_id {
        true => Ok(text.to_ascii_lowercase()),
        false => Err("expected hexadecimal digits".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::parse_recording_id;

    #[test]
    fn identifiers_are_hexadecimal() {
        assert_eq!(parse_recording_id("76A2c3"), Ok("76a2c3".to_owned()));
        for bad in ["", "76a2%", "../76", "76' OR", "\u{661}"] {
            assert!(parse_recording_id(bad).is_err(), "{bad}");
        }
    }
}
