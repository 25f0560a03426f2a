//! `rtoscope live_options`: a trace while it is recorded.

mod args;
mod status_text;
mod terminal;
mod trigger;

pub(crate) use args::LiveArgs;

use anyhow::Context as _;
use rtoscope_capture::recording::Recorder;
use rtoscope_capture::{
    Capture, CaptureOptions, CaptureStatus, CaptureWatch, HostClock, SourceOptions, SourceState,
    source,
};
use rtoscope_command::signals;
use rtoscope_decode::live::LiveOptions;
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

/// How long it is waited for a change before the time is looked at.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// How long it is waited for a disk when the user wants to leave at once.
const MAX_DISK_WAIT: Duration = Duration::from_secs(5);

/// How long it is waited, when the time of the capture is over, for somebody who
/// reads nothing of what is listed.
const MAX_READER_WAIT: Duration = Duration::from_secs(10);

/// How long it is decoded and listed what came before the user wanted to leave.
const MAX_DECODE_AFTER_INTERRUPT: Duration = Duration::from_millis(500);

/// How it ends where nobody reads what is listed.
const EXIT_OUTPUT_INCOMPLETE: i32 = 2;

pub(crate) fn run(arguments: &LiveArgs) -> anyhow::Result<()> {
    arguments.check()?;
    let options = arguments.decode.options(None)?;
    let format = arguments.format();
    // What is wrong with any of this is said before something is written.
    let status_line = StatusLine::new();
    let deadline = Deadline::new(arguments.duration, arguments.after);
    let (terminal, outcome) =
        TerminalOutput::new(arguments, status_line.clone(), deadline.clone())?;
    #[cfg(feature = "viewer")]
    let server = arguments
        .view
        .then(|| {
            let source = arguments.source.to_string();
            arguments.viewer.bind(&arguments.decode, &source)
        })
        .transpose()?;
    let source = source::open(
        &arguments.source,
        &SourceOptions {
            format,
            firmware: options.cswitch.firmware.clone(),
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
            },
        )?;
        let supervise = {
            let supervisor = supervisor.clone();
            thread::spawn(move || supervisor.run())
        };
        let served = arguments.viewer.run(server);
        supervisor.interrupt();
        // Its panic has been shown.
        let _ = supervise.join();
        supervisor.finish_capture(capture)?;
        return served.and(outcome.take());
    }
    supervisor.handle_signals()?;
    supervisor.run();
    supervisor.finish_capture(capture)?;
    outcome.take()
}

/// Looks after a capture until it ends.
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
    /// Lets the user end the capture with Ctrl-C or SIGTERM, and with another one
    /// if the reader of the list does not take it.
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

    /// Ends the capture: what came is saved, and decoded if that does not take long.
    fn interrupt(&self) {
        self.is_interrupted.store(true, Ordering::Relaxed);
        self.watch.stop_within(MAX_DECODE_AFTER_INTERRUPT);
    }

    /// Ends the program at once, whatever is not listed yet; what is recorded is
    /// made safe before.
    fn force_exit(&self, code: i32) -> ! {
        self.watch.stop();
        let start = Instant::now();
        while !self.watch.has_read() && start.elapsed() < MAX_DISK_WAIT {
            thread::sleep(POLL_INTERVAL / 10);
        }
        let summary = status_text::final_summary(&self.watch.status());
        rtoscope_command::message!("{summary}");
        rtoscope_command::message!("standard output takes no more: not all is listed");
        std::process::exit(code)
    }

    /// Shows how it stands until it is over.
    fn run(&self) {
        let mut shown = Instant::now();
        let mut status = self.watch.status();
        let mut moved = Instant::now();
        loop {
            if is_over(&status) || self.is_interrupted.load(Ordering::Relaxed) {
                break;
            }
            if self.deadline.is_over() {
                self.watch.stop();
                // Who sits in front of it may be reading, and can end it.
                if moved.elapsed() > MAX_READER_WAIT && !std::io::stderr().is_terminal() {
                    self.force_exit(EXIT_OUTPUT_INCOMPLETE);
                }
            }
            if shown.elapsed() >= POLL_INTERVAL {
                self.status_line.show(&status);
                shown = Instant::now();
            }
            let version = status.version;
            status = self.watch.wait(version, POLL_INTERVAL);
            if status.version != version || !self.deadline.is_over() {
                moved = Instant::now();
            }
            // Changes come faster than anybody reads.
            thread::sleep(POLL_INTERVAL / 10);
        }
        self.status_line.clear();
    }

    /// Ends it, and says what came of it.
    fn finish_capture(&self, capture: Capture) -> anyhow::Result<()> {
        let status = capture.stop();
        self.status_line.clear();
        rtoscope_command::message!("{}", status_text::final_summary(&status));
        self.check_recording(&status)?;
        match status.connection {
            SourceState::Failed(reason) => anyhow::bail!("{reason}"),
            _ if status.undecoded_bytes > 0 && (self.lists || status.saved.is_none()) => {
                anyhow::bail!(
                    "interrupted before all was decoded: {} of the {} bytes that came are not {}",
                    status.undecoded_bytes,
                    status.bytes,
                    if self.lists { "listed" } else { "decoded" }
                )
            }
            _ if status.undecoded_bytes > 0 => return Ok(()),
            _ if status.bytes > 0 && status.format.is_none() => anyhow::bail!(
                "the {} bytes that came are of no known format; say which with --input-format",
                status.bytes
            ),
            _ => {}
        }
        match status.decode_error {
            Some(problem) if status.tally.events == 0 => anyhow::bail!("{problem}"),
            None if status.tally.events == 0 && status.tally.unusable_bytes > 0 => anyhow::bail!(
                "nothing of the {} bytes that came could be decoded",
                status.bytes
            ),
            _ => Ok(()),
        }
    }

    /// A recording that is not whole is a failure.
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
            "{folder}: the recording lacks {} of the {} bytes that came: {reason}",
            saved.missing_bytes,
            status.bytes
        );
        anyhow::ensure!(saved.incomplete_reason.is_none(), "{folder}: {reason}");
        Ok(())
    }
}

fn is_over(status: &CaptureStatus) -> bool {
    matches!(
        status.connection,
        SourceState::Ended | SourceState::Failed(_)
    )
}
