//! The quick checks of a change: all that the tests check, but for slow tests and for what runs
//! in emulators, browsers and other tools.

use crate::{bless, book, dependencies, fleet, shell, test, web, words, workspace};
use anyhow::{Context as _, bail};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::thread;

/// The package through which tests read files outside their own packages.
const FIXTURES: &str = "rtoscope-fixtures";

/// Branches that changes are compared with; the first one that exists.
const MAIN_BRANCHES: [&str; 2] = ["origin/main", "main"];

/// Folders with checks of their own in `cargo xtask test`.
const APART: [&str; 6] = ["crates/sql", "docs", "firmware", "fleet", "interop", "web"];

/// Folders of the workspace with the database engine, which takes minutes to build once.
const FLEET: [&str; 2] = ["crates/sql", "fleet"];

pub(crate) fn run() -> anyhow::Result<()> {
    let changed = changed_files()?;
    test::format()?;
    thread::scope(|scope| {
        // Neither keeps the other from being reported.
        let texts = scope.spawn(|| check_texts(&changed));
        let code = check_code(&changed);
        let texts = texts.join();
        texts.unwrap_or_else(|_| bail!("the check of texts panicked"))?;
        code
    })
}

/// Lints, documentation and tests.
fn check_code(changed: &[PathBuf]) -> anyhow::Result<()> {
    let packages = Package::all()?;
    let touched = touched(&packages, changed);
    if !touched.is_empty() {
        bless::renew()?;
        workspace::lint()?;
        workspace::run_fast_tests(&touched)?;
    }
    if changed.iter().any(|file| file.starts_with("web")) {
        web::test()?;
    }
    if changed
        .iter()
        .any(|file| FLEET.iter().any(|folder| file.starts_with(folder)))
    {
        fleet::test_sql()?;
    }
    Ok(())
}

/// Words, dependencies, and the book with its links.
fn check_texts(changed: &[PathBuf]) -> anyhow::Result<()> {
    words::test()?;
    dependencies::unused()?;
    match changed
        .iter()
        .any(|file| file.extension() == Some("md".as_ref()))
    {
        true => book::test(),
        false => Ok(()),
    }
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
        assert_eq!(touched(&["testdata/rkh/a.bin"]), ["cli", FIXTURES]);
        assert!(touched(&["web/src/main.tsx", "docs/src/SUMMARY.md"]).is_empty());
    }
}
