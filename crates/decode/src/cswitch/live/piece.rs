//! Events cut out of a stream, decoded as a log.

use super::kept::Block;
use super::line::Line;
use super::vocabulary::Vocabulary;
use crate::cswitch::course::Course;
use crate::cswitch::log::{CoreLog, Log, Missing, Part};
use crate::cswitch::options::Options;
use crate::cswitch::recording;
use crate::{DecodeError, Origin, Recording, live};
use std::ops::Range;
use std::sync::Arc;

/// Events of some numbers, and what is known besides.
pub(super) struct Piece {
    pub(super) numbers: Range<u64>,
    pub(super) blocks: Vec<Arc<Block>>,
    pub(super) line: Option<Line>,
    pub(super) vocabulary: Arc<Vocabulary>,
    /// The logs of the cores, by number, without entries.
    pub(super) cores: Vec<CoreLog<'static>>,
    pub(super) options: Options,
}

/// Entries of a core, and where something is missing between them.
#[derive(Default)]
struct Gathered {
    bytes: Vec<u8>,
    /// Where parts begin, and what is missing before.
    breaks: Vec<(usize, Missing)>,
}

impl live::Piece for Piece {
    fn decode(self: Box<Self>) -> Result<Recording, DecodeError> {
        let line = self.line.as_ref().ok_or_else(|| DecodeError::NoSwitchLog {
            problem: "no container has come".to_owned(),
        })?;
        let (course, gathered) = self.gather(line);
        let cores = self.cores.iter().zip(&gathered);
        let cores = cores.map(|(core, gathered)| CoreLog {
            parts: gathered.parts(),
            ..core.clone()
        });
        let log = Log {
            cores: cores.collect(),
            texts: self.vocabulary.texts(),
            symbols: self.vocabulary.symbols(),
            course: Some(course),
            ..Log::contained(line.shape, line.told)
        };
        let decoded = recording::decode(&log, &self.options);
        Ok(Recording {
            trace: decoded.trace,
            origin: Origin::Cswitch(Box::new(decoded.origin)),
        })
    }
}

impl Piece {
    fn gather(&self, line: &Line) -> (Course, Vec<Gathered>) {
        let size = line.shape.entry_bytes();
        let mut gathered: Vec<Gathered> = Vec::new();
        gathered.resize_with(self.cores.len(), Gathered::default);
        let mut course = Course::default();
        let mut first = None;
        let events = self
            .blocks
            .iter()
            .flat_map(|block| block.events(&self.numbers));
        for event in events {
            let place = self.cores.partition_point(|core| core.core < event.core);
            let Some(core) = gathered.get_mut(place) else {
                continue;
            };
            if core.bytes.is_empty() || event.missing != Missing::Nothing {
                core.breaks.push((core.bytes.len(), event.missing));
            }
            core.bytes.extend(event.entry.iter().take(size));
            course.picks.push(u8::try_from(place).unwrap_or(u8::MAX));
            course
                .time
                .push(event.time - *first.get_or_insert(event.time));
        }
        (course, gathered)
    }
}

impl Gathered {
    fn parts(&self) -> Vec<Part<'_>> {
        let ends = self.breaks.iter().skip(1).map(|(start, _)| *start);
        let ends = ends.chain([self.bytes.len()]);
        let part = |((start, missing), end): (&(usize, Missing), usize)| Part {
            bytes: self.bytes.get(*start..end).unwrap_or_default(),
            missing: *missing,
        };
        self.breaks.iter().zip(ends).map(part).collect()
    }
}
