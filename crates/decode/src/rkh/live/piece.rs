//! Records that were cut out of a stream.

use super::guide::Guide;
use crate::rkh::build::{self, Background};
use crate::rkh::guess::Guess;
use crate::rkh::page::Page;
use crate::rkh::start::Start;
use crate::rkh::stream::Provenance;
use crate::rkh::survey::Survey;
use crate::rkh::{self, Options};
use crate::{DecodeError, Origin, Recording, live};
use rtoscope_trace::Clock;
use rtoscope_trace::clock::Quality;
use rtoscope_wire::rkh::Configuration;
use std::ops::Range;
use std::sync::Arc;

/// A page and what is known before its first record.
pub(super) struct Sheet {
    pub(super) page: Page,
    pub(super) start: Start,
}

/// The records.
pub(super) struct Piece {
    /// Where they stand, in order: more than they, at both ends.
    pub(super) sheets: Vec<Arc<Sheet>>,
    pub(super) numbers: Range<u64>,
    /// Whether nothing comes behind them: what was lost there is theirs.
    pub(super) ends: bool,
    pub(super) guide: Arc<Guide>,
    pub(super) survey: Arc<Survey>,
    /// Bytes of the stream up to now.
    pub(super) bytes: u64,
    pub(super) configuration: Configuration,
    pub(super) provenance: Provenance,
    pub(super) guess: Option<Guess>,
    pub(super) options: Arc<Options>,
    /// What is known of the clock from other pieces.
    pub(super) clock: Option<Clock>,
}

impl live::Piece for Piece {
    fn decode(self: Box<Self>) -> Result<Recording, DecodeError> {
        let mut page = Page::from(self.numbers.start);
        let mut start = Start::default();
        for sheet in &self.sheets {
            if page.len() == 0 {
                start = sheet.start.clone();
                let before = sheet.page.place(self.numbers.start);
                start.advance(&sheet.page, 0..before, &self.guide.known());
            }
            page.append(&sheet.page, &self.numbers, self.ends);
        }
        if page.len() == 0 {
            return Err(DecodeError::NoRkhRecord {
                bytes: self.bytes,
                frames: 0,
            });
        }
        let rkh::Recording { mut trace, stream } = build::recording(
            page,
            Background {
                bytes: self.bytes,
                configuration: self.configuration,
                provenance: self.provenance,
                guess: self.guess,
                survey: Some(&self.survey),
                start: &start,
                options: &self.options,
            },
        );
        let is_good = self
            .clock
            .is_some_and(|clock| clock.quality == Quality::Good);
        if is_good
            && stream
                .runs
                .iter()
                .any(|run| run.configuration.stamp.is_some())
        {
            // A few events need not show it.
            trace.clock.quality = Quality::Good;
        }
        Ok(Recording {
            trace,
            origin: Origin::Rkh(Box::new(stream)),
        })
    }
}
