//! Installs what is made on a Debian without Rust and Node.js, and opens a recording there with
//! the commands of README.

use super::Packages;
use super::platform::{PLATFORMS, Platform};
use crate::{cache, packages, shell};
use anyhow::{Context as _, ensure};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const SUITE: &str = "bookworm";

/// Imports the Python package, whose extension module has the tables.
const IMPORT: &str = "import rtoscope; assert 'slices' in rtoscope.tables()";

/// What README's commands begin with in a checkout.
const FROM_SOURCE: &str = "cargo run --release -- ";

/// Makes and tries everything.
pub(crate) fn test() -> anyhow::Result<()> {
    let debian = Debian::install()?;
    for platform in &PLATFORMS {
        let made = platform.package(None).context(platform.target)?;
        for program in debian.unpack(platform, &made)? {
            debian.try_commands(platform, &program)?;
            eprintln!("{}: {program} works", platform.target);
        }
    }
    Ok(())
}

/// A root folder of Debian.
struct Debian {
    root: PathBuf,
}

impl Debian {
    /// Installs it into the cache, unless it is there.
    fn install() -> anyhow::Result<Self> {
        let folder = cache::version_folder("chroot", "debian", SUITE)?;
        let root = folder.join("root");
        let complete = folder.join("complete");
        if !complete.exists() {
            packages::require("debootstrap", &["debootstrap"])?;
            let options = ["--variant=minbase", "--include=python3-venv", SUITE];
            shell::run(shell::program("debootstrap", &options).arg(&root))?;
            fs::write(complete, "")?;
        }
        let debian = Self { root };
        for tool in ["cargo", "node"] {
            let found = debian.command("which").arg(tool).status()?;
            ensure!(!found.success(), "{SUITE} has {tool}");
        }
        Ok(debian)
    }

    /// A command that runs there.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new("chroot");
        command.arg(&self.root).arg(program);
        command.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
        command
    }

    /// Installs an archive and a wheel; returns the paths of the command from each.
    fn unpack(&self, platform: &Platform, made: &Packages) -> anyhow::Result<[String; 2]> {
        let inner = format!("/opt/{}", platform.target);
        let folder = self.root.join(&inner[1..]);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder)?;
        let copy = |from: &Path| -> anyhow::Result<String> {
            let name = from.file_name().context("no name")?;
            fs::copy(from, folder.join(name))?;
            Ok(format!("{inner}/{}", name.to_string_lossy()))
        };
        let wheel = made.wheels.last().context("no wheel")?;
        let [archive, wheel] = [copy(&made.archive)?, copy(wheel)?];
        let mut unpack = match platform.is_windows() {
            true => self.command("python3"),
            false => self.command("tar"),
        };
        match platform.is_windows() {
            true => unpack.args(["-m", "zipfile", "-e", &archive, &inner]),
            false => unpack.args(["-xzf", &archive, "-C", &inner]),
        };
        shell::run(&mut unpack)?;
        let environment = format!("{inner}/environment");
        shell::run(self.command("python3").args(["-m", "venv", &environment]))?;
        let pip = format!("{environment}/bin/pip");
        let mut pip = self.command(&pip);
        pip.args(["install", "--quiet", "--no-index", &wheel]);
        // For another platform, pip installs into a folder only.
        let from_wheel = match platform.is_native() {
            true => environment,
            false => {
                let tag = wheel.trim_end_matches(".whl").rsplit('-').next();
                let other = format!("{inner}/other");
                pip.args(["--only-binary=:all:", "--target", &other, "--platform"]);
                pip.arg(tag.context("a wheel has a platform")?);
                other
            }
        };
        shell::run(&mut pip)?;
        if platform.is_native() {
            let python = format!("{from_wheel}/bin/python");
            shell::run(self.command(&python).args(["-c", IMPORT]))?;
        }
        let name = platform.executable("rtoscope");
        let stem = format!("rtoscope-{}-{}", super::VERSION, platform.target);
        Ok([
            format!("{inner}/{stem}/{name}"),
            format!("{from_wheel}/bin/{name}"),
        ])
    }

    /// Runs README's commands with a program.
    fn try_commands(&self, platform: &Platform, program: &str) -> anyhow::Result<()> {
        let start = |arguments: &[&str]| -> anyhow::Result<Command> {
            let mut command = match platform.is_native() {
                true => self.command(program),
                false => platform.runner(&self.root.join(&program[1..]))?,
            };
            // Both the folder of Debian and this one have the recording at the same path.
            command.args(arguments).current_dir(&self.root);
            Ok(command)
        };
        let readme = fs::read_to_string(shell::root().join("README.md"))?;
        let lines = readme
            .lines()
            .filter_map(|line| line.strip_prefix(FROM_SOURCE));
        let commands: Vec<Vec<&str>> = lines.map(|line| line.split(' ').collect()).collect();
        ensure!(commands.len() == 2, "README has other commands");
        for arguments in commands {
            let recording = arguments.get(1).context("no recording")?;
            let copy = self.root.join(recording);
            fs::create_dir_all(copy.parent().context("no folder")?)?;
            fs::copy(shell::root().join(recording), copy)?;
            if arguments.first() == Some(&"view") {
                view(start(&arguments)?)?;
            } else {
                let printed = String::from_utf8(shell::output(&mut start(&arguments)?)?)?;
                ensure!(printed.contains("Findings"), "it printed {printed}");
            }
        }
        Ok(())
    }
}

/// Starts the viewer, and requests the page and the recording.
fn view(mut command: Command) -> anyhow::Result<()> {
    let command = command.arg("--no-open").stdout(Stdio::piped());
    let mut server = shell::Background(command.spawn()?);
    let output = server.0.stdout.take().context("no output")?;
    let mut url = String::new();
    BufReader::new(output).read_line(&mut url)?;
    let port = url.trim_end().trim_end_matches('/').rsplit(':').next();
    let port = port
        .and_then(|port| port.parse().ok())
        .with_context(|| format!("the viewer printed {url:?}"))?;
    let page = shell::http(port, "GET / HTTP/1.0", &[])?;
    ensure!(
        page.contains("<title>rtoscope</title>"),
        "the page is {page}"
    );
    let traces = shell::http(port, "GET /api/traces HTTP/1.0", &[])?;
    ensure!(traces.contains(".trx"), "the recordings are {traces}");
    Ok(())
}
