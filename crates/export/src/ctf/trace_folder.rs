//! Recognises folders that rtoscope wrote.

use super::SCHEDULE_FOLDER;
use std::fs;
use std::path::Path;

/// The first lines of our metadata.
pub(super) const METADATA_SIGNATURE: &str = "/* CTF 1.8 */\n\n/* Written by rtoscope. */\n";

/// The file name of a core's stream.
pub(super) fn stream_file(core: u8) -> String {
    format!("core_{core}")
}

/// Whether a folder contains nothing but the output of [`write`](super::write): one
/// trace, or one folder per trace.
pub fn is_ours(folder: &Path) -> bool {
    is_trace(folder) || all_entries(folder, |name, path| name != "metadata" && is_trace(path))
}

fn is_trace(folder: &Path) -> bool {
    let metadata = fs::read(folder.join("metadata"));
    metadata.is_ok_and(|text| text.starts_with(METADATA_SIGNATURE.as_bytes()))
        && all_entries(folder, |name, path| match name {
            "metadata" => path.is_file(),
            SCHEDULE_FOLDER => is_trace(path),
            other => {
                let core = other.strip_prefix("core_").unwrap_or_default();
                core.parse().is_ok_and(|core| stream_file(core) == other)
            }
        })
}

/// Whether a folder has entries, and all of them satisfy `are`.
fn all_entries(folder: &Path, are: impl Fn(&str, &Path) -> bool) -> bool {
    let Ok(entries) = fs::read_dir(folder) else {
        return false;
    };
    let mut entries = entries.peekable();
    entries.peek().is_some()
        && entries.all(|entry| {
            entry.is_ok_and(|entry| {
                let name = entry.file_name();
                name.to_str().is_some_and(|name| are(name, &entry.path()))
            })
        })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;

    #[test]
    fn only_own_folders_are_recognised() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path();
        assert!(!is_ours(folder), "empty");
        let put = |path: &str, text: &str| {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        put("a/metadata", METADATA_SIGNATURE);
        put("a/core_0", "");
        put("a/schedule/metadata", METADATA_SIGNATURE);
        put("a/schedule/core_3", "");
        assert!(is_ours(&folder.join("a")) && is_ours(folder));
        for foreign in [
            "a/notes.txt",
            "a/core_00",
            "a/core_999",
            "a/schedule/x",
            "b/x",
            "c",
        ] {
            put(foreign, "");
            assert!(!is_ours(folder), "{foreign}");
            fs::remove_file(folder.join(foreign)).unwrap();
            let _ = fs::remove_dir(folder.join("b"));
        }
        assert!(is_ours(folder));
        put("a/metadata", "/* CTF 1.8 */");
        assert!(!is_ours(folder), "another program's");
        assert!(!is_ours(&folder.join("a/metadata")), "no folder");
    }
}
