/// Splits the part of an `xxd` line after the address: two spaces separate the
/// bytes from the text.
pub(super) fn split(line: &[u8]) -> (&[u8], &[u8]) {
    let skipped = line.len() - line.trim_ascii_start().len();
    let following = line.get(skipped..).unwrap_or_default();
    let end = following.windows(2).position(|pair| pair == b"  ");
    end.and_then(|end| line.split_at_checked(skipped + end))
        .unwrap_or((line, &[]))
}

/// Rejects a line whose text column does not match its bytes: its digits are
/// words in the other byte order (`xxd -e`), binary (`xxd -b`), or damaged.
pub(super) fn check_text(bytes: &[u8], text: &[u8]) -> Result<(), String> {
    // Spaces at the ends of the text are indistinguishable from the surrounding
    // ones.
    let shown = trim_spaces(text);
    let expected = trim_spaces(bytes);
    // Tools print control characters differently.
    let is_other = |(shown, byte): (&u8, &u8)| {
        *shown != b'.' && byte.is_ascii_graphic() && shown.is_ascii_graphic() && shown != byte
    };
    let fits = shown.len() == expected.len() && !shown.iter().zip(expected).any(is_other);
    if fits || shown.is_empty() {
        return Ok(());
    }
    Err(format!(
        "its text '{}' does not match its {} bytes",
        shown.escape_ascii(),
        bytes.len()
    ))
}

fn trim_spaces(mut text: &[u8]) -> &[u8] {
    while let [b' ', rest @ ..] | [rest @ .., b' '] = text {
        text = rest;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stands_behind_two_blanks() {
        assert_eq!(
            split(b" 4254 5854  BT  "),
            (&b" 4254 5854"[..], &b"  BT  "[..])
        );
        assert_eq!(split(b" 4254"), (&b" 4254"[..], &b""[..]));
    }

    #[test]
    fn text_that_shows_other_bytes_is_noticed() {
        assert_eq!(check_text(b"BTXT\xFF\xFF", b"  BTXT.."), Ok(()));
        assert_eq!(check_text(b"BTXT", b""), Ok(()));
        assert_eq!(check_text(b"  T ", b"  T"), Ok(()));
        assert!(check_text(b"TXTB", b"  BTXT").is_err());
        assert!(check_text(&[1; 24], b"  BTXT..").is_err());
    }
}
