//! `rtoscope live`: captures and decodes a live trace.

mod args;
mod status_text;
mod terminal;
mod trigger;

pub(crate) use args::LiveArgs;

use anyhow::Context as _;
use rtoscope_capture::{
    Capture, CaptureOptions, CaptureStatus, CaptureWatch, DEFAULT_MAX_QUEUED_BYTES, HostClock,
    SourceOptions, SourceState, Unread, source,
};
use rtoscope_command::signals;
use rtoscope_decode::live::LiveOptions;
use rtoscope_recording::Recorder;
#[cfg(feature = "viewer")]
use rtoscope_server::LiveTraceOptions;
use rtoscope_trace::printable::Printable;
use std::io::IsTerminal as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use terminal::{StatusLine, TerminalOutput};
use trigger::Deadline;

/// The interval between checks of the deadline.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Maximum wait for the disk after an interrupt.
const MAX_DISK_WAIT: Duration = Duration::from_secs(5);

/// Maximum wait, after the capture ends, for a reader that does not read the
/// listing.
const MAX_READER_WAIT: Duration = Duration::from_secs(10);

/// Maximum time to decode and list received data after an interrupt.
const MAX_DECODE_AFTER_INTERRUPT: Duration = Duration::from_millis(500);

/// The exit code if the listing could not be written completely.
const EXIT_OUTPUT_INCOMPLETE: i32 = 2;

pub(crate) fn run(arguments: &LiveArgs) -> anyhow::Result<()> {
    arguments.check()?;
    let options = arguments.decode.options(None)?;
    let format = arguments.format();
    let commands = arguments.target.commands(&arguments.source, format)?;
    // Report errors in all of these before writing anything.
    let status_line = StatusLine::new();
    let deadline = Deadline::new(arguments.duration, arguments.after);
    let (terminal, outcome) =
        TerminalOutput::new(arguments, status_line.clone(), deadline.clone())?;
    #[cfg(feature = "viewer")]
    let server = arguments
        .view
        .then(|| {
            let source = arguments.source.to_string();
            let viewer = &arguments.viewer;
            viewer.bind(&arguments.decode, &arguments.given, &source)
        })
        .transpose()?;
    let source = source::open(
        &arguments.source,
        &SourceOptions {
            format,
            firmware: options.firmware().to_vec(),
            public: arguments.public,
        },
    )?;
    let recorder = arguments.recording_settings().map(|settings| {
        let folder = Printable::path(&settings.folder).to_string();
        Recorder::create(settings, HostClock::new().now()).context(folder)
    });
    let settings = CaptureOptions {
        live_options: LiveOptions {
            options,
            format,
            max_events: arguments.max_events(),
        },
        recorder: recorder.transpose()?,
        max_queued_bytes: DEFAULT_MAX_QUEUED_BYTES,
        commands,
        is_writable: arguments.source.scheme().is_writable(),
    };
    let capture = Capture::start(source, settings, terminal.listener());
    let supervisor = Supervisor {
        watch: capture.watch(),
        status_line,
        deadline,
        is_interrupted: Arc::new(AtomicBool::new(false)),
        lists: arguments.lists_events(),
    };
    #[cfg(feature = "viewer")]
    if let Some(server) = server {
        server.add_live(
            arguments.source.to_string(),
            capture.watch(),
            LiveTraceOptions {
                max_events: arguments.max_events(),
                given_clock: arguments.decode.given_clock(),
            },
        )?;
        let supervise = {
            let supervisor = supervisor.clone();
            thread::spawn(move || supervisor.run())
        };
        let served = arguments.viewer.run(server, "");
        supervisor.interrupt();
        // Its panic has been printed already.
        let last = supervise.join().unwrap_or(SourceState::Ended);
        supervisor.finish_capture(capture, &last)?;
        return served.and(outcome.take());
    }
    supervisor.handle_signals()?;
    let last = supervisor.run();
    supervisor.finish_capture(capture, &last)?;
    outcome.take()
}

/// Supervises a capture until it ends.
#[derive(Clone)]
struct Supervisor {
    watch: CaptureWatch,
    status_line: StatusLine,
    deadline: Deadline,
    is_interrupted: Arc<AtomicBool>,
    /// Whether events are listed.
    lists: bool,
}

impl Supervisor {
    /// Ends the capture on Ctrl-C or SIGTERM; a second signal ends the program even
    /// if the reader of the listing is stuck.
    fn handle_signals(&self) -> anyhow::Result<()> {
        let supervisor = self.clone();
        let handler = move |code| {
            if supervisor.is_interrupted.load(Ordering::Relaxed) {
                supervisor.force_exit(code);
            }
            supervisor.interrupt();
        };
        signals::on_termination(handler).context("cannot handle signals")
    }

    /// Ends the capture: received data is saved, and decoded if that is quick.
    fn interrupt(&self) {
        self.is_interrupted.store(true, Ordering::Relaxed);
        self.watch.stop_within(MAX_DECODE_AFTER_INTERRUPT);
    }

    /// Exits immediately, even if the listing is incomplete, after flushing the
    /// recording to disk.
    fn force_exit(&self, code: i32) -> ! {
        self.watch.stop();
        let start = Instant::now();
        while !self.watch.has_read() && start.elapsed() < MAX_DISK_WAIT {
            thread::sleep(POLL_INTERVAL / 10);
        }
        let summary = status_text::final_summary(&self.watch.status());
        rtoscope_command::message!("{summary}");
        rtoscope_command::message!("standard output is blocked: the listing is incomplete");
        std::process::exit(code)
    }

