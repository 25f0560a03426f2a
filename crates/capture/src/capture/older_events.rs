//! Events that only the recording on disk still holds.

use rtoscope_decode::live::{Checkpoint, EventWindow, LiveDecoder, LiveOptions};
use rtoscope_decode::{self as decode, DecodeError};
use rtoscope_recording::{Recording, RecordingError, RecordingItem};
use std::ops::ControlFlow;

/// Why older events cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum OlderEventsError {
    /// The recording cannot be read.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// The recording cannot be decoded.
    #[error(transparent)]
    Decode(#[from] DecodeError),
}

/// Decodes about `events` events of a recording up to and including event `before`,
/// starting at a checkpoint if there is one.
pub(super) fn read_before(
    recording: &Recording,
    settings: &LiveOptions,
    mark: Option<&Checkpoint>,
    before: u64,
    events: u64,
) -> Result<Option<decode::DecodedRecording>, OlderEventsError> {
    let settings = LiveOptions {
        max_events: u64::MAX,
        ..settings.clone()
    };
    let (mut live, from) = match mark {
        Some(mark) => (LiveDecoder::resume(settings, mark), mark.offset()),
        None => (LiveDecoder::new(settings), 0),
    };
    let mut expected = from;
    let mut outcome = Ok(());
    recording.read(from, |part| {
        match part {
            RecordingItem::Bytes { offset, bytes, at } => {
                if offset > expected {
                    live.connection_lost();
                }
                live.push(bytes, at);
                expected = offset + bytes.len() as u64;
            }
            RecordingItem::Interrupted { .. } | RecordingItem::Unread(_) => live.connection_lost(),
            RecordingItem::Metadata { .. }
            | RecordingItem::Refused { .. }
            | RecordingItem::Damaged(_) => {}
        }
        let news = live.next_update();
        live.discard_before(before.saturating_sub(events));
        match news {
            Ok(Some(news)) => {
                let trace = &news.recording.trace;
                let reached = trace.origin.event + trace.events.len() as u64;
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
    Ok(live.window(u64::MAX).map(EventWindow::decode).transpose()?)
}
