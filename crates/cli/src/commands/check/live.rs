//! `rtoscope check --live`: receives a recording from a running target, and answers its unit tests.

use crate::target_commands::TargetCommandArgs;
use anyhow::{Context as _, bail};
use clap::Args;
use rtoscope_analysis::sequence::TargetTests;
use rtoscope_capture::{
    Address, HostClock, Source, SourceError, SourceEvent, SourceOptions, error_chain, source,
};
use rtoscope_command::input::{DecodeArgs, FileArgs, parse_duration};
use rtoscope_command::{message, signals};
use rtoscope_decode::live::{LiveDecoder, LiveOptions};
use rtoscope_decode::{DecodedRecording, FormatInfo};
use rtoscope_trace::TraceFormat as _;
use std::io::ErrorKind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Maximum wait for the source before the other conditions are checked.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Maximum time that a target may take for the answers so far.
const SEND_TIMEOUT: Duration = Duration::from_secs(5);

/// Number of events after which the check ends.
const MAX_EVENTS: u64 = 20_000_000;

/// Number of bytes after which a stream without any record is refused.
const MAX_UNDECODABLE_BYTES: u64 = 1 << 20;

#[derive(Args)]
pub(super) struct LiveSourceArgs {
    /// Check a running target: FILE is a source, as of `rtoscope live`
    ///
    /// A target that runs unit tests and waits for the results gets them.
    #[arg(long, conflicts_with_all = ["buffer", "at", "learn"], help_heading = "Live")]
    pub(super) live: bool,

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

    /// End after this time, such as 10s or 2min
    #[arg(
        long,
        value_name = "TIME",
        value_parser = parse_duration,
        requires = "live",
        help_heading = "Live"
    )]
    duration: Option<Duration>,

    #[command(flatten)]
    pub(super) target: TargetCommandArgs,
}

/// A running target.
struct LiveTarget<'a> {
    source: Box<dyn Source>,
    options: &'a LiveSourceArgs,
    decoder: LiveDecoder,
    clock: HostClock,
    received_bytes: u64,
    decode_error: Option<String>,
    /// What to send to the target when it connects.
    commands: Vec<u8>,
    /// Whether the target takes answers.
    takes_answers: bool,
    /// The unit tests, once records have arrived.
    tests: Option<(FormatInfo, TargetTests)>,
    /// Damaged frames so far.
    damaged: u64,
}

/// Receives a recording until it ends; also returns why it broke off, if it did.
pub(super) fn receive(
    file: &FileArgs,
    decode: &DecodeArgs,
    live: &LiveSourceArgs,
) -> anyhow::Result<(DecodedRecording, Option<anyhow::Error>)> {
    let address: Address = file.source_name().parse()?;
    let format = file.format(decode)?;
    let options = decode.options(format)?;
    let commands = live.target.commands(&address, format)?;
    let settings = SourceOptions {
        format,
        firmware: options.firmware().to_vec(),
        public: live.public,
    };
    let mut target = LiveTarget {
        source: source::open(&address, &settings)?,
        options: live,
        decoder: LiveDecoder::new(LiveOptions {
            options,
            format,
            max_events: u64::MAX,
        }),
        clock: HostClock::new(),
        received_bytes: 0,
        decode_error: None,
        commands,
        takes_answers: address.scheme().is_writable(),
        tests: None,
        damaged: 0,
    };
    let broken_off = target.run()?;
    target.decoder.connection_lost();
    let broken_off = broken_off.or(target.answer().err());
    if let Some(problem) = target.undecodable() {
        bail!(problem);
    }
    let window = target.decoder.window(u64::MAX);
    let window = window.context("nothing was received")?;
    Ok((window.decode()?, broken_off))
}

