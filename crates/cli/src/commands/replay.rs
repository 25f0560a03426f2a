//! `rtoscope replay`: sends a recording as the target sent it.

use anyhow::{bail, ensure};
use clap::Args;
use rtoscope_capture::Address;
use rtoscope_capture::replay::{
    self, ReplayEvent, ReplayOptions, ReplayReceiver, ReplayScript, ReplaySpeed, ReplaySummary,
    TimedChunks,
};
use rtoscope_command::input::{DecodeArgs, FileArgs, parse_size};
use rtoscope_recording::Recording;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::printable::Printable;
use std::fs;
use std::iter::once;
use std::path::Path;
use std::time::{Duration, Instant};

#[derive(Args)]
pub(crate) struct ReplayArgs {
    #[command(flatten)]
    file: FileArgs,

    /// Destination: tcp://HOST:PORT connects, tcp-listen://HOST:PORT waits for a
    /// connection, - is standard output; otherwise a file or device
    #[arg(long, value_name = "ADDRESS")]
    to: Address,

    /// Speed: 1x as recorded, 0.5x, 10x; max as fast as possible
    #[arg(long, value_name = "SPEED", default_value = "1x")]
    speed: ReplaySpeed,

    /// Restart at the end, forever
    #[arg(long = "loop")]
    repeat: bool,

    /// Send at most N bytes at once
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "64KB")]
    chunk: u64,

    /// Wait if the receiver is missing or disconnects
    #[arg(long)]
    reconnect: bool,

    /// Accept connections from other machines, for a listening destination
    #[arg(long)]
    public: bool,

    #[command(flatten)]
    decode: DecodeArgs,
}

pub(crate) fn run(arguments: &ReplayArgs) -> anyhow::Result<()> {
    let file = &arguments.file;
    arguments.check_not_input()?;
    if file.file.is_dir() {
        let recording = Recording::open(&file.file)?;
        ensure!(
            recording.bytes() > 0,
            "{}: the recording is empty",
            file.name()
        );
        for problem in recording.problems()? {
            rtoscope_command::message!("{}: {problem}", file.name());
        }
        for block in recording.damaged_blocks()? {
            rtoscope_command::message!("{}: {block}", file.name());
        }
        return arguments.send(&ReplayScript::Recording(recording));
    }
    if file.selects_buffer() {
        bail!(
            "--buffer and --at do not apply: all buffers are sent in turn; `rtoscope convert` extracts one"
        );
    }
    let source = file.read()?;
    let content = file.open(source.input(), &arguments.decode)?;
    let options = arguments.decode.options(Some(content.format()))?;
    let pieces = TimedChunks::new(&content, &options);
    let pieces = pieces.map_err(|error| anyhow::Error::new(error).context(file.name()))?;
    arguments.send(&ReplayScript::Chunks(pieces))
}

impl ReplayArgs {
    fn send(&self, script: &ReplayScript<'_>) -> anyhow::Result<()> {
        let options = ReplayOptions {
            speed: self.speed,
            max_chunk_bytes: usize::try_from(self.chunk).unwrap_or(usize::MAX),
            repeat: self.repeat,
            reconnect: self.reconnect,
        };
        // Check this before a file is overwritten.
        options.validate(script)?;
        let mut receiver = ReplayReceiver::open(&self.to, self.public)?;
        let name = receiver.name().to_owned();
        let mut reported = Instant::now();
        let sent = replay::play(script, &mut receiver, &options, &mut |event| match event {
            ReplayEvent::Waiting => rtoscope_command::message!("waiting for a receiver at {name}"),
            ReplayEvent::Lost(problem) => {
                rtoscope_command::message!("{name} disconnected: {problem}");
            }
            ReplayEvent::Restarted(sent) if reported.elapsed() >= PROGRESS_INTERVAL => {
                reported = Instant::now();
                print_result(sent);
            }
            ReplayEvent::Restarted(_) => {}
        })?;
        print_result(&sent);
        Ok(())
    }

    /// The destination must not be the input file.
    fn check_not_input(&self) -> anyhow::Result<()> {
        let Address::File(to) = &self.to else {
            return Ok(());
        };
        let to = Path::new(&to.path);
        let input = &self.file.file;
        let parts = fs::read_dir(input).into_iter().flatten().flatten();
        let mut files = once(input.clone()).chain(parts.map(|part| part.path()));
        ensure!(
            !files.any(|file| is_same(to, &file)),
            "{}: the output would overwrite the input",
            Printable::path(&to)
        );
        Ok(())
    }
}

/// Whether both exist and are names of the same file.
#[cfg(unix)]
fn is_same(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let file = |path| fs::metadata(path).map(|it| (it.dev(), it.ino())).ok();
    file(one).is_some_and(|one| file(other) == Some(one))
}

/// Whether both exist and are the same file.
#[cfg(not(unix))]
fn is_same(one: &Path, other: &Path) -> bool {
    let file = |path: &Path| path.canonicalize().ok();
    file(one).is_some_and(|one| file(other) == Some(one))
}

/// The minimum interval between progress messages.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);

/// A delay above this is reported.
const LATE_THRESHOLD: Duration = Duration::from_millis(100);

fn print_result(sent: &ReplaySummary) {
    let bytes = pluralise(sent.bytes, "byte", "bytes");
    let seconds = sent.duration.as_secs_f64();
    let rate = sent.bytes as f64 / 1e6 / seconds.max(1e-9);
    let mut text = format!("sent {bytes} in {seconds:.3} s ({rate:.3} MB/s)");
    if sent.rounds > 1 {
        text += &format!(", {} rounds", sent.rounds);
    }
    if sent.breaks > 0 {
        let breaks = pluralise(sent.breaks, "interruption", "interruptions");
        text += &format!(", {breaks} replayed");
    }
    if sent.losses > 0 {
        let losses = pluralise(sent.losses, "time", "times");
        text += &format!("; the receiver disconnected {losses}");
    }
    if sent.max_delay > LATE_THRESHOLD {
        text += &format!("; up to {:.1} s late", sent.max_delay.as_secs_f64());
    }
    rtoscope_command::message!("{text}");
}
