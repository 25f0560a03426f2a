//! A chunk of a stream's events, decoded as a log.

use super::common_timeline::CommonTimeline;
use super::logged_event::LoggedEvent;
use super::name_table::NameTable;
use crate::cswitch::decode_log;
use crate::cswitch::log::{CoreLog, LogPart, MissingEntries, SwitchLog};
use crate::cswitch::merge::MergeOrder;
use crate::cswitch::options::CswitchOptions;
use crate::live::{self, EventSlice};
use crate::{DecodeError, DecodedRecording, FormatInfo};
use std::sync::Arc;

/// A range of events, and the state that decoding them needs.
pub(super) struct CswitchChunk {
    /// Whether events precede them.
    pub(super) is_continuation: bool,
    pub(super) events: Vec<EventSlice<LoggedEvent>>,
    pub(super) timeline: Option<CommonTimeline>,
    pub(super) names: Arc<NameTable>,
    /// The logs of the cores, by number, without entries.
    pub(super) cores: Vec<CoreLog<'static>>,
    pub(super) options: CswitchOptions,
}

/// Consecutive entries of a core, after missing ones, in an epoch of names.
type EntryRun = (Vec<u8>, MissingEntries, u32);

impl live::EventChunk for CswitchChunk {
    fn decode(self: Box<Self>) -> Result<DecodedRecording, DecodeError> {
        let line = self
            .timeline
            .as_ref()
            .ok_or_else(|| DecodeError::NoSwitchLog {
                problem: "no container has arrived".to_owned(),
            })?;
        let (order, runs) = self.collect_cores(line.layout.entry_bytes());
        let cores = self.cores.iter().zip(&runs);
        let cores = cores.map(|(core, runs)| {
            let parts = runs.iter().map(|(bytes, missing, epoch)| LogPart {
                bytes,
                missing: *missing,
                epoch: *epoch,
            });
            CoreLog {
                parts: parts.collect(),
                ..core.clone()
            }
        });
        let log = SwitchLog {
            cores: cores.collect(),
            name_source: self.names.thread_names(),
            symbols: self.names.symbols(),
            merge_order: Some(order),
            is_continuation: self.is_continuation,
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
    /// The order of the entries, and the entries of each core.
    fn collect_cores(&self, entry_bytes: usize) -> (MergeOrder, Vec<Vec<EntryRun>>) {
        let mut runs: Vec<Vec<EntryRun>> = vec![Vec::new(); self.cores.len()];
        let mut order = MergeOrder::default();
        let mut first = None;
        for event in self.events.iter().flat_map(EventSlice::items) {
            let place = self.cores.partition_point(|core| core.core < event.core);
            let Some(runs) = runs.get_mut(place) else {
                continue;
            };
            let continues = runs.last().is_some_and(|(.., epoch)| *epoch == event.epoch);
            if !continues || event.missing != MissingEntries::None {
                runs.push((Vec::new(), event.missing, event.epoch));
            }
            if let Some((bytes, ..)) = runs.last_mut() {
                bytes.extend(event.entry.iter().take(entry_bytes));
                bytes.extend(event.values.iter().flat_map(|values| values.iter()));
            }
            let place = u8::try_from(place).unwrap_or(u8::MAX);
            order.core_of_entry.push(place);
            let first = *first.get_or_insert(event.time);
            order.time.push(event.time - first);
        }
        (order, runs)
    }
}
