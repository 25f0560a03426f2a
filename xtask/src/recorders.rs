//! Tests of the recorders that the workspace's tests do not cover: the interleavings of
//! the lock-free log, and the packages of the crates for the target.

use crate::{packages, shell, toolchain};
use anyhow::{Context as _, ensure};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

const PACKAGE: [&str; 2] = ["--package", "rtoscope-record"];

/// The crates that firmware depends on.
const TARGET_PACKAGES: [&str; 3] = ["rtoscope-wire", "rtoscope-record", "rtoscope-record-c"];

pub(crate) fn test() -> anyhow::Result<()> {
    // Different atomic types: nothing built before can be reused.
    let mut interleavings = shell::cargo(&["test", "--lib", "interleavings"]);
    // Millions of interleavings.
    for package in ["loom", "generator", "rtoscope-record"] {
        let optimized = format!("profile.dev.package.{package}.opt-level=2");
        interleavings.args(["--config", &optimized]);
    }
    interleavings.args(PACKAGE).arg("--target-dir");
    interleavings.arg(toolchain::folder()?.join("loom"));
    shell::run(interleavings.env("RUSTFLAGS", "--cfg loom"))?;
    check_packages()
}

/// Builds the crates from their packages alone, which must contain a readme and the licences,
/// and depend on each other only unless the user enables a feature.
fn check_packages() -> anyhow::Result<()> {
    let target = toolchain::folder()?.join("packages");
    remove_earlier(&target)?;
    package(&target, &[])?;
    for name in TARGET_PACKAGES {
        let folder = target.join("package").join(format!("{name}-{VERSION}"));
        for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
            ensure!(
                folder.join(file).is_file(),
                "the package of {name} lacks {file}"
            );
        }
        let manifest = folder.join("Cargo.toml");
        let manifest = fs::read_to_string(&manifest).context(manifest.display().to_string())?;
        check_dependencies(name, &toml::from_str(&manifest)?)?;
    }
    Ok(())
}

/// Unpacks the packages into a folder, as a workspace from which CMake and cargo build.
pub(crate) fn unpack_packages(folder: &Path) -> anyhow::Result<()> {
    let target = toolchain::folder()?.join("unpacked-packages");
    package(&target, &["--no-verify"])?;
    let mut manifest = String::from("[workspace]\nresolver = \"2\"\nmembers = [\"*\"]\n\n");
    manifest += "[patch.crates-io]\n";
    for name in TARGET_PACKAGES {
        let to = folder.join(name);
        fs::create_dir_all(&to)?;
        let package = target.join(format!("package/{name}-{VERSION}.crate"));
        let mut unpack = shell::program("tar", &["--strip-components=1", "-xzf"]);
        shell::run(unpack.arg(package).arg("-C").arg(to))?;
        manifest += &format!("{name} = {{ path = \"{name}\" }}\n");
    }
    Ok(fs::write(folder.join("Cargo.toml"), manifest)?)
}

/// Packs the crates into the folder `package` of a target folder.
fn package(target: &Path, options: &[&str]) -> anyhow::Result<()> {
    let mut package = shell::cargo(&["package", "--allow-dirty", "--target-dir"]);
    package.arg(target).args(options);
    for name in TARGET_PACKAGES {
        package.args(["--package", name]);
    }
    shell::run(&mut package)
}

/// Removes what Cargo built and unpacked of earlier packages of the same version: it would take
/// these instead of the new ones.
fn remove_earlier(target: &Path) -> anyhow::Result<()> {
    let registries = fs::read_dir(packages::crate_sources()?)
        .into_iter()
        .flatten()
        .flatten();
    let unpacked = registries.flat_map(|registry| {
        TARGET_PACKAGES.map(|name| registry.path().join(format!("{name}-{VERSION}")))
    });
    for folder in unpacked.chain([target.to_owned()]) {
        match fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(error).context(folder.display().to_string());
            }
            _ => {}
        }
    }
    Ok(())
}

/// Fails if a package depends on a crate that users did not ask for.
fn check_dependencies(name: &str, manifest: &toml::Table) -> anyhow::Result<()> {
    let per_target = manifest.get("target").and_then(toml::Value::as_table);
    let tables = per_target
        .into_iter()
        .flatten()
        .map(|(_, table)| table.as_table());
    let tables = tables.chain([Some(manifest)]).flatten();
    let dependencies = tables.filter_map(|table| table.get("dependencies")?.as_table());
    for (dependency, options) in dependencies.flatten() {
        let is_optional = options.get("optional").and_then(toml::Value::as_bool) == Some(true);
        ensure!(
            is_optional || TARGET_PACKAGES.contains(&dependency.as_str()),
            "{name} depends on {dependency}"
        );
    }
    Ok(())
}

/// The version of all packages.
const VERSION: &str = env!("CARGO_PKG_VERSION");
