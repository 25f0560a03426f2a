//! Escaping for each text format.
//!
//! Every character that is not known to be plain in a format is written as a
//! character reference, so no text can be parsed as syntax.

use std::fmt::Write as _;

/// Escapes text for XML content and double-quoted attributes.
pub(crate) fn xml(text: &str) -> String {
    with_references(text, |letter| match letter {
        '<' => "&lt;",
        '>' => "&gt;",
        '"' => "&quot;",
        _ => "",
    })
}

/// Escapes text in double quotes for DOT: a backslash escapes, and HTML entities
/// are decoded.
pub(crate) fn dot(text: &str) -> String {
    with_references(text, |letter| match letter {
        '"' => "\\\"",
        '\\' => "\\\\",
        _ => "",
    })
}

/// Writes the characters for which `escape` gives a text, and ampersands, as such.
fn with_references(text: &str, escape: impl Fn(char) -> &'static str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match escape(letter) {
            "" if letter == '&' => safe.push_str("&amp;"),
            "" if is_xml(letter) => safe.push(letter),
            "" => safe.push('\u{FFFD}'),
            escaped => safe.push_str(escaped),
        }
    }
    safe
}

/// Whether XML 1.0 allows the character (production `Char`), without control
/// characters.
fn is_xml(letter: char) -> bool {
    !letter.is_control() && !matches!(letter, '\u{FFFE}' | '\u{FFFF}')
}

/// Escapes text for Mermaid: entities (`#59;`) for everything but letters, digits,
/// blanks and a few signs. The word `end` closes blocks anywhere, so it is broken
/// up.
pub(crate) fn mermaid(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let lower = text.to_ascii_lowercase();
    for (place, letter) in text.char_indices() {
        let keyword = lower
            .get(place..)
            .is_some_and(|rest| rest.starts_with("end"));
        if is_unescaped(letter, "(),.+-/=·×") && !keyword {
            safe.push(letter);
        } else {
            let _ = write!(safe, "#{};", u32::from(letter));
        }
    }
    or_blank(safe)
}

/// Escapes text for PlantUML: `<U+003B>` for everything but letters, digits, blanks
/// and a few signs.
pub(crate) fn plantuml(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut last = ' ';
    for letter in text.chars() {
        // Doubled signs are markup: `--struck--`, `//slanted//`.
        let markup = letter == last && "-/=._".contains(letter);
        if is_unescaped(letter, "(),.+-/=·×") && !markup {
            safe.push(letter);
        } else {
            let _ = write!(safe, "<U+{:04X}>", u32::from(letter));
        }
        last = letter;
    }
    or_blank(safe)
}

/// Escapes text in double quotes for Msc-generator: a backslash escapes, and starts
/// formats such as `\-`.
pub(crate) fn msc_generator(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        if matches!(letter, '"' | '\\' | '#' | '{' | '}' | '[' | ']' | ';') {
            safe.push('\\');
        }
        safe.push(if is_xml(letter) { letter } else { '\u{FFFD}' });
    }
    // It treats any backslash before the closing quotation mark as an escape.
    if safe.ends_with('\\') {
        safe.push(' ');
    }
    or_blank(safe)
}

fn is_unescaped(letter: char, signs: &str) -> bool {
    letter == ' ' || letter == '_' || letter.is_alphanumeric() || signs.contains(letter)
}

/// Replaces an empty text with a blank: most grammars do not accept an empty one.
fn or_blank(text: String) -> String {
    if text.is_empty() {
        " ".to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syntax_is_escaped() {
        assert_eq!(
            xml("a<b> & \"c\"\u{1}"),
            "a&lt;b&gt; &amp; &quot;c&quot;\u{FFFD}"
        );
        assert_eq!(mermaid("a;b: end"), "a#59;b#58; #101;nd");
        assert_eq!(mermaid("Üb#er\"}"), "Üb#35;er#34;#125;");
        assert_eq!(
            plantuml("<b>__x__\\n"),
            "<U+003C>b<U+003E>_<U+005F>x_<U+005F><U+005C>n"
        );
        assert_eq!(msc_generator("a\"; b\\n{"), "a\\\"\\; b\\\\n\\{");
        assert_eq!(msc_generator("a\\"), "a\\\\ ");
        assert_eq!(dot("\"\\N&lt;"), "\\\"\\\\N&amp;lt;");
        assert_eq!(
            [mermaid(""), plantuml(""), msc_generator("")],
            [" ", " ", " "]
        );
    }
}
