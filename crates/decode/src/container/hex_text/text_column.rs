/// Splits what follows the address of an `xxd` line: two blanks stand between
/// its bytes and its text.
pub(super) fn split(line: &[u8]) -> (&[u8], &[u8]) {
    let skipped = line.len() - line.trim_ascii_start().len();
    let behind = line.get(skipped..).unwrap_or_default();
    let end = behind.windows(2).position(|pair| pair == b"  ");
    end.and_then(|end| line.split_at_checked(skipped + end))
        .unwrap_or((line, &[]))
}

/// Refuses a line whose text, one character a byte, shows others than its bytes:
/// its digits are words in the other order (`xxd -e`), binary (`xxd -b`), or
/// damaged.
pub(super) fn check_text(bytes: &[u8], text: &[u8]) -> Result<(), String> {
    // Blanks at either end of the text cannot be told from those around it.
    let shown = trim_spaces(text);
    let expected = trim_spaces(bytes);
    // Tools differ in what they print for control characters.
    let is_other = |(shown, byte): (&u8, &u8)| {
        *shown != b'.' && byte.is_ascii_graphic() && shown.is_ascii_graphic() && shown != byte
    };
    let fits = shown.len() == expected.len() && !shown.iter().zip(expected).any(is_other);
    if fits || shown.is_empty() {
        return Ok(());
    }
    Err(format!(
        "its text '{}' does not show its {} bytes",
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
