//! Decodes the valid records of each stream, compares them with its reference and encodes
//! them again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rtoscope_wire::rkh::config::CONFIGURATION_KEYS;
use rtoscope_wire::rkh::encode::{encode, encode_items};
use rtoscope_wire::rkh::frame::{FLAG, unescape};
use rtoscope_wire::rkh::header::{HeaderError, split_frame};
use rtoscope_wire::rkh::record::record_spec;
use rtoscope_wire::rkh::user::{ItemValue, UserItem, UserItems};
use rtoscope_wire::rkh::{
    ArgumentLayout, ArgumentValue, ArgumentValues, Dialect, RecordHeader, RecordSpec,
    StreamConfiguration, TargetConfiguration,
};
use serde_json::{Value as Json, json};

fn folder() -> Option<PathBuf> {
    let folder = rtoscope_fixtures::shared_traces("rkh");
    folder.is_dir().then_some(folder)
}

/// The bytes between two flags, by the offset of the first one.
fn frames(stream: &[u8]) -> BTreeMap<usize, &[u8]> {
    let flags: Vec<usize> = (0..stream.len()).filter(|at| stream[*at] == FLAG).collect();
    flags
        .windows(2)
        .map(|pair| (pair[0] + 1, &stream[pair[0] + 1..pair[1]]))
        .filter(|(_, frame)| !frame.is_empty())
        .collect()
}

fn plain(escaped: &[u8]) -> Option<Vec<u8>> {
    let mut frame = vec![0; escaped.len()];
    let length = unescape(escaped, &mut frame).ok()?;
    frame.truncate(length);
    Some(frame)
}

struct DecodedRecord<'a> {
    header: RecordHeader,
    record: &'static RecordSpec,
    values: Vec<(&'static str, ArgumentValue<'a>)>,
    items: Vec<UserItem<'a>>,
}

/// The record of a frame; `None` if it is invalid.
fn decode<'a>(frame: &'a [u8], configuration: &StreamConfiguration) -> Option<DecodedRecord<'a>> {
    let (header, arguments) = split_frame(frame, configuration).ok()?;
    let record = record_spec(configuration.dialect, header.id)?;
    let mut decoded = DecodedRecord {
        header,
        record,
        values: Vec::new(),
        items: Vec::new(),
    };
    if record.layout == ArgumentLayout::Items {
        let items = UserItems::new(configuration, arguments);
        decoded.items = items.collect::<Result<_, _>>().ok()?;
    } else {
        for value in ArgumentValues::new(record, configuration, arguments) {
            let (argument, value) = value.ok()?;
            decoded.values.push((argument.name, value));
        }
    }
    Some(decoded)
}

fn text(bytes: &[u8]) -> Json {
    Json::from(String::from_utf8(bytes.to_vec()).unwrap())
}

impl DecodedRecord<'_> {
    /// In the reference's format.
    fn arguments(&self) -> Json {
        if self.record.layout == ArgumentLayout::Configuration {
            return json!([]);
        }
        let values = self.values.iter().map(|(name, value)| match value {
            ArgumentValue::Number(number) => json!([name, number]),
            ArgumentValue::Text(bytes) => json!([name, text(bytes)]),
        });
        let items = self.items.iter().map(|item| {
            let name = item.format.name();
            match (name, item.value) {
                ("obj" | "fun" | "sig", ItemValue::Unsigned(number)) => json!([name, number]),
                (_, ItemValue::Unsigned(number)) => json!([name, item.width, number]),
                (_, ItemValue::Signed(number)) => json!([name, item.width, number]),
                ("str", ItemValue::Bytes(bytes)) => json!([name, text(bytes)]),
                (_, ItemValue::Bytes(bytes)) => {
                    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                    json!([name, hex])
                }
            }
        });
        values.chain(items).collect()
    }

    fn event(&self) -> Json {
        match self.record.layout {
            ArgumentLayout::Items => Json::from(self.record.name.parse::<u32>().unwrap()),
            _ => Json::from(self.record.name),
        }
    }

    fn written(&self, configuration: &StreamConfiguration) -> Vec<u8> {
        let mut bytes = Vec::new();
        let id = self.header.id;
        let sequence = self.header.sequence.unwrap_or_default();
        let timestamp = self.header.timestamp.unwrap_or_default();
        let sink = |byte| bytes.push(byte);
        if self.record.layout == ArgumentLayout::Items {
            encode_items(sink, configuration, id, sequence, timestamp, &self.items).unwrap();
        } else {
            let values: Vec<ArgumentValue<'_>> =
                self.values.iter().map(|(_, value)| *value).collect();
            encode(sink, configuration, id, sequence, timestamp, &values).unwrap();
        }
        bytes
    }
}

