//! Standard input and other pipes, which do not support read timeouts: a thread reads
//! them.

use super::interface::{Source, SourceError, SourceEvent};
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// Size of the read buffer in bytes: the capacity of a pipe on Linux.
const READ_BUFFER_LEN: usize = 64 << 10;

/// Maximum number of queued reads.
const MAX_QUEUED_READS: usize = 16;

/// A source that reads a pipe.
pub(super) struct PipeSource {
    name: String,
    read: Receiver<io::Result<Vec<u8>>>,
    state: PipeState,
    bytes: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PipeState {
    /// Nothing reported yet.
    New,
    /// The wait was reported.
    Waiting,
    Connected,
    Ended,
}

/// Opens standard input.
pub(super) fn standard_input() -> Result<PipeSource, SourceError> {
    let opened = start("standard input", || Ok(Box::new(io::stdin())));
    opened.map_err(|source| SourceError::Open {
        subject: "standard input".to_owned(),
        source,
    })
}

/// Opens a named pipe, which may wait for a writer.
pub(super) fn open_named(path: &str) -> io::Result<PipeSource> {
    let owned = path.to_owned();
    start(path, move || Ok(Box::new(File::open(owned)?)))
}

/// Starts the reader thread, which ends when its receiver is dropped.
fn start(
    name: &str,
    open: impl FnOnce() -> io::Result<Box<dyn Read>> + Send + 'static,
) -> io::Result<PipeSource> {
    let (sender, read) = sync_channel(MAX_QUEUED_READS);
    thread::Builder::new()
        .name("pipe".to_owned())
        .spawn(move || match open() {
            // An empty chunk means that a writer has opened the pipe.
            Ok(pipe) if sender.send(Ok(Vec::new())).is_ok() => pump(pipe, &sender),
            Ok(_) => {}
            Err(error) => drop(sender.send(Err(error))),
        })?;
    Ok(PipeSource {
        name: name.to_owned(),
        read,
        state: PipeState::New,
        bytes: Vec::new(),
    })
}

fn pump(mut pipe: Box<dyn Read>, sender: &SyncSender<io::Result<Vec<u8>>>) {
    loop {
        let mut bytes = vec![0; READ_BUFFER_LEN];
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

impl Source for PipeSource {
    fn next(&mut self, wait: Duration) -> SourceEvent<'_> {
        if self.state == PipeState::Ended {
            return SourceEvent::Ended;
        }
        match self.read.recv_timeout(wait) {
            Ok(Ok(bytes)) if self.state != PipeState::Connected => {
                self.bytes = bytes;
                self.state = PipeState::Connected;
                SourceEvent::Connected(self.name.clone())
            }
            Ok(Ok(bytes)) => {
                self.bytes = bytes;
                SourceEvent::Bytes(&self.bytes)
            }
            Ok(Err(source)) => {
                self.state = PipeState::Ended;
                let subject = self.name.clone();
                SourceEvent::Failed(SourceError::Read { subject, source })
            }
            Err(RecvTimeoutError::Timeout) if self.state == PipeState::New => {
                self.state = PipeState::Waiting;
                SourceEvent::Waiting(format!("a writer of {}", self.name))
            }
            Err(RecvTimeoutError::Timeout) => SourceEvent::Nothing,
            Err(RecvTimeoutError::Disconnected) => {
                self.state = PipeState::Ended;
                SourceEvent::Ended
            }
        }
    }
}
