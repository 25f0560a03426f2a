//! What the command consists of: crates, packages of npm in the page, and the libraries of the
//! languages.

use super::platform::Platform;
use crate::shell;
use crate::toolchain::{Toolchain, WASM};
use anyhow::{Context as _, ensure};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// A part of the command that others wrote.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Component {
    name: String,
    version: String,
    /// An expression of SPDX.
    license: String,
    /// Its kind and name for other tools, such as `pkg:cargo/serde@1.0.0`.
    purl: String,
    /// The texts of its licences, as it has them.
    texts: Vec<String>,
}

/// All components of the page without a server, by name.
pub(super) fn page_components() -> anyhow::Result<Vec<Component>> {
    let mut found = crates(WASM, &["rtoscope-web"])?;
    found.extend(npm_packages()?);
    found.push(rust_library(&Toolchain::find(WASM)?)?);
    found.sort();
    Ok(found)
}

/// All components of packages on a platform, by name.
pub(super) fn components(platform: &Platform, packages: &[&str]) -> anyhow::Result<Vec<Component>> {
    let mut found = crates(platform.target, packages)?;
    found.extend(npm_packages()?);
    found.extend(platform.libraries()?);
    found.sort();
    Ok(found)
}

/// The text with all licences.
pub(super) fn license_texts(components: &[Component]) -> String {
    let mut all = String::from(
        "rtoscope is licensed under MIT or Apache-2.0 (LICENSE-MIT, LICENSE-APACHE). It contains \
         these components:\n\n",
    );
    let mut users: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for component in components {
        let Component {
            name,
            version,
            license,
            texts,
            ..
        } = component;
        let _ = writeln!(all, "{name} {version}: {license}");
        for text in texts {
            users
                .entry(text.trim())
                .or_default()
                .push(format!("{name} {version}"));
        }
    }
    for (text, users) in users {
        let _ = write!(
            all,
            "\n{0}\n{1}\n{0}\n\n{text}\n",
            "-".repeat(80),
            users.join("\n")
        );
    }
    all
}

/// The list of components in CycloneDX's format.
pub(super) fn cyclonedx(components: &[Component], version: &str) -> Value {
    let listed = components.iter().map(|component| {
        json!({
            "type": "library",
            "bom-ref": component.purl,
            "name": component.name,
            "version": component.version,
            "licenses": [{ "expression": component.license }],
            "purl": component.purl,
        })
    });
    json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": "rtoscope",
                "name": "rtoscope",
                "version": version,
                "licenses": [{ "expression": "MIT OR Apache-2.0" }],
            },
        },
        "components": listed.collect::<Vec<_>>(),
    })
}

impl Component {
    /// A component that no package manager lists.
    pub(super) fn library(
        name: &str,
        version: &str,
        license: &str,
        text: &Path,
    ) -> anyhow::Result<Self> {
        let text = fs::read_to_string(text).with_context(|| text.display().to_string())?;
        Ok(Self {
            name: name.to_owned(),
            version: version.to_owned(),
            license: license.to_owned(),
            purl: format!("pkg:generic/{name}@{version}"),
            texts: vec![text],
        })
    }
}

/// The part of `cargo metadata` that is read.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    /// None of a package of this repository.
    source: Option<String>,
    manifest_path: PathBuf,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<DependencyKind>,
}

#[derive(Deserialize)]
struct DependencyKind {
    /// None of a normal one.
    kind: Option<String>,
}

/// Rust's standard library.
pub(super) fn rust_library(toolchain: &Toolchain) -> anyhow::Result<Component> {
    let (version, license) = (toolchain.version()?, "MIT OR Apache-2.0");
    Component::library("rust-std", &version, license, &toolchain.copyright()?)
}

/// The crates of packages for a target.
fn crates(target: &str, packages: &[&str]) -> anyhow::Result<Vec<Component>> {
    let arguments = [
        "metadata",
        "--format-version=1",
        "--locked",
        "--filter-platform",
        target,
    ];
    let metadata = shell::output(&mut shell::cargo(&arguments))?;
    let metadata: Metadata = serde_json::from_slice(&metadata)?;
    let nodes: BTreeMap<_, _> = metadata
        .resolve
        .nodes
        .iter()
        .map(|node| (&node.id, node))
        .collect();
    let roots = metadata.packages.iter();
    let roots = roots.filter(|package| packages.contains(&package.name.as_str()));
    let mut waiting: Vec<_> = roots.map(|package| &package.id).collect();
    ensure!(waiting.len() == packages.len(), "a package is missing");
    let mut reached = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        if reached.insert(id) {
            let dependencies = nodes.get(id).into_iter().flat_map(|node| &node.deps);
            let normal = dependencies.filter(|it| it.dep_kinds.iter().any(|it| it.kind.is_none()));
            waiting.extend(normal.map(|dependency| &dependency.pkg));
        }
    }
    let used = metadata
        .packages
        .iter()
        .filter(|package| reached.contains(&package.id));
    let others = used.filter(|package| package.source.is_some());
    others
        .map(|package| {
            let Package {
                name,
                version,
                license,
                manifest_path,
                ..
            } = package;
            let license = license
                .as_ref()
                .with_context(|| format!("{name} states no licence"))?;
            Ok(Component {
                name: name.clone(),
                version: version.clone(),
                // An older form of an expression.
                license: license.replace('/', " OR "),
                purl: format!("pkg:cargo/{name}@{version}"),
                texts: texts_in(manifest_path.parent().context("no folder")?)?,
            })
        })
        .collect()
}

/// The packages of npm that the page contains.
fn npm_packages() -> anyhow::Result<Vec<Component>> {
    #[derive(Deserialize)]
    struct Lock {
        packages: BTreeMap<String, Locked>,
    }
    #[derive(Deserialize)]
    struct Locked {
        version: Option<String>,
        license: Option<String>,
        #[serde(default)]
        dev: bool,
    }
    let web = shell::root().join("web");
    let lock: Lock = serde_json::from_slice(&fs::read(web.join("package-lock.json"))?)?;
    let used = lock
        .packages
        .into_iter()
        .filter(|(_, package)| !package.dev);
    let named = used.filter_map(|(path, package)| {
        let name = path.rsplit_once("node_modules/")?.1.to_owned();
        Some((name, path, package))
    });
    named
        .map(|(name, path, package)| {
            let version = package.version.with_context(|| name.clone())?;
            Ok(Component {
                license: package.license.with_context(|| name.clone())?,
                purl: format!("pkg:npm/{}@{version}", name.replace('@', "%40")),
                texts: texts_in(&web.join(path))?,
                name,
                version,
            })
        })
        .collect()
}

/// The texts of licences in a folder.
fn texts_in(folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut texts = Vec::new();
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    for entry in entries {
        let path = entry?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .to_uppercase();
        let is_license = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"]
            .iter()
            .any(|word| name.starts_with(word));
        if is_license && path.is_file() {
            texts.push(fs::read_to_string(&path).with_context(|| path.display().to_string())?);
        }
    }
    texts.sort();
    Ok(texts)
}
