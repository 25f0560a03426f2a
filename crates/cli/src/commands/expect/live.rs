//! `rtoscope expect --live`: checks a target while it runs, and answers it.

use super::live_checks::{Decided, LiveChecks, StreamEnd};
use super::{ExpectArgs, ignore_broken_pipe, json_text, outcome, spec_name, text, write_text};
use crate::target_commands::TargetCommandArgs;
use anyhow::{Context as _, bail, ensure};
use clap::Args;
use rtoscope_analysis::expect::{ExpectDocument, Spec, TestResult};
use rtoscope_capture::{
    Address, Source, SourceError, SourceEvent, SourceOptions, error_chain, source,
};
use rtoscope_command::input::parse_duration;
use rtoscope_command::output::{self, OutputFormat};
use rtoscope_command::{CheckOutcome, message, signals};
use rtoscope_decode::live::LiveOptions;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::filter::Glob;
use std::io::ErrorKind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Maximum wait for the source before the other conditions are checked.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Maximum time that a target may take for the answers so far.
const SEND_TIMEOUT: Duration = Duration::from_secs(5);

/// Number of events that the decoder retains; the tests need only new ones.
const RETAINED_EVENTS: u64 = 4096;

/// Number of bytes after which a stream without any record is refused.
const MAX_UNDECODABLE_BYTES: u64 = 1 << 20;

#[derive(Args)]
pub(super) struct LiveSourceArgs {
    /// Check a running target and send it the answers; the sources are those of
    /// `rtoscope live`
    #[arg(
        long,
        value_name = "SOURCE",
        conflicts_with_all = ["buffer", "at"],
        help_heading = "Live"
    )]
    live: Option<Address>,

    /// Accept connections from other machines, for a listening source
    #[arg(long, requires = "live", help_heading = "Live")]
    public: bool,

    /// End when the target sends nothing for this time, such as 10s
    #[arg(
        long,
        value_name = "TIME",
        default_value = "60s",
        value_parser = parse_duration,
        requires = "live",
        help_heading = "Live"
    )]
    timeout: Duration,

    /// End after this time, such as 10s or 2min, as if the target had ended its stream
    #[arg(
        long,
        value_name = "TIME",
        value_parser = parse_duration,
        requires = "live",
        help_heading = "Live"
    )]
    duration: Option<Duration>,

    /// Send no answers; needed for sources that only deliver a trace
    #[arg(long, requires = "live", help_heading = "Live")]
    no_answers: bool,

    #[command(flatten)]
    target: TargetCommandArgs,
}

impl LiveSourceArgs {
    pub(super) fn source(&self) -> Option<&Address> {
        self.live.as_ref()
    }

    pub(super) fn commands_target(&self) -> bool {
        !self.target.is_empty()
    }
}

/// Returns the outcome of the tests.
pub(super) fn run(arguments: &ExpectArgs, spec: Option<&Spec>) -> anyhow::Result<CheckOutcome> {
    let live = &arguments.live;
    let Some(address) = live.source() else {
        bail!("the source is missing");
    };
    ensure!(
        live.no_answers || address.scheme().is_writable(),
        "{address}: nothing can be sent to this source, so that the target would get no answers; \
         to check without them, pass --no-answers"
    );
    let selection = arguments.test.as_deref().map(Glob::new);
    if let (Some(spec), Some(glob), Some(pattern)) = (spec, &selection, &arguments.test) {
        let matches = spec.test_names().any(|name| glob.matches(name));
        ensure!(matches, "--test: no test name matches {pattern:?}");
    }
    let format = arguments.buffer.format(&arguments.decode)?;
    let commands = live.target.commands(address, format)?;
    let options = arguments.decode.options(format)?;
    let settings = SourceOptions {
        format,
        firmware: options.firmware().to_vec(),
        public: live.public,
    };
    let source = source::open(address, &settings)?;
    let options = LiveOptions {
        options,
        format,
        max_events: RETAINED_EVENTS,
    };
    let mut session = LiveSession {
        source,
        checks: LiveChecks::new(options, spec, selection),
        arguments,
        results: Vec::new(),
        received_bytes: 0,
        last_received: Instant::now(),
        takes_answers: !live.no_answers,
        commands,
        is_interrupted: interrupt_flag()?,
    };
    let ended = session.run();
    // The first results are on standard output already.
    let name = arguments.file.as_deref().map(spec_name);
    let results = std::mem::take(&mut session.results);
    let document = ExpectDocument::new(&address.to_string(), name.as_deref(), results);
    ignore_broken_pipe(write_end(arguments, &document))?;
    session.check_names(name.as_deref())?;
    match (outcome(&document), ended) {
        (CheckOutcome::Failed, Err(error)) => message!("{error:#}"),
        (_, ended) => ended?,
    }
    Ok(outcome(&document))
}

