//! The files of archives and wheels.

use super::VERSION;
use super::components::{components, cyclonedx, license_texts};
use super::platform::Platform;
use crate::{archives, recorders, shell};
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
const LICENSES: &str = "THIRD-PARTY-LICENSES.txt";
const COMPONENTS: &str = "components.cdx.json";

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
    let components = components(platform)?;
    fs::write(folder.join(LICENSES), license_texts(&components))?;
    let list = serde_json::to_string_pretty(&cyclonedx(&components, VERSION))?;
    fs::write(folder.join(COMPONENTS), list)?;
    recorders::unpack_packages(&folder.join("recorders"))
}

/// Writes the files of a wheel, but for the list of its files, from those of an archive.
pub(super) fn write_wheel(archive: &Path, folder: &Path, tag: &str) -> anyhow::Result<()> {
    let [data, information] =
        ["data", "dist-info"].map(|kind| folder.join(format!("rtoscope-{VERSION}.{kind}")));
    let scripts = data.join("scripts");
    let [licenses, lists] = ["licenses", "sboms"].map(|name| information.join(name));
    for folder in [&scripts, &licenses, &lists] {
        fs::create_dir_all(folder)?;
    }
    for file in fs::read_dir(archive)? {
        let path = file?.path();
        let name = path.file_name().context("a file has a name")?;
        let to = match name.to_str() {
            Some(COMPONENTS) => &lists,
            Some(LICENSES | "LICENSE-MIT" | "LICENSE-APACHE") => &licenses,
            Some("README.md" | "CHANGELOG.md") => continue,
            _ if path.is_dir() => continue,
            _ => &scripts,
        };
        fs::copy(&path, to.join(name)).with_context(|| path.display().to_string())?;
    }
    archives::copy(&archive.join("share"), &data.join("data/share"))?;
    let readme = fs::read_to_string(archive.join("README.md"))?;
    let metadata = format!(
        "Metadata-Version: 2.4\n\
         Name: rtoscope\n\
         Version: {VERSION}\n\
         Summary: An oscilloscope for real-time operating systems\n\
         License-Expression: MIT OR Apache-2.0\n\
         License-File: LICENSE-MIT\n\
         License-File: LICENSE-APACHE\n\
         License-File: {LICENSES}\n\
         Project-URL: Source, {}\n\
         Requires-Python: >=3.8\n\
         Description-Content-Type: text/markdown\n\n{readme}",
        env!("CARGO_PKG_REPOSITORY")
    );
    fs::write(information.join("METADATA"), metadata)?;
    let tags = tag.rsplit_once('-').context("a tag has three parts")?;
    let tags: String = tags
        .1
        .split('.')
        .map(|platform| format!("Tag: {}-{platform}\n", tags.0))
        .collect();
    let wheel =
        format!("Wheel-Version: 1.0\nGenerator: rtoscope xtask\nRoot-Is-Purelib: false\n{tags}");
    Ok(fs::write(information.join("WHEEL"), wheel)?)
}
