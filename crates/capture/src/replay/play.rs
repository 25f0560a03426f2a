//! Sends chunks when they are due.

use super::script::ReplayStep;
use super::{ReplayError, ReplayReceiver, ReplayScript, ReplaySpeed};
use rtoscope_trace::NoTime;
use std::io;
use std::thread;
use std::time::{Duration, Instant};

/// Options of a replay.
#[derive(Debug, Clone, Copy)]
pub struct ReplayOptions {
    /// Speed.
    pub speed: ReplaySpeed,
    /// Maximum number of bytes sent at once; at least 1.
    pub max_chunk_bytes: usize,
    /// Whether to start again at the end, for ever.
    pub repeat: bool,
    /// Whether to wait for a receiver that is missing or disconnects.
    pub reconnect: bool,
}

impl ReplayOptions {
    /// Checks that a script can be sent with these options.
    ///
    /// # Errors
    ///
    /// If the times of the script are unknown.
    pub fn validate(&self, script: &ReplayScript<'_>) -> Result<(), ReplayError> {
        let needs_time = self.repeat || !script.is_single();
        let is_paced = needs_time && self.speed != ReplaySpeed::Max;
        match script.no_time().filter(|_| is_paced) {
            Some(NoTime::UnknownFrequency) => Err(ReplayError::NoFrequency),
            Some(why) => Err(ReplayError::NoTime(why)),
            None => Ok(()),
        }
    }
}

/// Result of a replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReplaySummary {
    /// Number of bytes sent.
    pub bytes: u64,
    /// Number of connections closed on purpose, as in the recording.
    pub breaks: u64,
    /// Number of times that the receiver disconnected.
    pub losses: u64,
    /// Number of completed rounds.
    pub rounds: u64,
    /// Duration, without waiting for the receiver.
    pub duration: Duration,
    /// Maximum delay: the receiver, or this machine, was too slow.
    pub max_delay: Duration,
}

/// Events of a replay.
#[derive(Debug, Clone, Copy)]
pub enum ReplayEvent<'a> {
    /// Waiting for the receiver.
    Waiting,
    /// The receiver disconnected, with the reason.
    Lost(&'a str),
    /// A round ended and the next one starts; the totals so far.
    Restarted(&'a ReplaySummary),
}

/// Sends a script. Bytes in flight when the receiver disconnects are lost, as those of
/// a target would be.
///
/// # Errors
///
/// If the receiver is missing or disconnects and `reconnect` is off; if the recording
/// cannot be read.
pub fn play(
    script: &ReplayScript<'_>,
    to: &mut ReplayReceiver,
    options: &ReplayOptions,
    on_event: &mut dyn FnMut(ReplayEvent<'_>),
) -> Result<ReplaySummary, ReplayError> {
    options.validate(script)?;
    let mut player = Player {
        to,
        options,
        on_event,
        sent: ReplaySummary::default(),
        started: Instant::now(),
        is_started: false,
        round: 0,
    };
    loop {
        let length = script.walk(|step| player.step(&step))?;
        player.sent.rounds += 1;
        player.sent.duration = player.started.elapsed();
        if !options.repeat {
            break;
        }
        (player.on_event)(ReplayEvent::Restarted(&player.sent));
        player.round = player.round.saturating_add(length);
        if player.sent.bytes == 0 {
            // There is nothing to repeat.
            break;
        }
    }
    player.end_round()?;
    Ok(player.sent)
}

struct Player<'a> {
    to: &'a mut ReplayReceiver,
    options: &'a ReplayOptions,
    on_event: &'a mut dyn FnMut(ReplayEvent<'_>),
    sent: ReplaySummary,
    /// When the first chunk was sent, shifted by the time spent waiting for the
    /// receiver.
    started: Instant,
    is_started: bool,
    /// Start of this round, in nanoseconds of the script.
    round: u64,
}

/// Interval between attempts to reach the receiver.
const RECONNECT_INTERVAL: Duration = Duration::from_millis(200);

impl Player<'_> {
    fn step(&mut self, step: &ReplayStep<'_>) -> Result<(), ReplayError> {
        match *step {
            ReplayStep::Send { at, bytes } => {
                if self.is_started {
                    // Reconnects when there is something to send.
                    self.sleep_until(at);
                }
                self.ensure_connected()?;
                self.sleep_until(at);
                for chunk in bytes.chunks(self.options.max_chunk_bytes.max(1)) {
                    if !self.send(chunk)? {
                        break;
                    }
                }
            }
            // No receiver is connected yet.
            ReplayStep::Break { .. } if self.to.is_disconnected() => {}
            ReplayStep::Break { at } => {
                self.sleep_until(at);
                if self.to.is_connection() {
                    self.sent.breaks += 1;
                    self.end_round()?;
                }
            }
        }
        Ok(())
    }

    /// Disconnects from the receiver, and shifts what is due by the time this takes.
    fn end_round(&mut self) -> Result<(), ReplayError> {
        let started = Instant::now();
        let parted = self.to.disconnect();
        self.started += started.elapsed();
        parted.or_else(|error| self.handle_disconnect(&error))
    }

    /// Waits until a time of the script.
    fn sleep_until(&mut self, at: u64) {
        if !self.is_started {
            self.is_started = true;
            self.started = Instant::now();
        }
        let due = self.options.speed.due(self.round.saturating_add(at));
        let passed = self.started.elapsed();
        match due.checked_sub(passed) {
            Some(wait) => thread::sleep(wait),
            None if self.options.speed == ReplaySpeed::Max => {}
            None => self.sent.max_delay = self.sent.max_delay.max(passed - due),
        }
    }

    /// Returns whether the bytes were sent; otherwise waits for the receiver again.
    fn send(&mut self, bytes: &[u8]) -> Result<bool, ReplayError> {
        match self.to.send(bytes) {
            Ok(()) => {
                self.sent.bytes += bytes.len() as u64;
                Ok(true)
            }
            Err(source) if !self.to.is_connection() => Err(ReplayError::Write {
                to: self.to.name().to_owned(),
                source,
            }),
            Err(error) => self.handle_disconnect(&error).map(|()| false),
        }
    }

    fn handle_disconnect(&mut self, error: &io::Error) -> Result<(), ReplayError> {
        let problem = error.to_string();
        self.sent.losses += 1;
        if !self.options.reconnect {
            return Err(ReplayError::Disconnected {
                to: self.to.name().to_owned(),
                problem,
                sent: self.sent.bytes,
            });
        }
        (self.on_event)(ReplayEvent::Lost(&problem));
        Ok(())
    }

    /// Ensures that a receiver is connected, and shifts what is due by the time this
    /// takes.
    fn ensure_connected(&mut self) -> Result<(), ReplayError> {
        if !self.to.is_disconnected() {
            return Ok(());
        }
        let started = Instant::now();
        let mut is_reported = self.to.is_listening();
        if is_reported {
            (self.on_event)(ReplayEvent::Waiting);
        }
        while let Err(error) = self.to.connect() {
            if !self.options.reconnect {
                return Err(ReplayError::Receiver {
                    to: self.to.name().to_owned(),
                    problem: error.to_string(),
                });
            }
            if !is_reported {
                is_reported = true;
                (self.on_event)(ReplayEvent::Waiting);
            }
            thread::sleep(RECONNECT_INTERVAL);
        }
        self.started += started.elapsed();
        Ok(())
    }
}
