//! Builds the web app and lists its files for `src/assets.rs` to embed.
//!
//! Without network or Node, set `RTOSCOPE_WEB_DIST` to a folder with the app, built
//! elsewhere with `npm run build`.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "cargo listens there")]

mod embed;
mod lock;
mod npm;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The sources of the web app, in `web/`.
const SOURCES: [&str; 7] = [
    "src",
    "public",
    "index.html",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "vite.config.ts",
];

/// Names a folder to embed unchanged, as an absolute path.
const PREBUILT_VARIABLE: &str = "RTOSCOPE_WEB_DIST";

fn main() -> ExitCode {
    match build() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!(
                "\nThe viewer cannot be built: {message}\n\n\
                 To build rtoscope without the viewer, that is without `rtoscope view`:\n    \
                 cargo build --release --package rtoscope --no-default-features\n"
            );
            ExitCode::FAILURE
        }
    }
}

fn build() -> Result<(), String> {
    println!("cargo:rerun-if-changed=build");
    println!("cargo:rerun-if-env-changed={PREBUILT_VARIABLE}");
    let out = PathBuf::from(env_variable("OUT_DIR")?);
    let table = out.join("assets.rs");
    if let Some(folder) = std::env::var_os(PREBUILT_VARIABLE) {
        let folder = PathBuf::from(folder);
        println!("cargo:rerun-if-changed={}", folder.display());
        return embed::write(&folder, &table);
    }
    let web = Path::new(&env_variable("CARGO_MANIFEST_DIR")?).join("../../web");
    for source in SOURCES {
        println!("cargo:rerun-if-changed={}", web.join(source).display());
    }
    let built = out.join("web");
    npm::check_node()?;
    npm::install(&web)?;
    npm::build(&web, &built)?;
    embed::write(&built, &table)
}

fn env_variable(name: &str) -> Result<String, String> {
    std::env::var(name).map_err(|error| format!("{name}: {error}"))
}
