//! Events that are only on disk any more.

use crate::recording::{Part, Recording, RecordingError};
use rtoscope_decode::live::{Cut, Live, Mark, Settings};
use rtoscope_decode::{self as decode, DecodeError};
use std::ops::ControlFlow;

/// Why older events cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum OlderError {
    /// The recording cannot be read.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// It cannot be decoded.
    #[error(transparent)]
    Decode(#[from] DecodeError),
}

/// About so many events of a recording before one of that number, and that one:
/// none from before a mark, if there is one.
pub(super) fn read(
    recording: &Recording,
    settings: &Settings,
    mark: Option<&Mark>,
    before: u64,
    events: u64,
) -> Result<Option<decode::Recording>, OlderError> {
    let settings = Settings {
        most_events: u64::MAX,
        ..settings.clone()
    };
    let (mut live, from) = match mark {
        Some(mark) => (Live::resume(settings, mark), mark.offset()),
        None => (Live::new(settings), 0),
    };
    let mut expected = from;
    let mut outcome = Ok(());
    recording.read(from, |part| {
        match part {
            Part::Bytes { offset, bytes, at } => {
                if offset > expected {
                    live.interrupt();
                }
                live.push(bytes, at);
                expected = offset + bytes.len() as u64;
            }
            Part::Interrupted { .. } => live.interrupt(),
            Part::Preface { .. } | Part::Refused { .. } => {}
        }
        let news = live.advance();
        live.forget_before(before.saturating_sub(events));
        match news {
            Ok(Some(news)) => {
                let trace = &news.recording.trace;
                let reached = trace.base.event + trace.events.len() as u64;
                if reached >= before {
                    return ControlFlow::Break(());
                }
            }
            Ok(None) => {}
            Err(error) => {
                outcome = Err(error);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    })?;
    outcome?;
    Ok(live.cut(u64::MAX).map(Cut::decode).transpose()?)
}
