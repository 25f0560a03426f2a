//! The stream metadata, for readers of its later part.

use super::record_semantics::SharedSurvey;
use super::record_store::RecordStore;
use crate::rkh::record_page::RecordState;
use crate::rkh::stream_info::Provenance;
use crate::rkh::survey::{AddressUsage, NameRecord, SurveyedObject, TargetSurvey};
use crate::rkh::{RkhOptions, deframer};
use rtoscope_trace::{Name, ObjectClass};
use rtoscope_wire::rkh::config::CONFIGURATION_KEYS;
use rtoscope_wire::rkh::frame::FLAG;
use rtoscope_wire::rkh::signal::ReservedSignal;
use rtoscope_wire::rkh::{Dialect, FieldWidth, StreamConfiguration, TargetConfiguration};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The metadata, as JSON. Bytes are encoded as characters up to U+00FF. The keys
/// and values are part of saved recordings and must not change.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StreamMetadata {
    schema: String,
    /// The RKH version of the records.
    dialect: String,
    /// The configuration by the names of its keys.
    configuration: BTreeMap<String, u32>,
    /// The frame with the target's configuration, if it sent one.
    target: Option<String>,
    /// Whether the configuration is a guess or the default, if the target did
    /// not send it.
    from: MetadataSource,
    #[serde(rename = "starts")]
    restarts: u32,
    #[serde(rename = "tells_ends")]
    records_step_ends: bool,
    /// Addresses and priorities.
    active: Vec<(u32, Option<u16>)>,
    names: Vec<NameEntry>,
    /// Addresses, the class of object at each, and its size.
    used: Vec<(u32, String, [u64; 2])>,
    /// The framework's own signals, and the size of a signal.
    signals: Vec<(u32, u8)>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum MetadataSource {
    #[serde(rename = "told")]
    Target,
    #[serde(rename = "given")]
    User,
    Guessed,
    #[serde(rename = "assumed")]
    Default,
}

#[derive(Debug, Serialize, Deserialize)]
struct NameEntry {
    class: String,
    id: u8,
    owner: u32,
    address: u32,
    name: String,
    start: u32,
}

/// Settings that older recordings omit; they have their defaults there.
const LATER_KEYS: [&str; 2] = ["chkts", "id"];

const SCHEMA: &str = "rtoscope/rkh-preface/1";

impl StreamMetadata {
    /// Collects the metadata known so far.
    pub(super) fn from_store(store: &RecordStore) -> Self {
        let (target, record_state, provenance) = store.metadata_parts();
        let survey = target.current();
        let configuration = record_state.configuration;
        let keys = CONFIGURATION_KEYS.iter().filter_map(|key| {
            let value = configuration.get(key.name)?;
            Some((key.name.to_owned(), value))
        });
        let mut used: Vec<_> = survey.address_usage.iter().collect();
        used.sort_by_key(|(address, _)| **address);
        let used = used.into_iter();
        let names = survey.names.iter();
        let active = survey.active_objects.iter();
        let width = configuration.signal.bytes() as u8;
        let signals = survey
            .reserved_signals
            .iter()
            .map(|(_, number)| (*number, width));
        Self {
            schema: SCHEMA.to_owned(),
            dialect: configuration.dialect.name().to_owned(),
            configuration: keys.collect(),
            target: record_state.target.as_ref().and_then(target_frame),
            from: MetadataSource::from_provenance(provenance),
            restarts: survey.restarts,
            records_step_ends: survey.records_step_ends,
            active: active.map(|it| (it.address, it.priority)).collect(),
            names: names.map(NameEntry::from_named).collect(),
            used: used
                .map(|(address, usage)| (*address, usage.class.name().to_owned(), usage.parameters))
                .collect(),
            signals: signals.collect(),
        }
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Parses metadata; `None` if the bytes are not valid metadata.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let metadata: Self = serde_json::from_slice(bytes).ok()?;
        (metadata.schema == SCHEMA && metadata.record_state().is_some()).then_some(metadata)
    }

