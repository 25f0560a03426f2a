//! A batch of recordings, which one commit adds to all tables.

use super::IngestOptions;
use super::file_writer::{PartitionWriter, Provenance};
use super::pack::{self, PackWriter};
use crate::partition::Partition;
use crate::sources::SourceRecording;
use crate::store::{self, Location};
use crate::traces::{CommitOutcome, KnownRecordings, NewFile, TraceTables};
use anyhow::Context as _;
use bytes::Bytes;
use futures::stream::{self, Stream, StreamExt as _};
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_command::input::FileArgs;
use rtoscope_command::message;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;
use std::ops::AddAssign;
use std::path::Path;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::runtime::Runtime;
use tokio::task::JoinError;

/// Attempts to commit a batch, after commits of other processes.
const MAX_ATTEMPTS: usize = 1000;

/// What became of recordings.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BatchCounts {
    pub(crate) added: usize,
    /// Those whose bytes the tables have, or another recording of the batch.
    pub(crate) known: usize,
    pub(crate) failed: usize,
    pub(crate) rows: u64,
    pub(crate) files: usize,
    pub(crate) bytes: u64,
}

impl AddAssign for BatchCounts {
    fn add_assign(&mut self, other: Self) {
        self.added += other.added;
        self.known += other.known;
        self.failed += other.failed;
        self.rows += other.rows;
        self.files += other.files;
        self.bytes += other.bytes;
    }
}

impl fmt::Display for BatchCounts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{} recordings added, {} known before, {} failed; {} rows in {} files of {} bytes",
            self.added, self.known, self.failed, self.rows, self.files, self.bytes
        )
    }
}

/// Recordings to add together.
pub(super) struct Batch<'a> {
    pub(super) recordings: &'a [SourceRecording],
    pub(super) tags: &'a BTreeSet<String>,
    pub(super) options: &'a IngestOptions<'a>,
    pub(super) runtime: &'a Runtime,
}

/// What was written of a batch or of a partition, and is not committed yet.
#[derive(Default)]
struct Written {
    files: Vec<NewFile>,
    ids: HashSet<String>,
    counts: BatchCounts,
}