/// Is set by Ctrl-C or SIGTERM; a second signal ends the program.
fn interrupt_flag() -> anyhow::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    signals::on_termination(move |code| {
        if set.swap(true, Ordering::Relaxed) {
            std::process::exit(code);
        }
    })
    .context("cannot handle signals")?;
    Ok(flag)
}

fn write_end(arguments: &ExpectArgs, document: &ExpectDocument) -> anyhow::Result<()> {
    match arguments.format {
        OutputFormat::Json => write_text(&json_text(document)?),
        OutputFormat::Text if document.tests.is_empty() => Ok(()),
        OutputFormat::Text => write_text(&text::totals(document)),
    }
}

/// A target under test.
struct LiveSession<'a> {
    source: Box<dyn Source>,
    checks: LiveChecks<'a>,
    arguments: &'a ExpectArgs,
    results: Vec<TestResult>,
    received_bytes: u64,
    last_received: Instant,
    /// Whether the target takes answers.
    takes_answers: bool,
    /// What to send to the target when it connects.
    commands: Vec<u8>,
    is_interrupted: Arc<AtomicBool>,
}

/// Why a session ended.
enum SessionEnd {
    /// The stream is complete, or every test is decided.
    Complete,
    /// The stream broke off, with the reason.
    BrokenOff(String),
}

