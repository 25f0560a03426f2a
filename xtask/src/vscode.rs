//! The extension for Visual Studio Code: the page without a server, in an editor.

use crate::{cache, dist, npm, page, shell, web};
use anyhow::{Context as _, ensure};
use serde_json::Value;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// npm's package with the editor that the tests run, of the last version for Node.js 20.
const CODE_SERVER: (&str, &str) = ("code-server", "4.100.3");

/// Files of the repository in the package.
const TEXTS: [(&str, &str); 5] = [
    ("web/vscode/README.md", "README.md"),
    ("web/vscode/icon.png", "icon.png"),
    ("CHANGELOG.md", "CHANGELOG.md"),
    ("LICENSE-MIT", "LICENSE-MIT.txt"),
    ("LICENSE-APACHE", "LICENSE-APACHE.txt"),
];

const LICENSES: &str = "THIRD-PARTY-LICENSES.txt";

const CONTENT_TYPES: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension="bin" ContentType="application/octet-stream"/>
  <Default Extension="css" ContentType="text/css"/>
  <Default Extension="js" ContentType="application/javascript"/>
  <Default Extension="json" ContentType="application/json"/>
  <Default Extension="md" ContentType="text/markdown"/>
  <Default Extension="png" ContentType="image/png"/>
  <Default Extension="txt" ContentType="text/plain"/>
  <Default Extension="vsixmanifest" ContentType="text/xml"/>
</Types>
"#;

/// Builds the extension and prints where it is.
pub(crate) fn run() -> anyhow::Result<()> {
    let package = package()?;
    let size = fs::metadata(&package)?.len() as f64 / 1e6;
    eprintln!("{size:6.1} MB  {}", package.display());
    Ok(())
}

/// Runs the extension in Visual Studio Code's server, in a browser.
pub(crate) fn test() -> anyhow::Result<()> {
    let package = package()?;
    let mut command = web::npm(&["run", "vscode-test"]);
    command
        .env("RTOSCOPE_VSIX", package)
        .env("RTOSCOPE_CODE_SERVER", code_server()?)
        .env("CHROMIUM", web::browser()?);
    shell::run(&mut command)
}

/// Builds the extension; returns the path of its package.
fn package() -> anyhow::Result<PathBuf> {
    let module = page::build_module()?;
    web::install()?;
    let folder = shell::target()?.join("vscode");
    let staging = folder.join("staging");
    match fs::remove_dir_all(&staging) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }
    let extension = staging.join("extension");
    let mut host = web::npm(&["run", "vscode"]);
    shell::run(host.env("RTOSCOPE_WEB_OUT", &extension))?;
    page::build_page("editor", &module, &extension.join("page"))?;
    for (from, to) in TEXTS {
        fs::copy(shell::root().join(from), extension.join(to)).context(from)?;
    }
    fs::write(extension.join(LICENSES), dist::page_licenses()?)?;
    let manifest = fs::read(extension.join("package.json"))?;
    let manifest = package_manifest(&serde_json::from_slice(&manifest)?)?;
    fs::write(staging.join("extension.vsixmanifest"), manifest)?;
    fs::write(staging.join("[Content_Types].xml"), CONTENT_TYPES)?;
    let package = folder.join(format!("rtoscope-{VERSION}.vsix"));
    dist::zip(&staging, &package)?;
    Ok(package)
}

/// What a gallery reads of the extension's `package.json`.
fn package_manifest(extension: &Value) -> anyhow::Result<String> {
    let text = |path: &str| {
        let value = extension.pointer(path).and_then(Value::as_str);
        value.with_context(|| format!("web/vscode/package.json has no {path}"))
    };
    let list = |name: &str| {
        let all = extension.get(name).and_then(Value::as_array);
        let all = all.into_iter().flatten().filter_map(Value::as_str);
        all.collect::<Vec<_>>().join(",")
    };
    let version = text("/version")?;
    ensure!(
        version == VERSION,
        "web/vscode/package.json has version {version}, not {VERSION}"
    );
    let assets = [
        ("Microsoft.VisualStudio.Code.Manifest", "package.json"),
        (
            "Microsoft.VisualStudio.Services.Content.Details",
            "README.md",
        ),
        (
            "Microsoft.VisualStudio.Services.Content.Changelog",
            "CHANGELOG.md",
        ),
        (
            "Microsoft.VisualStudio.Services.Content.License",
            "LICENSE-MIT.txt",
        ),
        ("Microsoft.VisualStudio.Services.Icons.Default", "icon.png"),
    ];
    let assets: String = assets
        .map(|(kind, path)| {
            format!("    <Asset Type=\"{kind}\" Path=\"extension/{path}\" Addressable=\"true\"/>\n")
        })
        .concat();
    Ok(format!(
        r#"<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="{name}" Version="{VERSION}" Publisher="{publisher}"/>
    <DisplayName>{title}</DisplayName>
    <Description xml:space="preserve">{description}</Description>
    <Tags>{tags},__web_extension</Tags>
    <Categories>{categories}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="{engine}"/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace,web"/>
      <Property Id="Microsoft.VisualStudio.Services.Links.Source" Value="{source}"/>
    </Properties>
    <License>extension/LICENSE-MIT.txt</License>
    <Icon>extension/icon.png</Icon>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
{assets}  </Assets>
</PackageManifest>
"#,
        name = text("/name")?,
        publisher = text("/publisher")?,
        title = text("/displayName")?,
        description = text("/description")?,
        tags = list("keywords"),
        categories = list("categories"),
        engine = text("/engines/vscode")?,
        source = text("/repository/url")?,
    ))
}

/// The server of the editor, installed into the cache. Its modules in C++ are for terminals and
/// log files: without them, it needs no compiler.
fn code_server() -> anyhow::Result<PathBuf> {
    let (name, version) = CODE_SERVER;
    let folder = cache::version_folder("editors", name, version)?;
    let server = folder.join("node_modules").join(name).join("lib/vscode");
    let is_complete = folder.join("complete");
    if !is_complete.exists() {
        npm_install(&folder, &[&format!("{name}@{version}")])?;
        npm_install(&server, &[])?;
        fs::write(is_complete, "")?;
    }
    Ok(server.join("out/server-main.js"))
}

fn npm_install(folder: &Path, packages: &[&str]) -> anyhow::Result<()> {
    let install = [
        "install",
        "--ignore-scripts",
        "--omit=dev",
        "--no-audit",
        "--no-fund",
        "--prefix",
    ];
    let mut command = shell::program(npm::NPM, &install);
    shell::run(command.arg(folder).args(packages).current_dir(folder))
}
