//! A recording on disk.

use super::entry::{HEADER_LEN, IndexHeader};
use super::folder::{self, MANIFEST_FILE_NAME, SegmentFileKind};
use super::index::{self, IndexSurvey};
use super::loss_record::{self, LossRecord};
use super::manifest::Manifest;
use super::segment_metadata::{DamagedMetadata, SegmentMetadata};
use super::segment_reader::{Segment, SegmentReader};
use super::{DamagedBlock, RecordingError, RecordingItem, RecordingProblem};
use rtoscope_decode::files;
use rtoscope_decode::live::HostTime;
use std::io::{ErrorKind, Read as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// A recording on disk as it was when it was opened: finished, truncated or still being
/// written.
#[derive(Debug)]
pub struct Recording {
    folder: PathBuf,
    facts: Result<Manifest, RecordingProblem>,
    segments: Vec<Segment>,
    /// The loss at the end, if any.
    loss: Option<Result<LossRecord, loss_record::DamagedLossRecord>>,
}

impl Recording {
    /// Opens the recording in a folder.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read, or contains no recording or one of an unsupported
    /// schema. Damage is not an error, see [`Recording::problems`].
    pub fn open(folder: &Path) -> Result<Self, RecordingError> {
        Self::open_during(folder, &mut || ())
    }

    /// Opens the recording; `pause` is called wherever a recorder may change the
    /// folder.
    fn open_during(folder: &Path, pause: &mut dyn FnMut()) -> Result<Self, RecordingError> {
        // Before the segments: one that was started since shows that writing continues.
        let loss = LossRecord::read(folder);
        pause();
        let sizes = folder::segments(folder, pause)?;
        if sizes.is_empty() && !has_manifest(folder) {
            return Err(RecordingError::NoRecording {
                folder: folder.into(),
            });
        }
        let facts = Manifest::read(folder)?;
        let mut segments = Vec::new();
        let mut end = 0;
        let mut begun = facts.as_ref().map_or(HostTime(0), |facts| facts.started);
        for (number, bytes) in sizes {
            pause();
            let header = header(folder, number).filter(|header| header.offset >= end);
            // Just started, or just removed: the index is removed after the bytes.
            let bytes_path = folder::path(folder, number, SegmentFileKind::Bytes);
            let is_there = || files::length(&bytes_path).is_ok();
            if header.is_none() && (bytes == 0 || !is_there()) {
                continue;
            }
            begun = header.map_or(begun, |header| header.started);
            let segment = Segment {
                number,
                offset: header.map_or(end, |header| header.offset),
                bytes,
                begun,
                has_index: header.is_some(),
            };
            end = segment.end();
            segments.push(segment);
        }
        Ok(Self {
            folder: folder.into(),
            facts,
            segments,
            loss,
        })
    }

    /// Whether a folder contains a recording.
    pub fn is_one(folder: &Path) -> bool {
        let numbers = || folder::segment_numbers(folder, &mut || ());
        let has_segments = || numbers().is_ok_and(|numbers| !numbers.is_empty());
        has_manifest(folder) || files::is_dir(folder) && has_segments()
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The manifest; `None` if it is damaged.
    pub fn facts(&self) -> Option<&Manifest> {
        self.facts.as_ref().ok()
    }

    /// The existing segments, in order.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Number of existing bytes.
    pub fn bytes(&self) -> u64 {
        let bytes = self.segments.iter().map(|segment| segment.bytes);
        bytes.fold(0, u64::saturating_add)
    }

    /// Number of received bytes that could not be written at the end.
    pub fn missing_at_end(&self) -> u64 {
        self.loss_at_end().map_or(0, |(bytes, _)| bytes)
    }

    /// The loss at the end, if any: number of bytes and reason.
    fn loss_at_end(&self) -> Option<(u64, &LossRecord)> {
        let loss = self.loss.as_ref()?.as_ref().ok()?;
        let bytes = loss.offset.saturating_sub(self.end());
        (bytes > 0).then_some((bytes, loss))
    }

    /// Offset of the recording after its last existing byte.
    fn end(&self) -> u64 {
        self.segments.last().map_or(0, Segment::end)
    }

    /// Damage, and bytes missing after the first existing byte. Reads the whole index.
    ///
    /// # Errors
    ///
    /// If a file cannot be read.
    pub fn problems(&self) -> Result<Vec<RecordingProblem>, RecordingError> {
        let mut problems: Vec<_> = self.facts.as_ref().err().cloned().into_iter().collect();
        let mut end = self.segments.first().map_or(0, |segment| segment.offset);
        let mut last = None;
        for segment in &self.segments {
            let number = segment.number;
            if segment.offset > end {
                problems.push(RecordingProblem::Missing {
                    offset: end,
                    bytes: segment.offset - end,
                });
            }
            end = segment.end();
            if !segment.has_index {
                problems.push(RecordingProblem::Index { segment: number });
            } else {
                let found = index::survey(&self.folder, number, segment.offset)?;
                if found.damaged > 0 {
                    problems.push(RecordingProblem::Entries {
                        segment: number,
                        count: found.damaged,
                    });
                }
                last = Some((segment, found));
            }
        }
        problems.extend(self.problem_at_end(last)?);
        if let Some(Err(loss_record::DamagedLossRecord)) = &self.loss {
            problems.push(RecordingProblem::LossRecord);
        }
        if self.segments.first().is_some_and(|first| first.offset > 0)
            && let Some((segment, Err(_))) = self.prefaces(0).next()
        {
            problems.push(RecordingProblem::Metadata { segment });
        }
        Ok(problems)
    }

    /// What is missing at the end. `last` is the last segment with an index.
    fn problem_at_end(
        &self,
        last: Option<(&Segment, IndexSurvey)>,
    ) -> Result<Option<RecordingProblem>, RecordingError> {
        let offset = self.end();
        if let Some((bytes, _)) = self.loss_at_end() {
            return Ok(Some(RecordingProblem::Missing { offset, bytes }));
        }
        let Some((segment, index)) = last.filter(|(segment, _)| segment.end() == offset) else {
            return Ok(None);
        };
        // A recorder that goes on has written more since the segments were listed.
        let path = folder::path(&self.folder, segment.number, SegmentFileKind::Bytes);
        let length = match files::length(&path) {
            Ok(length) => length,
            // It was removed meanwhile.
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(RecordingError::io("cannot read", path, error)),
        };
        let offset = segment.offset.saturating_add(length);
        let missing = index.end.saturating_sub(offset);
        Ok(match (missing, index.is_closed) {
            (bytes @ 1.., _) => Some(RecordingProblem::Missing { offset, bytes }),
            (0, false) => Some(RecordingProblem::Unfinished),
            (0, true) => None,
        })
    }

    /// Visits the recording from an offset on, or from the first existing byte after
    /// it, until `visit` returns `ControlFlow::Break`.
    ///
    /// # Errors
    ///
    /// If a file cannot be read. A segment that was removed meanwhile is an
    /// interruption.
    pub fn read(
        &self,
        from: u64,
        mut visit: impl FnMut(RecordingItem<'_>) -> ControlFlow<()>,
    ) -> Result<(), RecordingError> {
        // A segment that ends there may contain an interruption at its end.
        let first = self
            .segments
            .partition_point(|segment| segment.end() < from);
        // An interruption after the last byte still matters.
        let first = first.min(self.segments.len().saturating_sub(1));
        let before = first.checked_sub(1);
        let mut end = before
            .and_then(|it| self.segments.get(it))
            .map(Segment::end);
        for segment in self.segments.iter().skip(first) {
            let missing = segment.offset.saturating_sub(end.unwrap_or(segment.offset));
            if end.is_none() && from <= segment.offset && segment.offset > 0 {
                // A later segment's metadata contains more.
                let preface = self.prefaces(first).find_map(|(_, preface)| preface.ok());
                if let Some(SegmentMetadata { format, bytes }) = preface
                    && visit(RecordingItem::Metadata {
                        format,
                        bytes: &bytes,
                    })
                    .is_break()
                {
                    return Ok(());
                }
            }
            let reading = SegmentReader::open(&self.folder, segment, from, missing, &mut visit)?;
            let Some(reading) = reading else {
                continue;
            };
            end = Some(segment.end());
            if reading.run()?.is_break() {
                return Ok(());
            }
        }
        if let Some((missing, loss)) = self.loss_at_end()
            && from <= loss.offset
        {
            let LossRecord { at, reason, .. } = loss;
            let _ = visit(RecordingItem::Interrupted {
                at: *at,
                reason,
                missing_bytes: missing,
            });
        }
        Ok(())
    }

    /// The bytes that are not those that were received. Reads all of them.
    ///
    /// # Errors
    ///
    /// If a file cannot be read.
    pub fn damaged_blocks(&self) -> Result<Vec<DamagedBlock>, RecordingError> {
        let mut blocks = Vec::new();
        self.read(0, |item| {
            if let RecordingItem::Damaged(block) = item {
                block.add_to(&mut blocks);
            }
            ControlFlow::Continue(())
        })?;
        Ok(blocks)
    }

    /// The metadata files of a segment and of later ones, with the numbers of their
    /// segments.
    fn prefaces(
        &self,
        first: usize,
    ) -> impl Iterator<Item = (u64, Result<SegmentMetadata, DamagedMetadata>)> {
        let numbers = self.segments.iter().skip(first).map(|it| it.number);
        numbers.filter_map(|number| Some((number, SegmentMetadata::read(&self.folder, number)?)))
    }
}

fn has_manifest(folder: &Path) -> bool {
    files::length(&folder.join(MANIFEST_FILE_NAME)).is_ok()
}

/// The header of a segment's index; `None` if it is damaged or missing.
fn header(folder: &Path, number: u64) -> Option<IndexHeader> {
    let mut file = files::open(&folder::path(folder, number, SegmentFileKind::Index)).ok()?;
    let mut bytes = [0; HEADER_LEN];
    file.read_exact(&mut bytes).ok()?;
    IndexHeader::decode(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Recorder, RecorderOptions};
    use std::fs::File;

    /// How a recorder continues while its recording is opened.
    #[derive(Debug, Clone, Copy)]
    struct Case {
        /// Number of chunks of 10 bytes written at once.
        pieces: usize,
        /// They are written at every `every`th call of `pause`.
        every: usize,
        segment_bytes: u64,
        segments: Option<usize>,
        /// Unrelated files, which make the system list the folder in several steps.
        other_files: usize,
    }

    impl Case {
        fn open(self) -> (tempfile::TempDir, Recording) {
            let folder = tempfile::tempdir().unwrap();
            let settings = RecorderOptions {
                folder: folder.path().into(),
                source: "a test".to_owned(),
                segment_bytes: Some(self.segment_bytes),
                segment_time: None,
                max_segments: self.segments,
            };
            let mut recorder = Recorder::create(settings, HostTime(1)).unwrap();
            let mut write = |pieces| {
                for _ in 0..pieces {
                    recorder.write(&[7; 10], HostTime(2)).unwrap();
                }
                recorder
                    .keeper()
                    .store_metadata(u64::MAX, rtoscope_decode::rkh::FORMAT, &[]);
            };
            write(7);
            for number in 0..self.other_files {
                File::create(folder.path().join(format!("{number:06}.other"))).unwrap();
            }
            let mut moments = 0;
            let mut pause = || {
                moments += 1;
                if moments % self.every == 0 {
                    write(self.pieces);
                }
            };
            let recording = Recording::open_during(folder.path(), &mut pause).unwrap();
            (folder, recording)
        }
    }

    #[test]
    fn a_recorder_that_goes_on_leaves_no_gaps() {
        let case = |every, segments| Case {
            pieces: 2,
            every,
            segment_bytes: 20,
            segments,
            other_files: 0,
        };
        let listed_in_steps = Case {
            other_files: 3000,
            ..case(300, None)
        };
        let kept = (3..24).step_by(5).map(|every| case(every, Some(4)));
        let grows = [1, 5].map(|every| case(every, None));
        for case in kept.chain(grows).chain([listed_in_steps]) {
            let (_folder, recording) = case.open();
            let problems = recording.problems().unwrap();
            let unfinished = [RecordingProblem::Unfinished];
            assert!(
                problems.is_empty() || problems == unfinished,
                "{problems:?} {case:?}"
            );
            if case.segments.is_some() {
                continue;
            }
            let mut end = 0;
            let read = recording.read(0, |part| {
                let RecordingItem::Bytes { offset, bytes, .. } = part else {
                    panic!("{part:?} in {case:?} {recording:?}");
                };
                assert_eq!(offset, end);
                end += bytes.len() as u64;
                ControlFlow::Continue(())
            });
            read.unwrap();
            assert!(end >= 70, "{case:?}");
        }
    }
}
