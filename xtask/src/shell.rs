//! Runs other programs at the root of the repository.

use anyhow::{Context as _, bail, ensure};
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    let mut root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    root.pop();
    root
}

/// All files in a folder and the folders below it.
pub(crate) fn files_below(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(files_below(&path)?);
        } else {
            files.push(path);
        }
    }
    Ok(files)
}

/// The path of this program. The system knows it only until cargo replaces the program:
/// the first call has to come before.
pub(crate) fn this_program() -> anyhow::Result<&'static Path> {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    if let Some(path) = PATH.get() {
        return Ok(path);
    }
    let path = std::env::current_exe()?;
    Ok(PATH.get_or_init(|| path))
}

/// The target folder that contains this program.
pub(crate) fn target() -> anyhow::Result<PathBuf> {
    let this = this_program()?;
    let target = this.ancestors().nth(2);
    Ok(target.context("xtask is in no target folder")?.to_owned())
}

/// The file name of a program built by cargo.
pub(crate) fn executable(name: &str) -> String {
    format!("{name}{}", std::env::consts::EXE_SUFFIX)
}

/// A program to run at the root.
pub(crate) fn program(name: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(name);
    command.args(arguments).current_dir(root());
    command
}

/// The cargo that runs this program.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let name = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let mut cargo = program(&name, arguments);
    // Cargo sets these for this program. Some build scripts run again if they differ from those
    // of a shell, and with them the database engine is built again.
    let inherited = std::env::vars_os().map(|(name, _)| name);
    for name in inherited {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            cargo.env_remove(&name);
        }
    }
    cargo
}

/// Runs a program and fails if it does.
pub(crate) fn run(command: &mut Command) -> anyhow::Result<()> {
    let name = display(command);
    eprintln!("$ {name}");
    let status = command.status().with_context(|| name.clone())?;
    if !status.success() {
        bail!("`{name}` failed: {status}");
    }
    Ok(())
}

/// Runs a program and returns what it prints.
pub(crate) fn output(command: &mut Command) -> anyhow::Result<Vec<u8>> {
    let name = display(command);
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| name.clone())?;
    if !output.status.success() {
        bail!("`{name}` failed: {}", output.status);
    }
    Ok(output.stdout)
}

/// A process that ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Background(pub(crate) Child);

impl Drop for Background {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A port of this machine that no program listens on.
pub(crate) fn free_port() -> anyhow::Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    Ok(listener.local_addr()?.port())
}

/// Sends a request such as `GET / HTTP/1.0` to a server on this machine, and returns the body of
/// its answer.
pub(crate) fn http(port: u16, request: &str, body: &[u8]) -> anyhow::Result<String> {
    let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port));
    let mut stream = stream.with_context(|| format!("{request}: no server"))?;
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    write!(
        stream,
        "{request}\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    )?;
    stream.write_all(body)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).context("the answer")?;
    let (head, text) = answer.split_once("\r\n\r\n").context("a cut answer")?;
    let status = head.split(' ').nth(1);
    let is_successful = status.is_some_and(|status| status.starts_with('2'));
    ensure!(is_successful, "{request}: {answer}");
    Ok(text.to_owned())
}

/// Whether a program can be run.
pub(crate) fn exists(name: &str, argument: &str) -> bool {
    let mut command = Command::new(name);
    command
        .arg(argument)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn display(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    words.join(" ")
}
