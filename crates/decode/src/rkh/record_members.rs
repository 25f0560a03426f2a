//! Records as JSON members.

use super::argument_values::WireArgument;
use super::stream_info::StreamInfo;
use rtoscope_trace::extras::{ItemValue, TypedItem};
use rtoscope_trace::{EventIndex, Trace};
use rtoscope_wire::rkh::TargetConfiguration;
use serde_json::{Map, Value, json};

/// The members of a record that no other format has: `args` as recorded.
pub(super) fn record_members(
    stream: &StreamInfo,
    trace: &Trace,
    event: EventIndex,
) -> Map<String, Value> {
    let record = stream.record(trace, event);
    let stamp = stream.timestamp(trace, event);
    let time = trace.events.time(event).filter(|_| stamp.is_some());
    let time_ns = time.and_then(|time| trace.timescale().time(time));
    let mut args = Vec::new();
    let mut target = None;
    for (name, argument) in stream.arguments(trace, event) {
        match argument {
            WireArgument::Number(number) => args.push(json!([name, number])),
            WireArgument::Text(text) => args.push(json!([name, String::from_utf8_lossy(text)])),
            WireArgument::Item(item) => args.push(item_members(name, &item)),
            WireArgument::Target(configuration) => target = Some(target_members(&configuration)),
        }
    }
    let common = [
        ("offset", json!(stream.offset(event))),
        ("sequence", json!(stream.sequence(event))),
        ("time", json!(time.map(|time| trace.recording_time(time).0))),
        ("time_ns", json!(time_ns.map(|time| time.0))),
        ("timestamp", json!(stamp)),
        ("group", json!(record.map(|record| record.group.name()))),
        ("name", json!(record.map(|record| record.name))),
        ("args", Value::Array(args)),
    ];
    let common = common.into_iter();
    let mut record: Map<_, _> = common
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
    if stream.is_probable(event) {
        record.insert("probable".to_owned(), json!(true));
    }
    if let Some(target) = target {
        record.insert("tcfg".to_owned(), target);
    }
    record
}

/// The name, the display width if it is a number that has one, and the value.
fn item_members(name: &str, item: &TypedItem<'_>) -> Value {
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
pub(super) fn option_name(option: &str) -> &str {
    option.strip_prefix("RKH_CFG_").unwrap_or(option)
}

fn target_members(target: &TargetConfiguration) -> Value {
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
