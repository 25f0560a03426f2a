//! Archives and wheels of the command, for machines without Rust and Node.js.

mod components;
mod contents;
mod install;
mod platform;
mod wheel;

use crate::toolchain;
use crate::{archives, packages, shell, web};
use anyhow::{Context as _, ensure};
use clap::Args;
use components::{license_texts, page_components};
use platform::{PLATFORMS, Platform};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

pub(crate) use install::test;
pub(crate) use wheel::Wheel;

const VERSION: &str = env!("CARGO_PKG_VERSION");

#[derive(Args)]
pub(crate) struct DistArgs {
    /// Rust target of the command; all without this option
    #[arg(long = "target", value_name = "TARGET")]
    targets: Vec<String>,

    /// The program for SQL, built for the target, to add to its archive and wheel
    #[arg(long, value_name = "FILE", requires = "targets")]
    sql: Option<PathBuf>,
}

/// What is made for a platform.
struct Packages {
    archive: PathBuf,
    /// That with the Python package last; pip prefers it.
    wheels: Vec<PathBuf>,
}

/// Makes the archives and wheels of the given targets, or of all.
pub(crate) fn run(arguments: &DistArgs) -> anyhow::Result<()> {
    let DistArgs { targets, sql } = arguments;
    for name in targets {
        let is_known = PLATFORMS.iter().any(|platform| platform.target == name);
        ensure!(is_known, "no archive is made for {name}");
    }
    ensure!(
        sql.is_none() || targets.len() == 1,
        "--sql needs a single target"
    );
    for platform in &PLATFORMS {
        if targets.is_empty() || targets.iter().any(|name| name == platform.target) {
            let made = platform.package(sql.as_deref()).context(platform.target)?;
            for path in made.wheels.iter().chain([&made.archive]) {
                let size = fs::metadata(path)?.len() as f64 / 1e6;
                eprintln!("{size:6.1} MB  {}", path.display());
            }
        }
    }
    Ok(())
}

impl Platform {
    /// Builds the command, and makes its archive, its wheel, and an archive of its debug
    /// information.
    fn package(&self, sql: Option<&Path>) -> anyhow::Result<Packages> {
        web::install()?;
        let command = self.build()?;
        let folder = toolchain::folder()?.join("dist");
        let stem = format!("rtoscope-{VERSION}-{}", self.target);
        let staging = folder.join("staging");
        match fs::remove_dir_all(&staging) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
        let [archive, debug] = ["archive", "debug"].map(|name| staging.join(name));
        let [contents, symbols] = [&archive, &debug].map(|folder| folder.join(&stem));
        for folder in [&contents, &symbols] {
            fs::create_dir_all(folder)?;
        }
        for program in [Some(command.as_path()), sql].into_iter().flatten() {
            let name = program.file_name().context("a program has a name")?;
            let symbols = symbols.join(format!("{}.debug", name.to_string_lossy()));
            self.strip(program, &contents.join(name), &symbols)?;
        }
        contents::write(self, &contents)?;
        let mut tags = vec![(format!("py3-none-{}", self.wheel_platform(&command)?), None)];
        if let Some(module) = self.build_module()? {
            let stripped = staging.join("_native.abi3.so");
            self.strip(&module, &stripped, &symbols.join("_native.abi3.so.debug"))?;
            let platform = self.module_platform(&command, &module)?;
            tags.push((format!("cp39-abi3-{platform}"), Some(stripped)));
        }

        let path = |suffix: &str| folder.join(format!("{stem}{suffix}"));
        fs::write(path("-debug.tar.gz"), archives::pack(&debug, &stem)?)?;
        let mut made = Packages {
            archive: path(if self.is_windows() { ".zip" } else { ".tar.gz" }),
            wheels: Vec::new(),
        };
        match self.is_windows() {
            true => zip(&archive, &made.archive)?,
            false => fs::write(&made.archive, archives::pack(&archive, &stem)?)?,
        }
        for (tag, module) in &tags {
            let wheel = Wheel {
                folder: &staging.join(tag),
                tag,
                module: module.as_deref(),
            };
            wheel.add_archive(&contents)?;
            if module.is_some() {
                let [lists, licenses] = wheel.component_folders()?;
                let packages = ["rtoscope", "rtoscope-python"];
                contents::write_components(self, &packages, &lists, &licenses)?;
            }
            wheel.finish()?;
            let path = folder.join(wheel.file_name());
            zip(wheel.folder, &path)?;
            made.wheels.push(path);
        }
        Ok(made)
    }
}

/// The licences of everything in the page without a server.
pub(crate) fn page_licenses() -> anyhow::Result<String> {
    Ok(license_texts(&page_components()?))
}

/// Writes a folder as a zip archive or as a wheel.
pub(crate) fn zip(folder: &Path, archive: &Path) -> anyhow::Result<()> {
    packages::require("python3", &["python3"])?;
    let mut zip = shell::program("python3", &["xtask/src/dist/zip.py"]);
    shell::run(zip.arg(folder).arg(archive))
}
