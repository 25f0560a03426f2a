//! Escapes text from files for terminals.
//!
//! A name in a recording, a file's name or a message of a target may contain
//! control characters. Written as they are, they would move the cursor, forge a
//! line or send a command to the terminal. Everything that is not printable is
//! escaped: control characters (C0, DEL and C1, including U+009B), characters
//! that change the direction of text, invisible ones, and invalid UTF-8.

use std::fmt::{self, Write as _};
use std::path::Path;

/// Whether a character is displayed as itself, and affects only its own cell.
pub fn is_printable(character: char) -> bool {
    match character {
        ' '..='~' => true,
        _ => character.escape_debug().nth(1).is_none(),
    }
}

/// A text or a path on one line, with everything that is not printable escaped:
/// tab, return and line feed as `\t`, `\r`, `\n`, all else as `\xNN` per byte.
#[derive(Debug, Clone, Copy)]
pub struct Printable<'a>(&'a [u8]);

impl<'a> Printable<'a> {
    /// Any text.
    pub fn text(text: &'a str) -> Self {
        Self(text.as_bytes())
    }

    /// The name of a file.
    pub fn path(path: &'a (impl AsRef<Path> + ?Sized)) -> Self {
        let bytes = path.as_ref().as_os_str().as_encoded_bytes();
        // Windows puts this before the drive of a path whose links were followed.
        match bytes.strip_prefix(br"\\?\") {
            Some(rest @ [_, b':', ..]) if cfg!(windows) => Self(rest),
            _ => Self(bytes),
        }
    }
}

impl fmt::Display for Printable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            for character in chunk.valid().chars() {
                write_character(f, character)?;
            }
            write_bytes(f, chunk.invalid())?;
        }
        Ok(())
    }
}

/// Text with several lines: like [`Printable`], but line feeds stay.
pub fn multiline(text: &str) -> String {
    let mut printable = String::with_capacity(text.len());
    for character in text.chars() {
        // Writing to a `String` cannot fail.
        let _ = match character {
            '\n' => printable.write_char('\n'),
            other => write_character(&mut printable, other),
        };
    }
    printable
}

/// Writes a character, or its escape.
pub(crate) fn write_character(to: &mut impl fmt::Write, character: char) -> fmt::Result {
    match character {
        '\t' => to.write_str("\\t"),
        '\r' => to.write_str("\\r"),
        '\n' => to.write_str("\\n"),
        _ if is_printable(character) => to.write_char(character),
        _ => write_bytes(to, character.encode_utf8(&mut [0; 4]).as_bytes()),
    }
}

/// Writes bytes as `\xNN`.
pub(crate) fn write_bytes(to: &mut impl fmt::Write, bytes: &[u8]) -> fmt::Result {
    bytes
        .iter()
        .try_for_each(|byte| write!(to, "\\x{byte:02x}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn control_and_direction_characters_are_escaped() {
        let shown = |text| Printable::text(text).to_string();
        assert_eq!(shown("a\u{1b}[31mb\u{7}"), "a\\x1b[31mb\\x07");
        assert_eq!(shown("\u{7f}\u{9b}2J"), "\\x7f\\xc2\\x9b2J");
        assert_eq!(shown("\u{202e}\u{2066}"), "\\xe2\\x80\\xae\\xe2\\x81\\xa6");
        assert_eq!(shown("a\r\nb\t"), "a\\r\\nb\\t");
        assert_eq!(shown(r#"C:\Über "日本" it's"#), r#"C:\Über "日本" it's"#);
    }

    #[cfg(unix)]
    #[test]
    fn file_names_can_be_any_bytes() {
        use std::os::unix::ffi::OsStrExt as _;
        let name = std::ffi::OsStr::from_bytes(b"a\xff\n\x1b.trx");
        let shown = Printable::path(Path::new(name)).to_string();
        assert_eq!(shown, "a\\xff\\n\\x1b.trx");
    }

    proptest! {
        #[test]
        fn no_unprintable_character_remains(text in any::<String>()) {
            let shown = Printable::text(&text).to_string();
            prop_assert!(!shown.chars().any(char::is_control));
            let shown = multiline(&text);
            prop_assert!(shown.chars().all(|it| it == '\n' || !it.is_control()));
            prop_assert_eq!(shown.matches('\n').count(), text.matches('\n').count());
        }
    }
}