impl Batch<'_> {
    /// Adds the recordings that the tables do not have.
    ///
    /// # Errors
    ///
    /// If the tables cannot be read or written.
    pub(super) fn ingest(
        &self,
        tables: &mut TraceTables,
        known: &mut KnownRecordings,
    ) -> anyhow::Result<BatchCounts> {
        let runtime = self.runtime;
        let update = async |tables: &mut TraceTables, known: &mut KnownRecordings| {
            tables.update().await?;
            known.update(tables).await
        };
        runtime.block_on(update(tables, known))?;
        let mut written = self.write(tables, known)?;
        for _ in 0..MAX_ATTEMPTS {
            if written.files.is_empty() {
                return Ok(written.counts);
            }
            let details = [
                ("recordings", written.ids.len() as u64),
                ("rows", written.counts.rows),
            ];
            let commit = tables.commit(&written.files, Vec::new(), &details);
            if runtime.block_on(commit)? == CommitOutcome::Committed {
                return Ok(written.counts);
            }
            runtime.block_on(update(tables, known))?;
            if written.ids.iter().any(|id| known.contains(id)) {
                // Another process has added some of them meanwhile.
                self.runtime.block_on(tables.discard(&written.files));
                written = self.write(tables, known)?;
            }
        }
        self.runtime.block_on(tables.discard(&written.files));
        anyhow::bail!("other processes commit all the time; repeat the command")
    }

    /// Writes the files of all partitions, on all cores.
    fn write(&self, tables: &TraceTables, known: &KnownRecordings) -> anyhow::Result<Written> {
        let mut partitions: BTreeMap<Partition, Vec<&SourceRecording>> = BTreeMap::new();
        for recording in self.recordings {
            let bucket = tables.bucket_digits.bucket(recording.device());
            let day = recording.day.clone();
            let partition = Partition { day, bucket };
            partitions.entry(partition).or_default().push(recording);
        }
        let pack = Mutex::new(PackWriter::new()?);
        let ids = Mutex::new(HashSet::new());
        let write = |(partition, recordings): (_, Vec<_>)| {
            self.write_partition(tables, known, partition, &recordings, &pack, &ids)
        };
        let mut partitions: Vec<_> = partitions.into_iter().collect();
        // Those that take long are first.
        partitions.sort_by_key(|(_, recordings)| std::cmp::Reverse(recordings.len()));
        let parts = rtoscope_trace::parallel::map(partitions, write);
        let mut written = Written::default();
        let mut error = None;
        for part in parts {
            match part {
                Ok(part) => {
                    written.counts += part.counts;
                    written.files.extend(part.files);
                }
                Err(problem) => error = error.or(Some(problem)),
            }
        }
        if let Some(error) = error {
            self.runtime.block_on(tables.discard(&written.files));
            return Err(error);
        }
        let pack = pack.into_inner().unwrap_or_else(PoisonError::into_inner);
        written.counts.bytes += self.runtime.block_on(pack.finish(&tables.root))?;
        written.ids = ids.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(written)
    }

    fn write_partition(
        &self,
        tables: &TraceTables,
        known: &KnownRecordings,
        partition: Partition,
        recordings: &[&SourceRecording],
        pack: &Mutex<PackWriter>,
        ids: &Mutex<HashSet<String>>,
    ) -> anyhow::Result<Written> {
        let tables_to_write = &self.options.tables;
        let mut writer = PartitionWriter::new(partition, &tables.root, self.tags, tables_to_write);
        let mut written = Written::default();
        let mut reads = pin!(self.read_ahead(recordings));
        for recording in recordings {
            let read = self.runtime.block_on(reads.next());
            let bytes = match read.context("no more recordings")?? {
                Ok(bytes) => bytes,
                Err(error) if store::is_refusal(&error) => {
                    message!("{error:#}");
                    written.counts.failed += 1;
                    continue;
                }
                Err(error) => return Err(error),
            };
            let id = pack::recording_id(&bytes);
            let is_new = !known.contains(&id)
                && ids
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .insert(id.clone());
            if !is_new {
                written.counts.known += 1;
                continue;
            }
            let analyzed = match self.analyze(recording, &bytes, &id) {
                Ok(analyzed) => Arc::new(analyzed),
                Err(error) => {
                    message!("{}: {error:#}", recording.location.url);
                    ids.lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .remove(&id);
                    written.counts.failed += 1;
                    continue;
                }
            };
            let compressed = pack::compress(&bytes)?;
            let provenance = {
                let mut pack = pack.lock().unwrap_or_else(PoisonError::into_inner);
                Provenance {
                    source: recording.location.url.to_string(),
                    recorded_at: recording.recorded_at.clone(),
                    range: pack.add(&compressed)?,
                    pack: pack.path.clone(),
                }
            };
            writer.add(&analyzed, &recording.tags, recording.device(), &provenance)?;
            written.counts.added += 1;
        }
        written.files = writer.finish(self.runtime.handle())?;
        written.counts.files = written.files.len();
        for file in &written.files {
            written.counts.rows += file.rows;
            written.counts.bytes += file.bytes;
        }
        Ok(written)
    }

    /// The bytes of recordings; while one is decoded, the next one is read.
    fn read_ahead(
        &self,
        recordings: &[&SourceRecording],
    ) -> impl Stream<Item = Result<anyhow::Result<Bytes>, JoinError>> {
        let locations = recordings.iter().map(|it| it.location.clone());
        let locations: Vec<_> = locations.collect();
        let read = |location: Location| {
            let runtime = self.runtime;
            runtime.spawn(async move { location.read().await })
        };
        stream::iter(locations).map(read).buffered(2)
    }

    /// Decodes and analyses a recording.
    fn analyze(
        &self,
        recording: &SourceRecording,
        bytes: &[u8],
        id: &str,
    ) -> anyhow::Result<AnalyzedRecording> {
        let url = &recording.location.url;
        let name = url
            .path_segments()
            .and_then(Iterator::last)
            .unwrap_or_default();
        let name = Path::new(name);
        let local = recording.location.local_path();
        let decode = |path: &Path| {
            let file = FileArgs::new(path.to_owned(), self.options.buffer);
            file.recording(self.options.decode)
        };
        let decoded = match local {
            Some(path) => decode(&path)?,
            None => {
                // With the name, for messages and for formats that differ by it.
                let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
                let path = folder
                    .path()
                    .join(name.file_name().unwrap_or("recording".as_ref()));
                std::fs::write(&path, bytes).context("a temporary file")?;
                decode(&path)?
            }
        };
        let name = name.to_string_lossy();
        Ok(AnalyzedRecording::new(
            name,
            id,
            decoded.trace,
            &decoded.format_info,
        ))
    }
}
