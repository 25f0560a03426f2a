//! A folder outside the checkout for what the checks install: tools, environments of Python and
//! npm's packages. It is safe to delete at any time.

use crate::shell;
use anyhow::Context as _;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Names the folder.
const VARIABLE: &str = "RTOSCOPE_CACHE";

/// How many versions of one thing are kept.
const KEPT_VERSIONS: usize = 3;

/// The folder: `RTOSCOPE_CACHE`, or `rtoscope` in the user's cache folder; the target folder if
/// there is none.
pub(crate) fn folder() -> anyhow::Result<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    if let Some(folder) = variable(VARIABLE) {
        return std::path::absolute(folder).context(VARIABLE);
    }
    let in_home = |folder: &str| Some(PathBuf::from(variable("HOME")?).join(folder));
    let caches = match std::env::consts::OS {
        "macos" => in_home("Library/Caches"),
        "windows" => variable("LOCALAPPDATA").map(PathBuf::from),
        _ => variable("XDG_CACHE_HOME").map_or_else(|| in_home(".cache"), |it| Some(it.into())),
    };
    caches.map_or_else(shell::target, |caches| Ok(caches.join("rtoscope")))
}

/// The folder of one version of something. Those used least recently are removed, and this one
/// counts as used now.
pub(crate) fn version_folder(kind: &str, name: &str, version: &str) -> anyhow::Result<PathBuf> {
    let folder = folder()?.join(kind).join(name);
    let wanted = folder.join(version);
    fs::create_dir_all(&wanted).with_context(|| wanted.display().to_string())?;
    fs::write(wanted.join(".used"), "").with_context(|| wanted.display().to_string())?;
    for old in least_recently_used(&folder)? {
        fs::remove_dir_all(&old).with_context(|| old.display().to_string())?;
    }
    Ok(wanted)
}

/// The versions beyond those that are kept.
fn least_recently_used(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut versions = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let used = fs::metadata(path.join(".used")).and_then(|file| file.modified());
        versions.push((used.unwrap_or(SystemTime::UNIX_EPOCH), path));
    }
    versions.sort();
    let surplus = versions.len().saturating_sub(KEPT_VERSIONS);
    Ok(versions
        .into_iter()
        .take(surplus)
        .map(|(_, path)| path)
        .collect())
}

/// A key for content: the same in all builds of this program by one compiler.
pub(crate) fn key(content: &[&[u8]]) -> String {
    let mut hasher = DefaultHasher::new();
    content.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn versions_used_least_recently_are_surplus() {
        let folder = std::env::temp_dir().join(format!("rtoscope-cache-{}", std::process::id()));
        for (age, version) in ["1.2", "1.0", "1.3", "1.1"].into_iter().enumerate() {
            let version = folder.join(version);
            fs::create_dir_all(&version).unwrap();
            let used = fs::File::create(version.join(".used")).unwrap();
            let days = Duration::from_secs(86_400 * age as u64);
            used.set_modified(SystemTime::now() - days).unwrap();
        }
        let found = least_recently_used(&folder).unwrap();
        let unmarked = folder.join("0.9");
        fs::create_dir_all(&unmarked).unwrap();
        let with_unmarked = least_recently_used(&folder).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(found, [folder.join("1.1")]);
        assert_eq!(with_unmarked, [unmarked, folder.join("1.1")]);
    }
}
