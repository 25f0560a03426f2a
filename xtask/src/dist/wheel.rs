//! Wheels: the command, and the Python package with its extension module.

use super::VERSION;
use super::contents::{COMPONENTS, LICENSES};
use crate::{archives, shell};
use anyhow::Context as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The sources of the package.
const PACKAGE: &str = "crates/python/rtoscope";

/// What pytest finds in an installation.
const ENTRY_POINTS: &str = "[pytest11]\nrtoscope = rtoscope.pytest_plugin\n";

/// What a wheel contains, but for the list of its files.
pub(crate) struct Wheel<'a> {
    pub(crate) folder: &'a Path,
    /// The interpreters and platforms, as in the name of its file.
    pub(crate) tag: &'a str,
    /// The extension module; without it, there is no Python package.
    pub(crate) module: Option<&'a Path>,
}

impl Wheel<'_> {
    /// The name of its file.
    pub(crate) fn file_name(&self) -> String {
        format!("rtoscope-{VERSION}-{}.whl", self.tag)
    }

    fn inner(&self, kind: &str) -> anyhow::Result<PathBuf> {
        let folder = self.folder.join(format!("rtoscope-{VERSION}.{kind}"));
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    /// Adds a program of the command line.
    pub(crate) fn add_program(&self, path: &Path) -> anyhow::Result<()> {
        copy_into(path, &self.inner("data/scripts")?)
    }

    /// Adds what is in an archive.
    pub(super) fn add_archive(&self, archive: &Path) -> anyhow::Result<()> {
        let [lists, licenses] = self.component_folders()?;
        for file in fs::read_dir(archive)? {
            let path = file?.path();
            let name = path.file_name().context("a file has a name")?;
            match name.to_str() {
                Some(COMPONENTS) => copy_into(&path, &lists)?,
                Some(LICENSES | "LICENSE-MIT" | "LICENSE-APACHE") => copy_into(&path, &licenses)?,
                Some("README.md" | "CHANGELOG.md") => {}
                _ if path.is_dir() => {}
                _ => self.add_program(&path)?,
            }
        }
        archives::copy(
            &archive.join("share"),
            &self.inner("data")?.join("data/share"),
        )
    }

    /// The folders of the list of components, and of their licences.
    pub(super) fn component_folders(&self) -> anyhow::Result<[PathBuf; 2]> {
        Ok([
            self.inner("dist-info/sboms")?,
            self.inner("dist-info/licenses")?,
        ])
    }

    /// Adds the Python package, if there is a module, and the metadata.
    pub(crate) fn finish(&self) -> anyhow::Result<()> {
        let information = self.inner("dist-info")?;
        if let Some(module) = self.module {
            let package = self.folder.join("rtoscope");
            fs::create_dir_all(&package)?;
            for file in fs::read_dir(shell::root().join(PACKAGE))? {
                let path = file?.path();
                if path.is_file() {
                    copy_into(&path, &package)?;
                }
            }
            let name = match module.extension().is_some_and(|it| it == "dll") {
                true => "_native.pyd",
                false => "_native.abi3.so",
            };
            fs::copy(module, package.join(name)).with_context(|| module.display().to_string())?;
            fs::write(information.join("entry_points.txt"), ENTRY_POINTS)?;
        }
        fs::write(information.join("METADATA"), self.metadata()?)?;
        let tags = self.tag.rsplit_once('-').context("a tag has three parts")?;
        let tags: String = tags
            .1
            .split('.')
            .map(|platform| format!("Tag: {}-{platform}\n", tags.0))
            .collect();
        let wheel = format!(
            "Wheel-Version: 1.0\nGenerator: rtoscope xtask\nRoot-Is-Purelib: false\n{tags}"
        );
        Ok(fs::write(information.join("WHEEL"), wheel)?)
    }

    fn metadata(&self) -> anyhow::Result<String> {
        let readme = fs::read_to_string(shell::root().join("README.md"))?;
        let licenses = match self.inner("dist-info")?.join("licenses").is_dir() {
            true => ["LICENSE-MIT", "LICENSE-APACHE", LICENSES].as_slice(),
            // Of a wheel that is not handed on.
            false => &[],
        };
        let licenses = licenses
            .iter()
            .map(|name| format!("License-File: {name}\n"));
        Ok(format!(
            "Metadata-Version: 2.4\n\
             Name: rtoscope\n\
             Version: {VERSION}\n\
             Summary: An oscilloscope for real-time operating systems\n\
             License-Expression: MIT OR Apache-2.0\n\
             {}\
             Project-URL: Source, {}\n\
             Classifier: Framework :: Pytest\n\
             Requires-Python: >=3.9\n\
             Description-Content-Type: text/markdown\n\n{readme}",
            licenses.collect::<String>(),
            env!("CARGO_PKG_REPOSITORY")
        ))
    }
}

fn copy_into(path: &Path, folder: &Path) -> anyhow::Result<()> {
    let name = path.file_name().context("a file has a name")?;
    fs::copy(path, folder.join(name)).with_context(|| path.display().to_string())?;
    Ok(())
}
