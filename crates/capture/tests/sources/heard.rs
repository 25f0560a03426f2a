//! What a source says, to be compared.

use rtoscope_capture::{Address, Happened, Source, SourceError, SourceSettings, source};
use std::time::{Duration, Instant};

/// How long anything may take.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A source that is listened to.
pub(crate) struct Ear(Box<dyn Source>);

/// What happened, but for nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Heard {
    Bytes(Vec<u8>),
    Waiting(String),
    Connected(String),
    Lost(String),
    Remark(String),
    Ended,
    Failed(String),
}

/// Opens a source of an address.
pub(crate) fn open(address: &str) -> Result<Ear, SourceError> {
    open_with(address, &SourceSettings::default())
}

pub(crate) fn open_with(address: &str, settings: &SourceSettings) -> Result<Ear, SourceError> {
    let address: Address = address.parse().unwrap();
    source::open(&address, settings).map(Ear)
}

/// What is said of a source that cannot be opened, and what the system says.
pub(crate) fn refused(address: &str) -> (String, String) {
    let error = open(address).err().expect(address);
    let cause = std::error::Error::source(&error).map(ToString::to_string);
    (error.to_string(), cause.unwrap_or_default())
}

/// So many bytes that do not repeat soon.
pub(crate) fn pattern(count: usize) -> Vec<u8> {
    let mixed = |index: usize| (index as u32).wrapping_mul(0x9e37_79b1).rotate_left(11) as u8;
    (0..count).map(mixed).collect()
}

impl Ear {
    /// What happens within a time, if something does.
    pub(crate) fn soon(&mut self, wait: Duration) -> Option<Heard> {
        Some(match self.0.next(wait) {
            Happened::Nothing => return None,
            Happened::Bytes(bytes) => Heard::Bytes(bytes.to_vec()),
            Happened::Waiting(what) => Heard::Waiting(what),
            Happened::Connected(who) => Heard::Connected(who),
            Happened::Lost(why) => Heard::Lost(why),
            Happened::Remark(what) => Heard::Remark(what),
            Happened::Refused(refused) => Heard::Remark(refused.message),
            Happened::Ended => Heard::Ended,
            Happened::Failed(error) => Heard::Failed(error.to_string()),
        })
    }

    /// Closes it: connections that were not read, and what is said of them.
    pub(crate) fn close(self) -> Option<(u64, String)> {
        let refused = self.0.close()?;
        Some((refused.connections, refused.message))
    }

    /// What happens next.
    pub(crate) fn next(&mut self) -> Heard {
        let end = Instant::now() + PATIENCE;
        loop {
            assert!(Instant::now() < end, "nothing happens");
            if let Some(heard) = self.soon(Duration::from_millis(200)) {
                return heard;
            }
        }
    }

    /// What is waited for.
    pub(crate) fn waiting(&mut self) -> String {
        match self.next() {
            Heard::Waiting(what) => what,
            other => panic!("not waiting: {other:?}"),
        }
    }

    /// Who is connected; before that there may be waiting.
    pub(crate) fn connected(&mut self) -> String {
        loop {
            match self.next() {
                Heard::Waiting(_) => {}
                Heard::Connected(who) => return who,
                other => panic!("not connected: {other:?}"),
            }
        }
    }

    /// Why the target is gone.
    pub(crate) fn lost(&mut self) -> String {
        match self.next() {
            Heard::Lost(why) => why,
            other => panic!("not lost: {other:?}"),
        }
    }

    /// So many bytes.
    pub(crate) fn bytes(&mut self, count: usize) -> Vec<u8> {
        let mut all = Vec::new();
        while all.len() < count {
            match self.next() {
                Heard::Bytes(bytes) => {
                    assert!(!bytes.is_empty());
                    all.extend(bytes);
                }
                other => panic!("{other:?} after {} bytes", all.len()),
            }
        }
        assert_eq!(all.len(), count, "more than was sent");
        all
    }
}
