//! The programs for fleets, in a workspace of their own, and the engines that read their tables.

use crate::packages::PythonEnvironment;
use crate::{interop, shell};
use anyhow::{Context as _, ensure};
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const MANIFEST: &str = "fleet/Cargo.toml";

/// The bucket of the tests.
const BUCKET: &str = "traces";

/// The time in which the server must answer.
const START_LIMIT: Duration = Duration::from_secs(60);

/// The programs of the workspace, and those of Ballista as they are released.
const PACKAGES: [&str; 5] = [
    "rtoscope-ballista",
    "rtoscope-cluster",
    "rtoscope-fleet",
    "ballista-executor",
    "ballista-scheduler",
];

/// Lints and tests the programs, with an S3 server and a cluster of Ballista on this machine, and
/// runs Spark.
pub(crate) fn test() -> anyhow::Result<()> {
    let python = interop::install_fleet()?;
    let fmt = ["fmt", "--manifest-path", MANIFEST, "--all", "--", "--check"];
    shell::run(&mut shell::cargo(&fmt))?;
    let mut lint = cargo(&["clippy", "--workspace", "--all-targets"])?;
    shell::run(lint.args(["--", "-D", "warnings"]))?;
    let mut build = cargo(&["build"])?;
    for package in PACKAGES {
        build.args(["--package", package]);
    }
    shell::run(&mut build)?;
    let server = ObjectStoreServer::start(&python)?;
    let mut test = cargo(&["test", "--workspace"])?;
    server.set_environment(&mut test);
    shell::run(test.args(["--", "--include-ignored"]))?;
    interop::test_fleet(&python, &program("debug")?)
}

/// Builds `rtoscope-fleet` for measurements; returns its path.
pub(crate) fn build_release() -> anyhow::Result<PathBuf> {
    shell::run(&mut cargo(&[
        "build",
        "--release",
        "--package",
        "rtoscope-fleet",
    ])?)?;
    program("release")
}

/// A command of cargo in the workspace.
fn cargo(words: &[&str]) -> anyhow::Result<Command> {
    let mut cargo = shell::cargo(words);
    cargo.args(["--manifest-path", MANIFEST, "--target-dir"]);
    cargo.arg(target()?);
    Ok(cargo)
}

fn target() -> anyhow::Result<PathBuf> {
    Ok(shell::target()?.join("fleet"))
}

fn program(profile: &str) -> anyhow::Result<PathBuf> {
    let name = shell::executable("rtoscope-fleet");
    Ok(target()?.join(profile).join(name))
}

/// An S3 server on this machine. It ends when this is dropped.
struct ObjectStoreServer {
    process: Child,
    port: u16,
}

impl ObjectStoreServer {
    /// Starts it with an empty bucket.
    fn start(python: &PythonEnvironment) -> anyhow::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = listener.local_addr()?.port();
        drop(listener);
        let arguments = ["-H", "127.0.0.1", "-p", &port.to_string()];
        let mut server = shell::program(&python.program("moto_server"), &arguments);
        let server = server.stdout(Stdio::null()).stderr(Stdio::null());
        let server = Self {
            process: server.spawn().context("moto_server")?,
            port,
        };
        let begin = Instant::now();
        while let Err(error) = server.create_bucket() {
            ensure!(begin.elapsed() < START_LIMIT, "the S3 server: {error:#}");
            sleep(Duration::from_millis(200));
        }
        Ok(server)
    }

    fn create_bucket(&self) -> anyhow::Result<()> {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port))?;
        write!(
            stream,
            "PUT /{BUCKET} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: 0\r\n\
             Connection: close\r\n\r\n",
            self.port
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        ensure!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        Ok(())
    }

    /// Sets the variables of programs that use the server.
    fn set_environment(&self, command: &mut Command) {
        command
            .env("RTOSCOPE_TEST_BUCKET", BUCKET)
            .env("AWS_ACCESS_KEY_ID", "test")
            .env("AWS_SECRET_ACCESS_KEY", "test")
            .env("AWS_REGION", "us-east-1")
            .env(
                "AWS_ENDPOINT_URL",
                format!("http://127.0.0.1:{}", self.port),
            )
            .env("AWS_ALLOW_HTTP", "true");
    }
}

impl Drop for ObjectStoreServer {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
