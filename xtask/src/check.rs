//! The quick checks of a change: format, lints, documentation, and the tests of the
//! packages that it touches and of those that depend on them.

use crate::workspace::{self, Selection};
use crate::{bless, shell, test, web, words};
use anyhow::Context as _;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The package through which tests read files outside their own packages.
const FIXTURES: &str = "rtoscope-fixtures";

/// Branches that changes are compared with; the first one that exists.
const MAIN_BRANCHES: [&str; 2] = ["origin/main", "main"];

/// Folders with checks of their own in `cargo xtask test`.
const APART: [&str; 3] = ["web", "firmware", "interop"];

pub(crate) fn run() -> anyhow::Result<()> {
    let changed = changed_files()?;
    let packages = Package::all()?;
    let touched = touched(&packages, &changed);
    test::format()?;
    // A word does not keep the tests from running.
    let words = words::test();
    if !touched.is_empty() {
        bless::renew()?;
        workspace::build(Selection::WithoutSql)?;
        let mut programs = workspace::test_programs(Selection::WithoutSql)?;
        programs.retain(|program| touched.contains(program.package.as_str()));
        workspace::run_tests(programs)?;
    }
    if changed.iter().any(|file| file.starts_with("web")) {
        web::test()?;
    }
    words
}

/// A package of the workspace.
#[derive(Debug, Deserialize)]
struct Package {
    name: String,
    manifest_path: PathBuf,
    dependencies: Vec<Dependency>,
}

#[derive(Debug, Deserialize)]
struct Dependency {
    name: String,
}

impl Package {
    fn all() -> anyhow::Result<Vec<Self>> {
        #[derive(Deserialize)]
        struct Metadata {
            packages: Vec<Package>,
        }
        let metadata = ["metadata", "--no-deps", "--format-version", "1"];
        let metadata = shell::output(&mut shell::cargo(&metadata))?;
        let mut metadata: Metadata = serde_json::from_slice(&metadata)?;
        for package in &mut metadata.packages {
            let path = &mut package.manifest_path;
            let relative = path.strip_prefix(shell::root())?.to_owned();
            *path = relative;
        }
        Ok(metadata.packages)
    }

    fn contains(&self, file: &Path) -> bool {
        let folder = self.manifest_path.parent();
        folder.is_some_and(|folder| file.starts_with(folder))
    }

    fn depends_on_any(&self, names: &BTreeSet<&str>) -> bool {
        let mut dependencies = self.dependencies.iter();
        dependencies.any(|dependency| names.contains(dependency.name.as_str()))
    }
}

/// The names of the packages that changed files belong to, and of all that depend on them.
fn touched<'a>(packages: &'a [Package], changed: &[PathBuf]) -> BTreeSet<&'a str> {
    let mut touched = BTreeSet::new();
    for file in changed {
        let owner = packages.iter().find(|package| package.contains(file));
        match owner {
            Some(package) => _ = touched.insert(package.name.as_str()),
            None if APART.iter().any(|folder| file.starts_with(folder)) => {}
            None => _ = touched.insert(FIXTURES),
        }
    }
    loop {
        let before = touched.len();
        for package in packages {
            if package.depends_on_any(&touched) {
                touched.insert(package.name.as_str());
            }
        }
        if touched.len() == before {
            return touched;
        }
    }
}

/// All files that differ from the main branch, committed or not, relative to the root.
fn changed_files() -> anyhow::Result<Vec<PathBuf>> {
    let exists = |branch: &&str| {
        let verify = ["rev-parse", "--quiet", "--verify", branch];
        shell::output(&mut shell::program("git", &verify)).is_ok()
    };
    let main = MAIN_BRANCHES.into_iter().find(exists).unwrap_or("HEAD");
    let base = git(&["merge-base", "HEAD", main])?;
    let base = base.first().context("no common commit")?;
    let mut files = git(&["diff", "--name-only", base])?;
    files.extend(git(&["ls-files", "--others", "--exclude-standard"])?);
    Ok(files.into_iter().map(PathBuf::from).collect())
}

/// The lines that a Git command prints.
fn git(arguments: &[&str]) -> anyhow::Result<Vec<String>> {
    // Otherwise, names that are not ASCII would be escaped.
    let arguments = [&["-c", "core.quotePath=false"], arguments].concat();
    let printed = shell::output(&mut shell::program("git", &arguments))?;
    let printed = String::from_utf8_lossy(&printed);
    Ok(printed.lines().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, folder: &str, dependencies: &[&str]) -> Package {
        let dependencies = dependencies.iter().map(|name| Dependency {
            name: (*name).to_owned(),
        });
        Package {
            name: name.to_owned(),
            manifest_path: Path::new(folder).join("Cargo.toml"),
            dependencies: dependencies.collect(),
        }
    }

    #[test]
    fn dependents_of_changed_packages_are_tested() {
        let packages = [
            package("wire", "crates/wire", &[]),
            package("record", "crates/record", &["wire"]),
            package("record-c", "crates/record-c", &["record"]),
            package(FIXTURES, "crates/fixtures", &[]),
            package("cli", "crates/cli", &[FIXTURES, "serde"]),
        ];
        let touched = |files: &[&str]| {
            let files: Vec<_> = files.iter().map(PathBuf::from).collect();
            let touched = touched(&packages, &files);
            touched.into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(
            touched(&["crates/wire/src/lib.rs"]),
            ["record", "record-c", "wire"]
        );
        assert_eq!(touched(&["crates/record-c/src/lib.rs"]), ["record-c"]);
        assert_eq!(touched(&["docs/src/SUMMARY.md"]), ["cli", FIXTURES]);
        assert!(touched(&["web/src/main.tsx", "firmware/Cargo.toml"]).is_empty());
    }
}
