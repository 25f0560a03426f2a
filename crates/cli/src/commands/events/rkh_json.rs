//! Records of an RKH stream as JSON.

use super::column::ColumnValues;
use super::serialize::arguments;
use rtoscope_decode::rkh::{StreamInfo, WireArgument};
use rtoscope_trace::extras::{ItemValue, TypedItem};
use rtoscope_trace::{Event, Nanoseconds, Trace};
use rtoscope_wire::rkh::TargetConfiguration;
use serde_json::{Map, Value, json};

/// A record: `args` as recorded, `arguments` decoded.
pub(super) fn record_document(
    trace: &Trace,
    stream: &StreamInfo,
    values: &ColumnValues<'_>,
    event: &Event,
) -> Map<String, Value> {
    let record = stream.record(trace, event.index);
    let stamp = stream.timestamp(trace, event.index);
    let time = trace
        .timescale()
        .time(event.time)
        .filter(|_| stamp.is_some());
    let mut args = Vec::new();
    let mut target = None;
    for (name, argument) in stream.arguments(trace, event.index) {
        match argument {
            WireArgument::Number(number) => args.push(json!([name, number])),
            WireArgument::Text(text) => args.push(json!([name, String::from_utf8_lossy(text)])),
            WireArgument::Item(item) => args.push(item_document(name, &item)),
            WireArgument::Target(configuration) => target = Some(target_document(&configuration)),
        }
    }
    let members = [
        ("index", json!(trace.recording_event(event.index))),
        ("offset", json!(stream.offset(event.index))),
        ("seq", json!(stream.sequence(event.index))),
        ("ticks", json!(stream.unwrapped_ticks(trace, event.index))),
        ("ns", json!(time.map(|Nanoseconds(time)| time))),
        ("raw", json!(stamp)),
        ("id", json!(event.kind.0)),
        ("group", json!(record.map(|record| record.group.name()))),
        ("name", json!(record.map(|record| record.name))),
        ("event", json!(trace.catalogue.name(event.kind))),
        ("context", json!(values.context(event.context))),
        (
            "posted",
            json!(
                values
                    .post(event)
                    .map(|post| trace.recording_event(post.event))
            ),
        ),
        (
            "waited",
            json!(values.queue_time(event).map(|waited| waited.0)),
        ),
        ("args", Value::Array(args)),
        ("arguments", arguments(trace, event)),
    ];
    let members = members.into_iter();
    let members = members.chain(target.map(|target| ("tcfg", target)));
    members
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

/// The name, the display width if it is a number that has one, and the value.
fn item_document(name: &str, item: &TypedItem<'_>) -> Value {
    match item.value {
        ItemValue::Text(text) => json!([name, String::from_utf8_lossy(text)]),
        ItemValue::Memory(block) => {
            let digits: String = block.iter().map(|byte| format!("{byte:02x}")).collect();
            json!([name, digits])
        }
        ItemValue::Signed(number) => json!([name, item.width, number]),
        ItemValue::Number(number) if item.item_type.has_width() => {
            json!([name, item.width, number])
        }
        ItemValue::Number(number) => json!([name, number]),
    }
}

/// An option's name without the common prefix.
pub(in crate::commands) fn option_name(option: &str) -> &str {
    option.strip_prefix("RKH_CFG_").unwrap_or(option)
}

fn target_document(target: &TargetConfiguration) -> Value {
    let options = target.options.iter();
    let bits: Map<_, _> = options
        .map(|(name, on)| (option_name(name).to_owned(), json!(u8::from(on))))
        .collect();
    json!({
        "version": target.version.map(|version| version.to_string()),
        "bits": bits,
        "sig": target.signal,
        "tssize": target.timestamp,
        "ptr": target.pointer,
        "ntimer": target.timer_ticks,
        "nblock": target.block_count,
        "nelem": target.element_count,
        "esize": target.event_size,
        "bsize": target.block_size,
        "maxpool": target.event_pools,
        "ts_hz": target.timestamp_hz,
    })
}