impl LiveTarget<'_> {
    /// Receives and answers until the end; returns why the stream broke off, if it did.
    fn run(&mut self) -> anyhow::Result<Option<anyhow::Error>> {
        let interrupted = interrupt_flag()?;
        let start = Instant::now();
        let mut last_received = start;
        loop {
            let duration = self.options.duration;
            if interrupted.load(Ordering::Relaxed)
                || duration.is_some_and(|duration| start.elapsed() >= duration)
            {
                return Ok(None);
            }
            if self.decoder.stats().events > MAX_EVENTS {
                message!("the check ends after {MAX_EVENTS} events");
                return Ok(None);
            }
            if last_received.elapsed() >= self.options.timeout {
                let time = self.options.timeout;
                if self.received_bytes == 0 {
                    bail!("nothing was received in {time:?}");
                }
                message!("the target has sent nothing for {time:?}");
                return Ok(None);
            }
            match self.source.next(POLL_INTERVAL) {
                SourceEvent::Bytes(bytes) => {
                    self.received_bytes += bytes.len() as u64;
                    last_received = Instant::now();
                    self.decoder.push(bytes, self.clock.now());
                    if let Err(error) = self.answer() {
                        return Ok(Some(error));
                    }
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
                    let commands = std::mem::take(&mut self.commands);
                    self.send(&commands)?;
                    self.commands = commands;
                }
                SourceEvent::Lost(reason) | SourceEvent::Closed(reason)
                    if self.received_bytes == 0 =>
                {
                    message!("connection lost: {reason}");
                }
                SourceEvent::Lost(reason) => {
                    let problem = format!("the connection to the target was lost ({reason})");
                    return Ok(Some(anyhow::Error::msg(problem)));
                }
                SourceEvent::Closed(_) | SourceEvent::Ended => return Ok(None),
                SourceEvent::Message(remark) => message!("{remark}"),
                SourceEvent::Refused(refused) => message!("{}", refused.message),
                SourceEvent::Unread(unread) => {
                    return Ok(Some(anyhow::Error::msg(unread.to_string())));
                }
                SourceEvent::Failed(error) => bail!(error_chain(&error)),
            }
        }
    }

    /// Answers the records that arrived since the last call.
    fn answer(&mut self) -> anyhow::Result<()> {
        let mut answers = Vec::new();
        let mut missing = 0;
        match self.decoder.next_update() {
            Ok(Some(news)) => {
                let first = u32::from(news.overlaps);
                let DecodedRecording { trace, format_info } = news.recording;
                let gaps = trace.gaps.iter();
                let gaps = gaps.filter(|gap| gap.next_event.0 >= first);
                missing = gaps.map(|gap| gap.missing.unwrap_or(1)).sum();
                if let Some(recorded) = format_info.recorded_tests(&trace) {
                    let live = || (format_info, TargetTests::new(recorded.component, true));
                    let (info, tests) = self.tests.get_or_insert_with(live);
                    tests.push(&trace, first, recorded.directives, |answer| {
                        let answer =
                            info.encode_test_result(answer.line, answer.failure.as_deref());
                        answers.extend(answer.unwrap_or_default());
                    });
                }
            }
            Ok(None) => {}
            Err(error) => self.decode_error = Some(error.to_string()),
        }
        // The next record will show those in the middle as missing.
        let stats = self.decoder.stats();
        let at_end = (stats.unusable - self.damaged).saturating_sub(missing);
        self.damaged = stats.unusable;
        if let Some((info, tests)) = &mut self.tests {
            for _ in 0..at_end {
                let answer = tests.damaged_record(stats.events);
                let answer = answer.and_then(|answer| {
                    info.encode_test_result(answer.line, answer.failure.as_deref())
                });
                answers.extend(answer.unwrap_or_default());
            }
        }
        self.send(&answers)
    }

    fn send(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        if bytes.is_empty() || !self.takes_answers {
            return Ok(());
        }
        match self.source.send(bytes, SEND_TIMEOUT) {
            // The next event of the source is the end of the connection.
            Err(SourceError::Send { source, .. }) if is_disconnect(source.kind()) => {
                message!("the target closed the connection before it took its answers");
                self.takes_answers = false;
                Ok(())
            }
            sent => sent.map_err(|error| anyhow::Error::msg(error_chain(&error))),
        }
    }

    /// Why nothing could be decoded so far; `None` if something was.
    fn undecodable(&self) -> Option<String> {
        let bytes = self.received_bytes;
        if self.decoder.stats().events > 0 {
            return None;
        }
        Some(match (&self.decode_error, self.decoder.format()) {
            _ if bytes == 0 => "nothing was received".to_owned(),
            (Some(error), _) => error.clone(),
            (None, None) => {
                format!("unknown format of the {bytes} received bytes; set it with --input-format")
            }
            (None, Some(format)) => format!(
                "none of the {bytes} received bytes could be decoded as {}",
                format.title_with_article()
            ),
        })
    }
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

fn is_disconnect(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::BrokenPipe
            | ErrorKind::ConnectionReset
            | ErrorKind::ConnectionAborted
            | ErrorKind::NotConnected
    )
}
