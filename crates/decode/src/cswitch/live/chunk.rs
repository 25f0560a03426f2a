//! A chunk of a stream's events, decoded as a log.

use super::common_timeline::CommonTimeline;
use super::event_store::EventBlock;
use super::name_table::NameTable;
use crate::cswitch::decode_log;
use crate::cswitch::log::{CoreLog, LogPart, MissingEntries, SwitchLog};
use crate::cswitch::merge::MergeOrder;
use crate::cswitch::options::CswitchOptions;
use crate::{DecodeError, DecodedRecording, FormatInfo, live};
use std::ops::Range;
use std::sync::Arc;

/// A range of events, and the state that decoding them needs.
pub(super) struct CswitchChunk {
    pub(super) event_range: Range<u64>,
    pub(super) blocks: Vec<Arc<EventBlock>>,
    pub(super) timeline: Option<CommonTimeline>,
    pub(super) names: Arc<NameTable>,
    /// The logs of the cores, by number, without entries.
    pub(super) cores: Vec<CoreLog<'static>>,
    pub(super) options: CswitchOptions,
}

/// Entries of a core, and the gaps between them.
#[derive(Default)]
struct CoreEntries {
    bytes: Vec<u8>,
    /// The starts of parts, and the entries missing before each.
    gaps: Vec<(usize, MissingEntries)>,
}

impl live::EventChunk for CswitchChunk {
    fn decode(self: Box<Self>) -> Result<DecodedRecording, DecodeError> {
        let line = self
            .timeline
            .as_ref()
            .ok_or_else(|| DecodeError::NoSwitchLog {
                problem: "no container has arrived".to_owned(),
            })?;
        let (course, entries) = self.collect_cores(line);
        let cores = self.cores.iter().zip(&entries);
        let cores = cores.map(|(core, entries)| CoreLog {
            parts: entries.parts(),
            ..core.clone()
        });
        let log = SwitchLog {
            black_box: None,
            cores: cores.collect(),
            name_source: self.names.thread_names(),
            symbols: self.names.symbols(),
            merge_order: Some(course),
            ..SwitchLog::contained(line.layout, line.target_frequency)
        };
        let decoded = decode_log::decode(&log, &self.options);
        Ok(DecodedRecording {
            trace: decoded.trace,
            format_info: FormatInfo::new(decoded.log_info),
        })
    }
}

impl CswitchChunk {
    fn collect_cores(&self, line: &CommonTimeline) -> (MergeOrder, Vec<CoreEntries>) {
        let size = line.layout.entry_bytes();
        let mut entries: Vec<CoreEntries> = Vec::new();
        entries.resize_with(self.cores.len(), CoreEntries::default);
        let mut course = MergeOrder::default();
        let mut first = None;
        let events = self
            .blocks
            .iter()
            .flat_map(|block| block.events(&self.event_range));
        for event in events {
            let place = self.cores.partition_point(|core| core.core < event.core);
            let Some(core) = entries.get_mut(place) else {
                continue;
            };
            if core.bytes.is_empty() || event.missing != MissingEntries::None {
                core.gaps.push((core.bytes.len(), event.missing));
            }
            core.bytes.extend(event.entry.iter().take(size));
            core.bytes
                .extend(event.values.iter().flat_map(|values| values.iter()));
            course
                .core_of_entry
                .push(u8::try_from(place).unwrap_or(u8::MAX));
            course
                .time
                .push(event.time - *first.get_or_insert(event.time));
        }
        (course, entries)
    }
}

impl CoreEntries {
    fn parts(&self) -> Vec<LogPart<'_>> {
        let ends = self.gaps.iter().skip(1).map(|(start, _)| *start);
        let ends = ends.chain([self.bytes.len()]);
        let part = |((start, missing), end): (&(usize, MissingEntries), usize)| LogPart {
            bytes: self.bytes.get(*start..end).unwrap_or_default(),
            missing: *missing,
        };
        self.gaps.iter().zip(ends).map(part).collect()
    }
}
