//! One HTML file with recordings and the viewer, which decodes them in the browser.

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use std::io::{self, Error, Write};

/// A recording in the file.
pub struct SharedRecording {
    /// The name of its file.
    pub name: String,
    /// Options that decode it; they name files by [`SharedRecording::files`].
    pub options: Vec<String>,
    /// The recording, and the files that help to decode it.
    pub files: Vec<(String, Vec<u8>)>,
}

/// Where the page that `cargo xtask page` builds has its recordings.
const PLACE: &str = "id=\"recordings\">[]";

/// Writes a page with recordings.
///
/// # Errors
///
/// If the page has no place for recordings, or the output fails.
pub fn write(page: &str, recordings: &[SharedRecording], output: &mut dyn Write) -> io::Result<()> {
    let no_place = || Error::other("the page has no place for recordings; build it anew");
    let (head, tail) = page.split_once(PLACE).ok_or_else(no_place)?;
    let recordings: Vec<_> = recordings
        .iter()
        .map(|recording| {
            let files: io::Result<Vec<_>> = recording
                .files
                .iter()
                .map(|(name, bytes)| Ok(json!({ "name": name, "content": packed(bytes)? })))
                .collect();
            let SharedRecording { name, options, .. } = recording;
            Ok(json!({ "name": name, "options": options, "files": files? }))
        })
        .collect::<io::Result<_>>()?;
    // No text of a recording can end the element.
    let text = serde_json::to_string(&recordings)?.replace('<', "\\u003c");
    write!(output, "{head}id=\"recordings\">{text}{tail}")
}

/// The bytes, packed with gzip, in base64.
fn packed(bytes: &[u8]) -> io::Result<String> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    Ok(base64(&encoder.finish()?))
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let word = (0..3).fold(0_u32, |word, at| {
            word << 8 | u32::from(group.get(at).copied().unwrap_or(0))
        });
        for at in 0..4 {
            let digit = DIGITS[(word >> (18 - 6 * at) & 63) as usize];
            text.push(if at > group.len() { '=' } else { digit.into() });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_padded() {
        let texts = [
            ("", ""),
            ("f", "Zg=="),
            ("go", "Z28="),
            ("foo", "Zm9v"),
            ("foobar", "Zm9vYmFy"),
        ];
        for (bytes, text) in texts {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }

    #[test]
    fn no_name_ends_the_element() {
        let recording = SharedRecording {
            name: "</script><script>".to_owned(),
            options: vec!["--clock=25MHz".to_owned()],
            files: vec![("</script>".to_owned(), vec![1, 2, 3])],
        };
        let page = "<p><script id=\"recordings\">[]</script></p>";
        let mut output = Vec::new();
        write(page, &[recording], &mut output).unwrap();
        let text = String::from_utf8(output).unwrap();
        let content = text.strip_prefix("<p><script id=\"recordings\">").unwrap();
        let content = content.strip_suffix("</script></p>").unwrap();
        assert!(!content.contains('<'));
        let parsed: serde_json::Value = serde_json::from_str(content).unwrap();
        assert_eq!(parsed[0]["name"], "</script><script>");
        assert!(write("<p>", &[], &mut Vec::new()).is_err());
    }
}
