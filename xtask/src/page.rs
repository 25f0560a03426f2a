//! The page that needs no server: the session in WebAssembly, for a web host or in one file.

use crate::toolchain::{self, Toolchain, WASM};
use crate::{shell, web};
use anyhow::{Context as _, ensure};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The profile in the workspace's manifest.
const PROFILE: &str = "page";

/// Maximum number of bytes that a host sends with gzip for a first visit: it may not grow unnoticed.
const MAX_DOWNLOAD: usize = 3_250_000;

/// Builds both and prints where they are.
pub(crate) fn run() -> anyhow::Result<()> {
    let file = build()?;
    eprintln!(
        "A web host can serve {}: {:.2} MB with gzip.\n\
         `rtoscope export --to page` needs the environment variable RTOSCOPE_PAGE={}; with it, \
         `cargo build --features page` makes a program that contains the page.",
        site()?.display(),
        packed_size(&site()?)? as f64 / 1e6,
        file.display()
    );
    Ok(())
}

/// The folder for a web host.
pub(crate) fn site() -> anyhow::Result<PathBuf> {
    Ok(shell::target()?.join("page"))
}

/// Builds the folder and the file; returns the path of the file.
pub(crate) fn build() -> anyhow::Result<PathBuf> {
    let module = build_module()?;
    web::install()?;
    let page = shell::target()?.join("page-file");
    build_page("site", &module, &site()?)?;
    build_page("file", &module, &page)?;
    let size = packed_size(&site()?)?;
    ensure!(
        size <= MAX_DOWNLOAD,
        "a visit of the page loads {size} bytes, more than {MAX_DOWNLOAD}"
    );
    Ok(page.join("recording.html"))
}

/// Builds the page around the module, in a mode of `web/page/vite.config.ts`.
pub(crate) fn build_page(mode: &str, module: &Path, folder: &Path) -> anyhow::Result<()> {
    let mut build = web::vite(mode);
    build.env("RTOSCOPE_SESSION", module);
    shell::run(build.env("RTOSCOPE_WEB_OUT", folder))
}

/// Builds the session; returns the path of the packed module.
pub(crate) fn build_module() -> anyhow::Result<PathBuf> {
    let toolchain = Toolchain::find(WASM)?;
    let arguments = [
        "build",
        "--package",
        "rtoscope-web",
        "--lib",
        "--profile",
        PROFILE,
    ];
    let mut cargo = toolchain.cargo("Cargo.toml", WASM, &arguments)?;
    toolchain::add_flag(&mut cargo, "-Ctarget-feature=+simd128");
    shell::run(&mut cargo)?;
    let module = Toolchain::outputs(WASM, PROFILE)?.join("rtoscope_web.wasm");
    let packed = module.with_extension("bin");
    fs::write(&packed, pack(&module)?).with_context(|| packed.display().to_string())?;
    Ok(packed)
}

/// The content of a file, packed with gzip.
fn pack(file: &Path) -> anyhow::Result<Vec<u8>> {
    let bytes = fs::read(file).with_context(|| file.display().to_string())?;
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&bytes)?;
    Ok(encoder.finish()?)
}

/// The size of a folder's files, each packed with gzip.
fn packed_size(folder: &Path) -> anyhow::Result<usize> {
    let mut size = 0;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        size += match path.is_dir() {
            true => packed_size(&path)?,
            false => pack(&path)?.len(),
        };
    }
    Ok(size)
}
