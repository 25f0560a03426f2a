//! Sends what is due.

use super::script::ReplayStep;
use super::{ReplayError, ReplayReceiver, ReplayScript, ReplaySpeed};
use std::io;
use std::thread;
use std::time::{Duration, Instant};

/// How something is played.
#[derive(Debug, Clone, Copy)]
pub struct ReplayOptions {
    /// How fast.
    pub speed: ReplaySpeed,
    /// Bytes that are sent at once at most; at least 1.
    pub max_chunk_bytes: usize,
    /// Whether to begin again at the end, for ever.
    pub repeat: bool,
    /// Whether to wait for a receiver that is not there, or goes away.
    pub reconnect: bool,
}

impl ReplayOptions {
    /// Whether a script can be played so.
    ///
    /// # Errors
    ///
    /// If it is not known when what is to be sent.
    pub fn validate(&self, script: &ReplayScript<'_>) -> Result<(), ReplayError> {
        let needs_time = self.repeat || !script.is_single();
        match needs_time && self.speed != ReplaySpeed::Max && !script.is_timed() {
            true => Err(ReplayError::NoFrequency),
            false => Ok(()),
        }
    }
}

/// What was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReplaySummary {
    /// Bytes.
    pub bytes: u64,
    /// Connections that were broken on purpose, as the recording has them.
    pub breaks: u64,
    /// Receivers that went away.
    pub losses: u64,
    /// Times that the end was reached.
    pub rounds: u64,
    /// How long it took, without waiting for the receiver.
    pub duration: Duration,
    /// How late the latest bytes were: the receiver, or this machine, was too
    /// slow.
    pub max_delay: Duration,
}

/// What happens meanwhile.
#[derive(Debug, Clone, Copy)]
pub enum ReplayEvent<'a> {
    /// The receiver is waited for.
    Waiting,
    /// The receiver went away, and why.
    Lost(&'a str),
    /// The end was reached, and it begins again: what was sent in all.
    Restarted(&'a ReplaySummary),
}

/// Plays a script. Bytes that a receiver has not taken when it goes away are
/// lost, as those of a target would be.
///
/// # Errors
///
/// If the receiver is not there or goes away, and shall not be waited for; if the
/// recording cannot be read.
pub fn play(
    script: &ReplayScript<'_>,
    to: &mut ReplayReceiver,
    wish: &ReplayOptions,
    tell: &mut dyn FnMut(ReplayEvent<'_>),
) -> Result<ReplaySummary, ReplayError> {
    wish.validate(script)?;
    let mut player = Player {
        to,
        options: wish,
        on_event: tell,
        sent: ReplaySummary::default(),
        started: Instant::now(),
        is_started: false,
        round: 0,
    };
    loop {
        let length = script.walk(|step| player.step(&step))?;
        player.sent.rounds += 1;
        player.sent.duration = player.started.elapsed();
        if !wish.repeat {
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
    /// When the first was sent, later by the time that the receiver was waited
    /// for.
    started: Instant,
    is_started: bool,
    /// When this round began, in nanoseconds of the script.
    round: u64,
}

/// How long it is waited before the receiver is tried again.
const RECONNECT_INTERVAL: Duration = Duration::from_millis(200);

impl Player<'_> {
    fn step(&mut self, step: &ReplayStep<'_>) -> Result<(), ReplayError> {
        match *step {
            ReplayStep::Send { at, bytes } => {
                if self.is_started {
                    // It comes back when it has something to say.
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
            // Nobody is there yet to part from.
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

    /// Parts from the receiver, and puts off what is due while it takes.
    fn end_round(&mut self) -> Result<(), ReplayError> {
        let started = Instant::now();
        let parted = self.to.disconnect();
        self.started += started.elapsed();
        parted.or_else(|error| self.handle_disconnect(&error))
    }

    /// Waits until something is due.
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

    /// Whether they were sent; else the receiver is waited for again.
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

    /// Makes sure that somebody receives, and puts off what is due while it takes.
    fn ensure_connected(&mut self) -> Result<(), ReplayError> {
        if !self.to.is_disconnected() {
            return Ok(());
        }
        let started = Instant::now();
        let mut is_told = self.to.is_listening();
        if is_told {
            (self.on_event)(ReplayEvent::Waiting);
        }
        while let Err(error) = self.to.connect() {
            if !self.options.reconnect {
                return Err(ReplayError::Receiver {
                    to: self.to.name().to_owned(),
                    problem: error.to_string(),
                });
            }
            if !is_told {
                is_told = true;
                (self.on_event)(ReplayEvent::Waiting);
            }
            thread::sleep(RECONNECT_INTERVAL);
        }
        self.started += started.elapsed();
        Ok(())
    }
}
