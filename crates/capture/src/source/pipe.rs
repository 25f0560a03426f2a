//! Standard input and other pipes, which do not support read timeouts: a thread reads
//! them.

use super::interface::{Source, SourceError, SourceEvent};
use super::queued::{keeps_unread, queued_bytes};
use std::fs::File;
use std::io::{self, ErrorKind, Read as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, OnceLock};
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
    shared: Arc<SharedPipe>,
    state: PipeState,
    bytes: Vec<u8>,
}

/// What the source shares with its reader thread.
#[derive(Default)]
struct SharedPipe {
    /// The open pipe.
    pipe: OnceLock<Pipe>,
    /// Number of bytes that the thread has read and the source has not delivered.
    read_ahead: AtomicU64,
}

enum Pipe {
    StandardInput,
    Named(File),
}

impl Pipe {
    fn read(&self, bytes: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::StandardInput => io::stdin().read(bytes),
            Self::Named(file) => (&*file).read(bytes),
        }
    }

    /// Whether what is not read is lost.
    fn loses_unread(&self) -> bool {
        !match self {
            Self::StandardInput => keeps_unread(&io::stdin()),
            Self::Named(file) => keeps_unread(file),
        }
    }

    /// Number of bytes that wait to be read, as far as it is known.
    fn queued(&self) -> u64 {
        match self {
            Self::StandardInput => queued_bytes(&io::stdin()),
            Self::Named(file) => queued_bytes(file),
        }
    }
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
    let opened = start("standard input", || Ok(Pipe::StandardInput));
    opened.map_err(|source| SourceError::Open {
        subject: "standard input".to_owned(),
        source,
    })
}

/// Opens a named pipe, which may wait for a writer.
pub(super) fn open_named(path: &str) -> io::Result<PipeSource> {
    let owned = path.to_owned();
    start(path, move || Ok(Pipe::Named(File::open(owned)?)))
}

/// Starts the reader thread, which ends when its receiver is dropped.
fn start(
    name: &str,
    open: impl FnOnce() -> io::Result<Pipe> + Send + 'static,
) -> io::Result<PipeSource> {
    let (sender, read) = sync_channel(MAX_QUEUED_READS);
    let shared = Arc::<SharedPipe>::default();
    let pumped = Arc::clone(&shared);
    thread::Builder::new()
        .name("pipe".to_owned())
        .spawn(move || match open() {
            // An empty chunk means that a writer has opened the pipe.
            Ok(pipe) if sender.send(Ok(Vec::new())).is_ok() => pump(pipe, &sender, &pumped),
            Ok(_) => {}
            Err(error) => drop(sender.send(Err(error))),
        })?;
    Ok(PipeSource {
        name: name.to_owned(),
        read,
        shared,
        state: PipeState::New,
        bytes: Vec::new(),
    })
}

fn pump(pipe: Pipe, sender: &SyncSender<io::Result<Vec<u8>>>, shared: &SharedPipe) {
    let pipe = shared.pipe.get_or_init(|| pipe);
    loop {
        let mut bytes = vec![0; READ_BUFFER_LEN];
        let read = match pipe.read(&mut bytes) {
            Ok(0) => return,
            Ok(count) => {
                bytes.truncate(count);
                shared.read_ahead.fetch_add(count as u64, Ordering::AcqRel);
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
                let count = bytes.len() as u64;
                self.shared.read_ahead.fetch_sub(count, Ordering::AcqRel);
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

    fn prepare_end(&mut self) -> bool {
        self.shared.pipe.get().is_some_and(Pipe::loses_unread)
    }

    fn queued_bytes(&self) -> u64 {
        let pipe = self.shared.pipe.get();
        let read_ahead = self.shared.read_ahead.load(Ordering::Acquire);
        read_ahead + pipe.map_or(0, Pipe::queued)
    }
}
