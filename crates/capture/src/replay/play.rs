//! Sends what is due.

use super::script::Step;
use super::{Receiver, ReplayError, Script, Speed};
use std::io;
use std::thread;
use std::time::{Duration, Instant};

/// How something is played.
#[derive(Debug, Clone, Copy)]
pub struct Wish {
    /// How fast.
    pub speed: Speed,
    /// Bytes that are sent at once at most; at least 1.
    pub chunk: usize,
    /// Whether to begin again at the end, for ever.
    pub repeat: bool,
    /// Whether to wait for a receiver that is not there, or goes away.
    pub reconnect: bool,
}

impl Wish {
    /// Whether a script can be played so.
    ///
    /// # Errors
    ///
    /// If it is not known when what is to be sent.
    pub fn suits(&self, script: &Script<'_>) -> Result<(), ReplayError> {
        let needs_time = self.repeat || !script.is_short();
        match needs_time && self.speed != Speed::Max && !script.is_timed() {
            true => Err(ReplayError::NoFrequency),
            false => Ok(()),
        }
    }
}

/// What was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sent {
    /// Bytes.
    pub bytes: u64,
    /// Connections that were broken on purpose, as the recording has them.
    pub breaks: u64,
    /// Receivers that went away.
    pub losses: u64,
    /// Times that the end was reached.
    pub rounds: u64,
    /// How long it took, without waiting for the receiver.
    pub time: Duration,
    /// How late the latest bytes were: the receiver, or this machine, was too
    /// slow.
    pub late: Duration,
}

/// What happens meanwhile.
#[derive(Debug, Clone, Copy)]
pub enum Told<'a> {
    /// The receiver is waited for.
    Waiting,
    /// The receiver went away, and why.
    Lost(&'a str),
    /// The end was reached, and it begins again: what was sent in all.
    Again(&'a Sent),
}

/// Plays a script. Bytes that a receiver has not taken when it goes away are
/// lost, as those of a target would be.
///
/// # Errors
///
/// If the receiver is not there or goes away, and shall not be waited for; if the
/// recording cannot be read.
pub fn play(
    script: &Script<'_>,
    to: &mut Receiver,
    wish: &Wish,
    tell: &mut dyn FnMut(Told<'_>),
) -> Result<Sent, ReplayError> {
    wish.suits(script)?;
    let mut player = Player {
        to,
        wish,
        tell,
        sent: Sent::default(),
        begun: Instant::now(),
        is_begun: false,
        round: 0,
    };
    loop {
        let length = script.walk(|step| player.step(&step))?;
        player.sent.rounds += 1;
        player.sent.time = player.begun.elapsed();
        if !wish.repeat {
            break;
        }
        (player.tell)(Told::Again(&player.sent));
        player.round = player.round.saturating_add(length);
        if player.sent.bytes == 0 {
            // There is nothing to repeat.
            break;
        }
    }
    player.end()?;
    Ok(player.sent)
}

struct Player<'a> {
    to: &'a mut Receiver,
    wish: &'a Wish,
    tell: &'a mut dyn FnMut(Told<'_>),
    sent: Sent,
    /// When the first was sent, later by the time that the receiver was waited
    /// for.
    begun: Instant,
    is_begun: bool,
    /// When this round began, in nanoseconds of the script.
    round: u64,
}

/// How long it is waited before the receiver is tried again.
const AGAIN: Duration = Duration::from_millis(200);

impl Player<'_> {
    fn step(&mut self, step: &Step<'_>) -> Result<(), ReplayError> {
        match *step {
            Step::Send { at, bytes } => {
                if self.is_begun {
                    // It comes back when it has something to say.
                    self.sleep(at);
                }
                self.reach()?;
                self.sleep(at);
                for chunk in bytes.chunks(self.wish.chunk.max(1)) {
                    if !self.send(chunk)? {
                        break;
                    }
                }
            }
            // Nobody is there yet to part from.
            Step::Break { .. } if self.to.is_away() => {}
            Step::Break { at } => {
                self.sleep(at);
                if self.to.is_connection() {
                    self.sent.breaks += 1;
                    self.end()?;
                }
            }
        }
        Ok(())
    }

    /// Parts from the receiver, and puts off what is due while it takes.
    fn end(&mut self) -> Result<(), ReplayError> {
        let started = Instant::now();
        let parted = self.to.part();
        self.begun += started.elapsed();
        parted.or_else(|error| self.lost(&error))
    }

    /// Waits until something is due.
    fn sleep(&mut self, at: u64) {
        if !self.is_begun {
            self.is_begun = true;
            self.begun = Instant::now();
        }
        let due = self.wish.speed.due(self.round.saturating_add(at));
        let passed = self.begun.elapsed();
        match due.checked_sub(passed) {
            Some(wait) => thread::sleep(wait),
            None if self.wish.speed == Speed::Max => {}
            None => self.sent.late = self.sent.late.max(passed - due),
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
            Err(error) => self.lost(&error).map(|()| false),
        }
    }

    fn lost(&mut self, error: &io::Error) -> Result<(), ReplayError> {
        let problem = error.to_string();
        self.sent.losses += 1;
        if !self.wish.reconnect {
            return Err(ReplayError::Gone {
                to: self.to.name().to_owned(),
                problem,
                sent: self.sent.bytes,
            });
        }
        (self.tell)(Told::Lost(&problem));
        Ok(())
    }

    /// Makes sure that somebody receives, and puts off what is due while it takes.
    fn reach(&mut self) -> Result<(), ReplayError> {
        if !self.to.is_away() {
            return Ok(());
        }
        let started = Instant::now();
        let mut is_told = self.to.waits();
        if is_told {
            (self.tell)(Told::Waiting);
        }
        while let Err(error) = self.to.connect() {
            if !self.wish.reconnect {
                return Err(ReplayError::Receiver {
                    to: self.to.name().to_owned(),
                    problem: error.to_string(),
                });
            }
            if !is_told {
                is_told = true;
                (self.tell)(Told::Waiting);
            }
            thread::sleep(AGAIN);
        }
        self.begun += started.elapsed();
        Ok(())
    }
}