fn configuration(settings: &Json) -> StreamConfiguration {
    let mut configuration = StreamConfiguration::default();
    for key in CONFIGURATION_KEYS {
        // References from before a setting existed have its default.
        let Some(value) = settings["decoder"][key.name].as_u64() else {
            assert!(matches!(key.name, "id" | "chkts"), "{}", key.name);
            continue;
        };
        if key.name != "tssize" || configuration.timestamp.is_some() {
            configuration
                .set(key.name, value.try_into().unwrap())
                .unwrap();
        }
    }
    configuration
}

/// Compares a stream with its reference; returns the number of valid records.
fn check(stream: &Path) -> usize {
    let read = |extension: &str| std::fs::read_to_string(stream.with_extension(extension));
    let name = stream.display();
    let bytes = std::fs::read(stream).unwrap();
    let frames = frames(&bytes);
    let configuration = configuration(&serde_json::from_str(&read("json").unwrap()).unwrap());
    let reference = read("ref.jsonl").unwrap();
    let records = reference
        .lines()
        .map(|line| serde_json::from_str::<Json>(line).unwrap())
        .filter(|line| line.get("problem").is_none());

    let mut good = 0;
    for expected in records {
        let offset = usize::try_from(expected["off"].as_u64().unwrap()).unwrap();
        let at = format!("{name} at {offset}");
        let escaped = frames[&offset];
        let frame = plain(escaped).unwrap();
        let decoded = decode(&frame, &configuration).expect(&at);
        assert_eq!(json!(decoded.header.sequence), expected["seq"], "{at}");
        assert_eq!(json!(decoded.header.timestamp), expected["ts"], "{at}");
        assert_eq!(json!(decoded.header.id), expected["id"], "{at}");
        assert_eq!(
            json!(decoded.record.group.name()),
            expected["group"],
            "{at}"
        );
        assert_eq!(decoded.event(), expected["event"], "{at}");
        assert_eq!(decoded.arguments(), expected["args"], "{at}");
        assert_eq!(
            decoded.written(&configuration),
            [escaped, &[FLAG]].concat(),
            "{at}"
        );
        let is_target = decoded.record.layout == ArgumentLayout::Configuration;
        assert_eq!(
            TargetConfiguration::parse(&frame).is_some(),
            is_target,
            "{at}"
        );
        if is_target {
            check_target(&frame, escaped, &configuration);
        }
        good += 1;
    }
    let taken = frames
        .values()
        .filter(|escaped| {
            plain(escaped).map_or(false, |frame| decode(&frame, &configuration).is_some())
        })
        .count();
    assert_eq!(
        taken, good,
        "{name}: records that the reference does not know"
    );
    good
}

/// The configuration that the target sent is the one that decodes the stream.
fn check_target(frame: &[u8], escaped: &[u8], configuration: &StreamConfiguration) {
    let target = TargetConfiguration::parse(frame).unwrap();
    assert_eq!(
        target.configuration(Some(configuration.function)),
        *configuration
    );
    let mut written = Vec::new();
    target.encode(|byte| written.push(byte), 0, 0).unwrap();
    assert_eq!(written, [escaped, &[FLAG]].concat());
}

#[test]
fn streams_decode_to_their_references() {
    let Some(folder) = folder() else { return };
    let mut streams = 0;
    let mut good = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let stream = entry.unwrap().path();
        let is_stream = stream
            .extension()
            .map_or(false, |extension| extension == "bin");
        if is_stream && stream.with_extension("ref.jsonl").is_file() {
            good += check(&stream);
            streams += 1;
        }
    }
    assert!(
        streams > 0 && good > 1000 * streams / 10,
        "{streams} streams, {good} records"
    );
}

/// The only stream of the first format: 245 records, and three frames whose start is
/// lost.
#[test]
fn the_flat_format_is_read() {
    let Some(folder) = folder() else { return };
    let bytes = std::fs::read(folder.join("old_rkh22.bin")).unwrap();
    let configuration = StreamConfiguration {
        dialect: Dialect::Flat,
        ..StreamConfiguration::default()
    };
    let mut damaged = Vec::new();
    let mut good = 0;
    for (offset, escaped) in frames(&bytes) {
        let frame = plain(escaped).unwrap();
        match split_frame(&frame, &configuration) {
            Err(HeaderError::Checksum { .. }) => damaged.push(offset),
            header => {
                let decoded = decode(&frame, &configuration);
                let decoded = decoded.unwrap_or_else(|| panic!("{header:x?} at {offset}"));
                assert_eq!(decoded.written(&configuration), [escaped, &[FLAG]].concat());
                good += 1;
            }
        }
    }
    assert_eq!(damaged, [733, 1855, 3085]);
    assert_eq!(good, 245);
}