impl LiveSession<'_> {
    /// Runs until the end. An error is also a stream that broke off before all
    /// tests were decided.
    fn run(&mut self) -> anyhow::Result<()> {
        let end = self.receive()?;
        let kind = match end {
            SessionEnd::Complete => StreamEnd::Complete,
            SessionEnd::BrokenOff(_) => StreamEnd::BrokenOff,
        };
        let had_open_test = self.checks.has_open_test();
        let decided = self.checks.finish(kind)?;
        self.report(decided.results)?;
        if let Some(problem) = self.undecodable() {
            bail!(problem);
        }
        match end {
            SessionEnd::BrokenOff(reason) if had_open_test => {
                bail!("{reason} before every test was decided")
            }
            SessionEnd::BrokenOff(reason) => bail!("{reason}"),
            SessionEnd::Complete => {}
        }
        ensure!(
            !self.results.is_empty(),
            "the target ran no unit tests; pass a test file"
        );
        Ok(())
    }

    /// Receives and answers until the stream ends or every test is decided.
    fn receive(&mut self) -> anyhow::Result<SessionEnd> {
        let live = &self.arguments.live;
        let deadline = live.duration.map(|duration| Instant::now() + duration);
        loop {
            if self.checks.are_all_decided() {
                return Ok(SessionEnd::Complete);
            }
            if self.is_interrupted.load(Ordering::Relaxed) {
                return Ok(SessionEnd::BrokenOff("interrupted".to_owned()));
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Ok(SessionEnd::Complete);
            }
            if self.last_received.elapsed() >= live.timeout {
                return Ok(self.silence());
            }
            match self.source.next(POLL_INTERVAL) {
                SourceEvent::Bytes(bytes) => {
                    self.received_bytes += bytes.len() as u64;
                    self.last_received = Instant::now();
                    let decided = self.checks.push(bytes)?;
                    self.apply(decided)?;
                    if self.received_bytes > MAX_UNDECODABLE_BYTES
                        && let Some(problem) = self.undecodable()
                    {
                        bail!(problem);
                    }
                }
                SourceEvent::Nothing => {}
                SourceEvent::Waiting(target) => message!("waiting for {target}"),
                SourceEvent::Connected(peer) => {
                    message!("connected to {peer}");
                    if !self.commands.is_empty() {
                        let sent = self.source.send(&self.commands, SEND_TIMEOUT);
                        sent.map_err(|error| anyhow::anyhow!(error_chain(&error)))?;
                    }
                }
                SourceEvent::Lost(reason) | SourceEvent::Closed(reason)
                    if self.received_bytes == 0 =>
                {
                    message!("connection lost: {reason}");
                }
                SourceEvent::Lost(reason) => {
                    return Ok(SessionEnd::BrokenOff(format!(
                        "the connection to the target was lost ({reason})"
                    )));
                }
                SourceEvent::Closed(_) | SourceEvent::Ended => return Ok(SessionEnd::Complete),
                SourceEvent::Message(remark) => message!("{remark}"),
                SourceEvent::Refused(refused) => message!("{}", refused.message),
                SourceEvent::Unread(unread) => {
                    return Ok(SessionEnd::BrokenOff(unread.to_string()));
                }
                SourceEvent::Failed(error) => bail!(error_chain(&error)),
            }
        }
    }

    /// The target has sent nothing for the time of --timeout.
    fn silence(&self) -> SessionEnd {
        let time = self.arguments.live.timeout;
        // Most targets cannot close a serial line.
        if !self.results.is_empty() && !self.checks.has_open_test() {
            return SessionEnd::Complete;
        }
        SessionEnd::BrokenOff(match self.received_bytes {
            0 => format!("nothing was received in {time:?}"),
            _ => format!("the target has sent nothing for {time:?}"),
        })
    }

    fn apply(&mut self, decided: Decided) -> anyhow::Result<()> {
        if self.takes_answers && !decided.answers.is_empty() {
            match self.source.send(&decided.answers, SEND_TIMEOUT) {
                Ok(()) => {}
                // The next event of the source is the end of the connection.
                Err(SourceError::Send { source, .. }) if is_disconnect(source.kind()) => {
                    message!("the target closed the connection before it took its answers");
                    self.takes_answers = false;
                }
                Err(error) => {
                    self.report(decided.results)?;
                    bail!(error_chain(&error));
                }
            }
        }
        self.report(decided.results)
    }

    /// Prints results as they are decided.
    fn report(&mut self, results: Vec<TestResult>) -> anyhow::Result<()> {
        if matches!(self.arguments.format, OutputFormat::Text) {
            for result in &results {
                let text = text::render_test(result, output::is_coloured());
                ignore_broken_pipe(write_text(&text))?;
            }
        }
        self.results.extend(results);
        Ok(())
    }

    /// Why nothing could be decoded, if so.
    fn undecodable(&self) -> Option<String> {
        let received = self.received_bytes;
        self.checks.undecodable(received).filter(|_| received > 0)
    }

    /// A name that no record introduced is a mistake.
    fn check_names(&self, spec: Option<&str>) -> anyhow::Result<()> {
        let unknown = self.checks.unknown_names();
        let Some((first, others)) = unknown.split_first() else {
            return Ok(());
        };
        if !others.is_empty() {
            let others = pluralise(others.len() as u64, "other test has", "other tests have");
            message!("{others} unknown names, too");
        }
        bail!("{}: {first}", spec.unwrap_or_default())
    }
}

fn is_disconnect(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::BrokenPipe
            | ErrorKind::ConnectionReset
            | ErrorKind::ConnectionAborted
            | ErrorKind::NotConnected
    )
}