    /// A record store that continues after the metadata.
    pub(super) fn to_store(&self, options: &RkhOptions) -> Option<RecordStore> {
        let target = SharedSurvey::default();
        target.merge(self.survey());
        let provenance = self.from.provenance();
        Some(RecordStore::from_metadata(
            &self.record_state()?,
            target,
            provenance,
            options,
        ))
    }

    fn record_state(&self) -> Option<RecordState> {
        let mut configuration = StreamConfiguration {
            dialect: Dialect::from_name(&self.dialect)?,
            ..StreamConfiguration::default()
        };
        for key in CONFIGURATION_KEYS {
            let value = match self.configuration.get(key.name) {
                Some(value) => *value,
                // Recordings from before these settings existed.
                None if LATER_KEYS.contains(&key.name) => continue,
                None => return None,
            };
            // Without timestamps there is no timestamp size.
            if key.name != "tssize" || configuration.timestamp.is_some() {
                configuration.set(key.name, value).ok()?;
            }
        }
        Some(RecordState {
            configuration,
            target: self.target.as_deref().and_then(parse_target_frame),
            sequence: None,
            timestamp: 0,
        })
    }

    fn survey(&self) -> TargetSurvey {
        let mut survey = TargetSurvey::default();
        for (address, priority) in &self.active {
            survey.add_active(SurveyedObject {
                address: *address,
                priority: *priority,
            });
        }
        let names = self.names.iter().filter_map(NameEntry::named);
        names.for_each(|named| survey.add_name(named));
        for (address, class, parameters) in &self.used {
            if let Some(class) = ObjectClass::from_name(class) {
                let parameters = *parameters;
                survey.add_usage(*address, AddressUsage { class, parameters });
            }
        }
        for (number, width) in &self.signals {
            if let Some(width) = FieldWidth::from_bytes(*width)
                && ReservedSignal::from_number(*number, width).is_some()
            {
                survey.reserve(*number, width);
            }
        }
        survey.records_step_ends = self.records_step_ends;
        survey.restarts = self.restarts;
        survey
    }
}

impl MetadataSource {
    fn from_provenance(provenance: Provenance) -> Self {
        match provenance {
            Provenance::Target | Provenance::TargetLater => Self::Target,
            Provenance::User => Self::User,
            Provenance::Guessed => Self::Guessed,
            Provenance::Default => Self::Default,
        }
    }

    fn provenance(self) -> Provenance {
        match self {
            Self::Target => Provenance::Target,
            Self::User => Provenance::User,
            Self::Guessed => Provenance::Guessed,
            Self::Default => Provenance::Default,
        }
    }
}

impl NameEntry {
    fn from_named(named: &NameRecord) -> Self {
        Self {
            class: named.class.name().to_owned(),
            id: named.id,
            owner: named.owner,
            address: named.address,
            name: latin1_text(named.name.as_bytes()),
            start: named.start,
        }
    }

    fn named(&self) -> Option<NameRecord> {
        Some(NameRecord {
            class: ObjectClass::from_name(&self.class)?,
            id: self.id,
            owner: self.owner,
            address: self.address,
            name: Name::new(&latin1_bytes(&self.name)?),
            start: self.start,
        })
    }
}

fn latin1_text(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

fn latin1_bytes(text: &str) -> Option<Vec<u8>> {
    let bytes = text.chars().map(|it| u8::try_from(it).ok());
    bytes.collect()
}

fn target_frame(target: &TargetConfiguration) -> Option<String> {
    let mut frame = Vec::new();
    target.encode(|byte| frame.push(byte), 0, 0).ok()?;
    Some(latin1_text(&frame))
}

fn parse_target_frame(frame: &str) -> Option<TargetConfiguration> {
    let frame = [&[FLAG], &latin1_bytes(frame)?[..]].concat();
    let mut target = None;
    deframer::for_each_frame(&frame, frame.len(), |frame| {
        target = TargetConfiguration::parse(frame.bytes);
        false
    });
    target
}
