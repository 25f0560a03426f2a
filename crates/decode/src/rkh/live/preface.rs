//! What a stream has told, for those who get only its later part.

use super::guide::Shared;
use super::reading::Reading;
use crate::rkh::page::Footing;
use crate::rkh::stream::Provenance;
use crate::rkh::survey::{ActiveObject, Named, Survey, Usage};
use crate::rkh::{Options, deframe};
use rtoscope_trace::{Name, ObjectClass};
use rtoscope_wire::rkh::config::KEYS;
use rtoscope_wire::rkh::frame::FLAG;
use rtoscope_wire::rkh::signal::Reserved;
use rtoscope_wire::rkh::{Configuration, Dialect, TargetConfiguration, Width};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// It, as JSON. Bytes are text of the characters up to U+00FF.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Preface {
    schema: String,
    /// The version of RKH whose records these are.
    dialect: String,
    /// By the names of the keys of a configuration.
    configuration: BTreeMap<String, u32>,
    /// The frame in which the target told it, if it did.
    target: Option<String>,
    /// Whether the configuration was guessed or assumed, if nobody told it.
    from: From,
    starts: u32,
    tells_ends: bool,
    /// Addresses and priorities.
    active: Vec<(u32, Option<u16>)>,
    names: Vec<Naming>,
    /// Addresses, what lies there, and how large it is.
    used: Vec<(u32, String, [u64; 2])>,
    /// The framework's own signals, and the bytes of a signal.
    signals: Vec<(u32, u8)>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum From {
    Told,
    Given,
    Guessed,
    Assumed,
}

#[derive(Debug, Serialize, Deserialize)]
struct Naming {
    class: String,
    id: u8,
    owner: u32,
    address: u32,
    name: String,
    start: u32,
}

const SCHEMA: &str = "rtoscope/rkh-preface/1";

impl Preface {
    /// What is known so far.
    pub(super) fn of(reading: &Reading) -> Self {
        let (target, footing, provenance) = reading.known();
        let survey = target.now();
        let configuration = footing.configuration;
        let keys = KEYS.iter().filter_map(|key| {
            let value = configuration.get(key.name)?;
            Some((key.name.to_owned(), value))
        });
        let mut used: Vec<_> = survey.used.iter().collect();
        used.sort_by_key(|(address, _)| **address);
        let used = used.into_iter();
        let names = survey.names.iter();
        let active = survey.active.iter();
        let width = configuration.signal.bytes() as u8;
        let signals = survey.reserved.iter().map(|(_, number)| (*number, width));
        Self {
            schema: SCHEMA.to_owned(),
            dialect: configuration.dialect.name().to_owned(),
            configuration: keys.collect(),
            target: footing.target.as_ref().and_then(frame_of),
            from: From::of(provenance),
            starts: survey.starts,
            tells_ends: survey.tells_ends,
            active: active.map(|it| (it.address, it.priority)).collect(),
            names: names.map(Naming::of).collect(),
            used: used
                .map(|(address, usage)| (*address, usage.class.name().to_owned(), usage.parameters))
                .collect(),
            signals: signals.collect(),
        }
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// What bytes say; `None` if they are no preface.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let preface: Self = serde_json::from_slice(bytes).ok()?;
        (preface.schema == SCHEMA && preface.footing().is_some()).then_some(preface)
    }

    /// A stream that goes on behind it.
    pub(super) fn reading(&self, options: &Options) -> Option<Reading> {
        let target = Shared::default();
        target.learn(self.survey());
        let provenance = self.from.provenance();
        Some(Reading::taught(
            &self.footing()?,
            target,
            provenance,
            options,
        ))
    }

    fn footing(&self) -> Option<Footing> {
        let mut configuration = Configuration {
            dialect: Dialect::from_name(&self.dialect)?,
            ..Configuration::default()
        };
        for key in KEYS {
            let value = *self.configuration.get(key.name)?;
            // There is no size of a stamp where there is none.
            if key.name != "tssize" || configuration.stamp.is_some() {
                configuration.set(key.name, value).ok()?;
            }
        }
        Some(Footing {
            configuration,
            target: self.target.as_deref().and_then(target_of),
            sequence: None,
            stamp: 0,
        })
    }

    fn survey(&self) -> Survey {
        let mut survey = Survey::default();
        for (address, priority) in &self.active {
            survey.add_active(ActiveObject {
                address: *address,
                priority: *priority,
            });
        }
        let names = self.names.iter().filter_map(Naming::named);
        names.for_each(|named| survey.add_name(named));
        for (address, class, parameters) in &self.used {
            if let Some(class) = ObjectClass::from_name(class) {
                let parameters = *parameters;
                survey.add_usage(*address, Usage { class, parameters });
            }
        }
        for (number, width) in &self.signals {
            if let Some(width) = Width::from_bytes(*width)
                && Reserved::of(*number, width).is_some()
            {
                survey.reserve(*number, width);
            }
        }
        survey.tells_ends = self.tells_ends;
        survey.starts = self.starts;
        survey
    }
}

impl From {
    fn of(provenance: Provenance) -> Self {
        match provenance {
            Provenance::Told | Provenance::ToldLater => Self::Told,
            Provenance::Given => Self::Given,
            Provenance::Guessed => Self::Guessed,
            Provenance::Assumed => Self::Assumed,
        }
    }

    fn provenance(self) -> Provenance {
        match self {
            Self::Told => Provenance::Told,
            Self::Given => Provenance::Given,
            Self::Guessed => Provenance::Guessed,
            Self::Assumed => Provenance::Assumed,
        }
    }
}

impl Naming {
    fn of(named: &Named) -> Self {
        Self {
            class: named.class.name().to_owned(),
            id: named.id,
            owner: named.owner,
            address: named.address,
            name: text(named.name.as_bytes()),
            start: named.start,
        }
    }

    fn named(&self) -> Option<Named> {
        Some(Named {
            class: ObjectClass::from_name(&self.class)?,
            id: self.id,
            owner: self.owner,
            address: self.address,
            name: Name::new(&bytes(&self.name)?),
            start: self.start,
        })
    }
}

fn text(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

fn bytes(text: &str) -> Option<Vec<u8>> {
    let bytes = text.chars().map(|it| u8::try_from(it).ok());
    bytes.collect()
}

fn frame_of(target: &TargetConfiguration) -> Option<String> {
    let mut frame = Vec::new();
    target.encode(|byte| frame.push(byte), 0, 0).ok()?;
    Some(text(&frame))
}

fn target_of(frame: &str) -> Option<TargetConfiguration> {
    let frame = [&[FLAG], &bytes(frame)?[..]].concat();
    let mut target = None;
    deframe::each(&frame, frame.len(), |frame| {
        target = TargetConfiguration::parse(frame.bytes);
        false
    });
    target
}
