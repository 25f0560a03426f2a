//! Commands that set the filter of a running target.

use crate::format::{FilterSettingError, split_setting};
use rtoscope_trace::Catalogue;
use rtoscope_trace::filter::{Quantity, closest};
use rtoscope_wire::rkh::Group;
use rtoscope_wire::rkh::filter::FilterSelection;
use rtoscope_wire::rkh::host::HostMessage;
use rtoscope_wire::rkh::id::any_id;

/// What a setting can name.
const EXPECTED: &str = "`all`, a group, an event, `ao:PRIORITY` or `signal:NUMBER`";

/// The selections that `all=on` lets pass.
const ALL: &[FilterSelection] = &[
    FilterSelection::AllEvents,
    FilterSelection::AllObjects,
    FilterSelection::AllSignals,
];

/// Encodes a setting, `NAME=on` or `NAME=off`, as messages to the target.
pub(super) fn encode(setting: &str, catalogue: &Catalogue) -> Result<Vec<u8>, FilterSettingError> {
    let (name, pass) = split_setting(setting, "SM")?;
    let selections = match name.eq_ignore_ascii_case("all") {
        true if pass => ALL.to_vec(),
        // Nothing passes without its event.
        true => vec![FilterSelection::AllEvents],
        false => vec![selection(name, catalogue)?],
    };
    let mut bytes = Vec::new();
    for selection in selections {
        HostMessage::Filter { selection, pass }.write(|byte| bytes.push(byte));
    }
    Ok(bytes)
}

fn selection(name: &str, catalogue: &Catalogue) -> Result<FilterSelection, FilterSettingError> {
    if let Some((class, number)) = name.split_once(':') {
        let number_up_to = |max: u32| match Quantity::parse(number.trim()) {
            Ok(Quantity::Plain(number)) if number <= max.into() => Ok(number as u32),
            _ => Err(FilterSettingError::Number {
                name: name.to_owned(),
                max,
            }),
        };
        let is_any = number.trim() == "*";
        return match class.trim().to_ascii_lowercase().as_str() {
            "ao" if is_any => Ok(FilterSelection::AllObjects),
            "ao" => number_up_to(u8::MAX.into()).map(|it| FilterSelection::Object(it as u8)),
            "signal" if is_any => Ok(FilterSelection::AllSignals),
            "signal" => number_up_to(u32::MAX).map(FilterSelection::Signal),
            _ => Err(unknown(name, catalogue)),
        };
    }
    let mut groups = Group::ALL.iter();
    if let Some(group) = groups.find(|group| group.name().eq_ignore_ascii_case(name)) {
        return Ok(FilterSelection::GroupEvents(group.number()));
    }
    let number = match Quantity::parse(name) {
        Ok(Quantity::Plain(number)) => u32::try_from(number).ok().and_then(any_id),
        _ => None,
    };
    let id = number.or_else(|| {
        let spaced = name.replace('.', " ");
        let mut kinds = catalogue.iter();
        let kind = kinds.find(|kind| {
            // Events of the application have no symbol.
            let is_symbol = !name.is_empty() && kind.symbol.eq_ignore_ascii_case(name);
            is_symbol || kind.name.eq_ignore_ascii_case(&spaced)
        });
        kind.and_then(|kind| u8::try_from(kind.id.0).ok())
    });
    id.map(FilterSelection::Event)
        .ok_or_else(|| unknown(name, catalogue))
}

fn unknown(name: &str, catalogue: &Catalogue) -> FilterSettingError {
    let events = catalogue.iter().map(|kind| kind.name.replace(' ', "."));
    let groups = Group::ALL.iter().map(|group| group.name().to_owned());
    let names: Vec<String> = groups.chain(events).collect();
    FilterSettingError::UnknownName {
        name: name.to_owned(),
        expected: EXPECTED,
        closest: closest(name, names.iter().map(String::as_str)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DecodeOptions;
    use crate::rkh::FORMAT;
    use rtoscope_wire::rkh::host::HostMessageParser;

    /// The selections in the messages of a setting, and whether they pass.
    fn encoded(setting: &str) -> Vec<(FilterSelection, bool)> {
        let catalogue = FORMAT.catalogue(&DecodeOptions::default());
        let mut parser = HostMessageParser::new();
        let mut found = Vec::new();
        for byte in encode(setting, &catalogue).unwrap() {
            match parser.push(byte) {
                None => {}
                Some(Ok(HostMessage::Filter { selection, pass })) => found.push((selection, pass)),
                Some(other) => panic!("{other:?}"),
            }
        }
        found
    }

    fn error(setting: &str) -> String {
        let catalogue = FORMAT.catalogue(&DecodeOptions::default());
        encode(setting, &catalogue).unwrap_err().to_string()
    }

    #[test]
    fn settings_are_encoded() {
        use FilterSelection::{
            AllEvents, AllObjects, AllSignals, Event, GroupEvents, Object, Signal,
        };
        let on = |selection| vec![(selection, true)];
        assert_eq!(encoded("sm=on"), on(GroupEvents(3)));
        assert_eq!(encoded("SM.TRN = ON"), on(Event(0x62)));
        assert_eq!(encoded("RKH_TE_SM_TRN=on"), on(Event(0x62)));
        assert_eq!(encoded("0x62=off"), [(Event(0x62), false)]);
        assert_eq!(encoded("ao:7=off"), [(Object(7), false)]);
        assert_eq!(encoded("ao:*=on"), on(AllObjects));
        assert_eq!(encoded("signal:300=on"), on(Signal(300)));
        assert_eq!(encoded("signal:*=off"), [(AllSignals, false)]);
        assert_eq!(encoded("all=off"), [(AllEvents, false)]);
        let all = [(AllEvents, true), (AllObjects, true), (AllSignals, true)];
        assert_eq!(encoded("all=on"), all);
    }

    #[test]
    fn wrong_settings_are_explained() {
        assert_eq!(
            error("SM"),
            "`SM`: expected NAME=on or NAME=off, such as SM=on"
        );
        assert!(error("SM=maybe").contains("expected NAME=on"));
        assert!(error("SM.TNR=on").contains("did you mean SM.TRN?"));
        assert!(error("ao:256=on").contains("expected a number up to 255, or *"));
        assert!(error("queue:3=on").contains("the filter has no `queue:3`"));
        assert!(error("=on").contains("the filter has no ``"));
    }
}
