//! Standard input and other pipes, which cannot be read for a limited time: a
//! thread waits for what comes.

use super::{Happened, Source, SourceError};
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// Bytes that are read at once at most: as much as Linux keeps in a pipe.
const READ: usize = 64 << 10;

/// Reads that wait to be taken.
const WAITING: usize = 16;

/// A source that reads a pipe.
pub(super) struct Pipe {
    name: String,
    read: Receiver<io::Result<Vec<u8>>>,
    state: State,
    bytes: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing is said yet.
    New,
    /// What is waited for is said.
    Waiting,
    Connected,
    Ended,
}

/// Opens standard input.
pub(super) fn standard_input() -> Result<Pipe, SourceError> {
    let opened = start("standard input", || Ok(Box::new(io::stdin())));
    opened.map_err(|source| SourceError::Open {
        what: "standard input".to_owned(),
        source,
    })
}

/// Opens a pipe of a name, which may wait for somebody who writes.
pub(super) fn named(path: &str) -> io::Result<Pipe> {
    let owned = path.to_owned();
    start(path, move || Ok(Box::new(File::open(owned)?)))
}

/// Starts the thread, which ends when it cannot give what it has read to anybody.
fn start(
    name: &str,
    open: impl FnOnce() -> io::Result<Box<dyn Read>> + Send + 'static,
) -> io::Result<Pipe> {
    let (sender, read) = sync_channel(WAITING);
    thread::Builder::new()
        .name("pipe".to_owned())
        .spawn(move || match open() {
            // An empty one says that somebody writes.
            Ok(pipe) if sender.send(Ok(Vec::new())).is_ok() => pump(pipe, &sender),
            Ok(_) => {}
            Err(error) => drop(sender.send(Err(error))),
        })?;
    Ok(Pipe {
        name: name.to_owned(),
        read,
        state: State::New,
        bytes: Vec::new(),
    })
}

fn pump(mut pipe: Box<dyn Read>, sender: &SyncSender<io::Result<Vec<u8>>>) {
    loop {
        let mut bytes = vec![0; READ];
        let read = match pipe.read(&mut bytes) {
            Ok(0) => return,
            Ok(count) => {
                bytes.truncate(count);
                Ok(bytes)
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => Err(error),
        };
        let is_over = read.is_err();
        if sender.send(read).is_err() || is_over {
            return;
        }
    }
}

impl Source for Pipe {
    fn next(&mut self, wait: Duration) -> Happened<'_> {
        if self.state == State::Ended {
            return Happened::Ended;
        }
        match self.read.recv_timeout(wait) {
            Ok(Ok(bytes)) if self.state != State::Connected => {
                self.bytes = bytes;
                self.state = State::Connected;
                Happened::Connected(self.name.clone())
            }
            Ok(Ok(bytes)) => {
                self.bytes = bytes;
                Happened::Bytes(&self.bytes)
            }
            Ok(Err(source)) => {
                self.state = State::Ended;
                let what = self.name.clone();
                Happened::Failed(SourceError::Read { what, source })
            }
            Err(RecvTimeoutError::Timeout) if self.state == State::New => {
                self.state = State::Waiting;
                Happened::Waiting(format!("somebody to write to {}", self.name))
            }
            Err(RecvTimeoutError::Timeout) => Happened::Nothing,
            Err(RecvTimeoutError::Disconnected) => {
                self.state = State::Ended;
                Happened::Ended
            }
        }
    }
}
