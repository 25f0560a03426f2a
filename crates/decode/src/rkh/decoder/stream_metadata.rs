//! The stream metadata, for readers of its later part.

use super::RkhResumeState;
use super::known_target::SharedSurvey;
use crate::rkh::deframer;
use crate::rkh::record_page::RecordState;
use crate::rkh::stream_info::Provenance;
use crate::rkh::stream_state::StreamState;
use crate::rkh::survey::{AddressUsage, NameRecord, SurveyedObject, TargetSurvey};
use rtoscope_trace::{Name, ObjectClass};
use rtoscope_wire::rkh::config::CONFIGURATION_KEYS;
use rtoscope_wire::rkh::frame::FLAG;
use rtoscope_wire::rkh::{Dialect, FieldWidth, StreamConfiguration, TargetConfiguration};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

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
    from: Provenance,
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
    /// Collects the metadata of the state after the newest record.
    pub(super) fn new(state: &RkhResumeState) -> Self {
        let record_state = &state.record_state;
        let survey = state.survey.current();
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
            from: state.provenance,
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

    /// Parses metadata into the state before a stream that continues; `None` if the
    /// bytes are not valid metadata.
    pub(super) fn read(bytes: &[u8]) -> Option<RkhResumeState> {
        let metadata: Self = serde_json::from_slice(bytes).ok()?;
        let metadata = Some(metadata).filter(|metadata| metadata.schema == SCHEMA)?;
        Some(RkhResumeState {
            record_state: metadata.record_state()?,
            start: StreamState::default(),
            survey: SharedSurvey::new(Arc::new(metadata.survey())),
            provenance: metadata.from,
            guess: None,
        })
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
            if let Some(width) = FieldWidth::from_bytes(*width) {
                survey.reserve(*number, width);
            }
        }
        survey.records_step_ends = self.records_step_ends;
        survey.restarts = self.restarts;
        survey
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
