//! Commands for a target that sends a compact stream.

use crate::format::{FilterSettingError, TargetCommand, split_setting};
use rtoscope_trace::filter::{Quantity, closest};
use rtoscope_wire::cswitch::command::{EntryGroup, StreamCommand};

/// What a setting can name.
const EXPECTED: &str =
    "`all`, `interrupts`, `readiness`, `markers`, `marker:NUMBER` or `isr:NUMBER`";

/// Encodes a command.
pub(super) fn encode(command: TargetCommand) -> Vec<u8> {
    let command = match command {
        TargetCommand::Start => StreamCommand::Start,
        TargetCommand::Stop => StreamCommand::Stop,
        TargetCommand::Names => StreamCommand::SendNames,
        TargetCommand::Snapshot => StreamCommand::Snapshot,
    };
    command.to_bytes().into()
}

/// Encodes a setting of the filter: `NAME=on` or `NAME=off`.
pub(super) fn encode_setting(setting: &str) -> Result<Vec<u8>, FilterSettingError> {
    let (name, is_on) = split_setting(setting, "markers")?;
    let suppress = !is_on;
    let lower = name.to_ascii_lowercase();
    let group = EntryGroup::ALL.into_iter().find(|it| it.name() == lower);
    let command = match (group, lower.split_once(':')) {
        (Some(group), _) => StreamCommand::Filter {
            groups: group.bit(),
            suppress,
        },
        (None, Some(("marker", number))) => StreamCommand::FilterMarker {
            marker: parse_number(name, number, u32::MAX)?,
            suppress,
        },
        (None, Some(("isr", number))) => StreamCommand::FilterHandler {
            handler: parse_number(name, number, u8::MAX)?,
            suppress,
        },
        (None, _) if lower == "all" => StreamCommand::Filter {
            groups: EntryGroup::ALL.into_iter().map(EntryGroup::bit).sum(),
            suppress,
        },
        (None, _) => {
            return Err(FilterSettingError::UnknownName {
                name: name.to_owned(),
                expected: EXPECTED,
                closest: closest(&lower, EntryGroup::ALL.map(EntryGroup::name)),
            });
        }
    };
    Ok(command.to_bytes().into())
}

/// The number in a setting.
fn parse_number<N: TryFrom<u64> + Into<u32>>(
    name: &str,
    number: &str,
    max: N,
) -> Result<N, FilterSettingError> {
    let number = match Quantity::parse(number.trim()) {
        Ok(Quantity::Plain(number)) => N::try_from(number).ok(),
        _ => None,
    };
    number.ok_or_else(|| FilterSettingError::Number {
        name: name.to_owned(),
        max: max.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_commands() {
        let filter = |groups, suppress| StreamCommand::Filter { groups, suppress };
        let handler = |handler, suppress| StreamCommand::FilterHandler { handler, suppress };
        let marker = |marker, suppress| StreamCommand::FilterMarker { marker, suppress };
        for (setting, command) in [
            ("interrupts=off", filter(1, true)),
            (" Readiness = ON", filter(2, false)),
            ("markers=off", filter(4, true)),
            ("all=on", filter(7, false)),
            ("marker:0x20001000=off", marker(0x2000_1000, true)),
            ("marker:5=on", marker(5, false)),
            ("isr:15=off", handler(15, true)),
            ("ISR:255=on", handler(255, false)),
        ] {
            assert_eq!(encode_setting(setting).unwrap(), command.to_bytes());
        }
    }

    #[test]
    fn wrong_settings_are_explained() {
        for (setting, part) in [
            (
                "markers",
                "expected NAME=on or NAME=off, such as markers=on",
            ),
            ("marker=off", "no `marker`, did you mean markers?"),
            ("marker:x=off", "expected a number up to 4294967295"),
            ("marker:4294967296=off", "expected a number"),
            ("isr:256=off", "expected a number up to 255"),
            ("switches=off", "`interrupts`, `readiness`"),
        ] {
            let error = encode_setting(setting).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
