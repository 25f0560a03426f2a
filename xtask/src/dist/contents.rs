//! The files of archives.

use super::VERSION;
use super::components::{components, cyclonedx, license_texts};
use super::platform::Platform;
use crate::{recorders, shell};
use anyhow::Context as _;
use std::fs;
use std::path::Path;

/// Where shells look for completions.
const COMPLETIONS: [(&str, &str); 4] = [
    ("bash", "bash-completion/completions/rtoscope"),
    ("zsh", "zsh/site-functions/_rtoscope"),
    ("fish", "fish/vendor_completions.d/rtoscope.fish"),
    ("powershell", "powershell/rtoscope.ps1"),
];

const TEXTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];
pub(super) const LICENSES: &str = "THIRD-PARTY-LICENSES.txt";
pub(super) const COMPONENTS: &str = "components.cdx.json";

/// Writes the files of an archive into a folder, which has the programs already.
pub(super) fn write(platform: &Platform, folder: &Path) -> anyhow::Result<()> {
    for name in TEXTS {
        fs::copy(shell::root().join(name), folder.join(name)).context(name)?;
    }
    let program = folder.join(platform.executable("rtoscope"));
    let write_printed = |arguments: &[&str], path: &str| -> anyhow::Result<()> {
        let path = folder.join("share").join(path);
        fs::create_dir_all(path.parent().context("no folder")?)?;
        let printed = shell::output(platform.runner(&program)?.args(arguments))?;
        Ok(fs::write(path, printed)?)
    };
    for (shell, path) in COMPLETIONS {
        write_printed(&["completions", shell], path)?;
    }
    write_printed(&["man"], "man/man1/rtoscope.1")?;
    write_components(platform, &["rtoscope"], folder, folder)?;
    recorders::unpack_packages(&folder.join("recorders"))
}

/// Writes the list of what packages consist of, and the licences.
pub(super) fn write_components(
    platform: &Platform,
    packages: &[&str],
    lists: &Path,
    licenses: &Path,
) -> anyhow::Result<()> {
    let components = components(platform, packages)?;
    fs::write(licenses.join(LICENSES), license_texts(&components))?;
    let list = serde_json::to_string_pretty(&cyclonedx(&components, VERSION))?;
    Ok(fs::write(lists.join(COMPONENTS), list)?)
}