    /// Updates the status line until the capture is over. Returns the last state of the source
    /// before that.
    fn run(&self) -> SourceState {
        let mut shown = Instant::now();
        let mut status = self.watch.status();
        let mut last = SourceState::Ended;
        let mut reader = ReaderProgress::new(Instant::now());
        loop {
            if status.connection != SourceState::Ended {
                last.clone_from(&status.connection);
            }
            if is_over(&status) || self.is_interrupted.load(Ordering::Relaxed) {
                break;
            }
            if self.deadline.is_over() {
                self.watch.stop();
            }
            if shown.elapsed() >= POLL_INTERVAL {
                self.status_line.show(&status);
                shown = Instant::now();
            }
            let version = status.version;
            status = self.watch.wait(version, POLL_INTERVAL);
            let is_stuck = reader.is_stuck(
                Instant::now(),
                status.version != version,
                self.deadline.is_over(),
            );
            // An interactive user may be reading, and can end the capture.
            if is_stuck && !std::io::stderr().is_terminal() {
                self.force_exit(EXIT_OUTPUT_INCOMPLETE);
            }
            // Changes arrive faster than anyone can read.
            thread::sleep(POLL_INTERVAL / 10);
        }
        self.status_line.clear();
        last
    }

    /// Ends the capture and prints its summary. `last` is the last state of the source before
    /// the end.
    fn finish_capture(&self, capture: Capture, last: &SourceState) -> anyhow::Result<()> {
        let status = capture.stop();
        self.status_line.clear();
        rtoscope_command::message!("{}", status_text::final_summary(&status));
        self.check_recording(&status)?;
        if let SourceState::Failed(reason) = status.connection {
            anyhow::bail!("{reason}");
        }
        if let Some(reason) = status_text::nothing_received(&status, last) {
            anyhow::bail!("{reason}");
        }
        for unread in [
            Unread::Datagrams(status.dropped_datagrams),
            Unread::Bytes(status.unread_bytes),
        ] {
            anyhow::ensure!(unread.is_empty(), "{unread}");
        }
        if status.undecoded_bytes > 0 {
            anyhow::ensure!(
                !self.lists && status.saved.is_some(),
                "interrupted before everything was decoded: {} of the {} received bytes are not {}",
                status.undecoded_bytes,
                status.bytes,
                if self.lists { "listed" } else { "decoded" }
            );
            return Ok(());
        }
        anyhow::ensure!(
            status.format.is_some(),
            "unknown format of the {} received bytes; set it with --input-format",
            status.bytes
        );
        match status.decode_error {
            Some(problem) if status.tally.events == 0 => anyhow::bail!("{problem}"),
            None if status.tally.events == 0 && status.tally.unusable_bytes > 0 => anyhow::bail!(
                "none of the {} received bytes could be decoded",
                status.bytes
            ),
            _ => Ok(()),
        }
    }

    /// An incomplete recording is a failure.
    fn check_recording(&self, status: &CaptureStatus) -> anyhow::Result<()> {
        let Some(saved) = &status.saved else {
            return Ok(());
        };
        let reason = saved
            .incomplete_reason
            .as_deref()
            .unwrap_or("unknown cause");
        let folder = Printable::path(&saved.folder);
        anyhow::ensure!(
            saved.missing_bytes == 0,
            "{folder}: the recording lacks {} of the {} received bytes: {reason}",
            saved.missing_bytes,
            status.bytes
        );
        anyhow::ensure!(saved.incomplete_reason.is_none(), "{folder}: {reason}");
        Ok(())
    }
}

/// When the capture last made progress, or did not have to.
struct ReaderProgress(Instant);

impl ReaderProgress {
    fn new(now: Instant) -> Self {
        Self(now)
    }

    /// Whether the reader of the listing blocks the end of the capture: nothing has
    /// changed for [`MAX_READER_WAIT`] since the deadline. Before the deadline, a silent
    /// source is no sign of that.
    fn is_stuck(&mut self, now: Instant, has_changed: bool, is_after_deadline: bool) -> bool {
        if has_changed || !is_after_deadline {
            self.0 = now;
        }
        now.duration_since(self.0) > MAX_READER_WAIT
    }
}

fn is_over(status: &CaptureStatus) -> bool {
    matches!(
        status.connection,
        SourceState::Ended | SourceState::Failed(_)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn silent_source_is_not_a_stuck_reader() {
        let start = Instant::now();
        let mut reader = ReaderProgress::new(start);
        let deadline = start + 3600 * SECOND;
        assert!(!reader.is_stuck(deadline, false, false));
        assert!(!reader.is_stuck(deadline + MAX_READER_WAIT, false, true));
        assert!(reader.is_stuck(deadline + MAX_READER_WAIT + SECOND, false, true));
    }

    #[test]
    fn slow_reader_is_not_stuck() {
        let start = Instant::now();
        let mut reader = ReaderProgress::new(start);
        for step in 1..10 {
            assert!(!reader.is_stuck(start + step * MAX_READER_WAIT, true, true));
        }
        let end = start + 9 * MAX_READER_WAIT;
        assert!(!reader.is_stuck(end + MAX_READER_WAIT, false, true));
        assert!(reader.is_stuck(end + MAX_READER_WAIT + SECOND, false, true));
    }
}
