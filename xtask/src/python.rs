//! The Python package as it is developed and tested: with the dev profile's extension module.

use crate::dist::{self, Wheel};
use crate::{shell, workspace};
use anyhow::Context as _;
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

/// The tag of wheels for this machine and any Python from 3.9 on.
const PLATFORM: &str =
    "import sysconfig; print(sysconfig.get_platform().replace('-', '_').replace('.', '_'))";

/// Makes a folder that is an installation: whoever has it in `PYTHONPATH` can import the package,
/// and pytest finds its plugin.
pub(crate) fn install() -> anyhow::Result<PathBuf> {
    let folder = empty_folder("installed")?;
    let wheel = Wheel {
        folder: &folder,
        tag: "py3-none-any",
        module: Some(&build()?),
    };
    wheel.finish()?;
    Ok(folder)
}

/// Makes a wheel of the package and the command for this machine.
pub(crate) fn run() -> anyhow::Result<()> {
    let platform = shell::output(&mut shell::program("python3", &["-c", PLATFORM]))?;
    let folder = empty_folder("wheel")?;
    let wheel = Wheel {
        folder: &folder,
        tag: &format!("cp39-abi3-{}", String::from_utf8(platform)?.trim_end()),
        module: Some(&build()?),
    };
    wheel.add_program(&workspace::program("rtoscope")?)?;
    wheel.finish()?;
    let path = folder.with_file_name(wheel.file_name());
    dist::zip(&folder, &path)?;
    eprintln!("{}", path.display());
    Ok(())
}

/// Builds the extension module.
fn build() -> anyhow::Result<PathBuf> {
    workspace::library(&format!("{DLL_PREFIX}rtoscope_python{DLL_SUFFIX}"))
}

fn empty_folder(name: &str) -> anyhow::Result<PathBuf> {
    let folder = shell::target()?.join("python").join(name);
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            return Err(error).with_context(|| folder.display().to_string());
        }
        _ => {}
    }
    fs::create_dir_all(&folder)?;
    Ok(folder)
}
