//! The statistics computed from FileX, NetX and USBX events.
//!
//! The table beside this file has one statistic per line. Columns: component,
//! name, description, events to count, and a condition or `-`. Events are
//! identified by their names in the event tables, so that no statistic can
//! count a different event: `name` counts the events, `name.argument` sums an
//! argument, and `, ` separates several. A condition is `argument=value` or
//! `argument!=value`, with the value in decimal or `0x…`.

use super::{NetxDialect, shared};
use rtoscope_trace::catalogue::Catalogue;
use rtoscope_trace::statistic::{StatisticTerm, TermCondition, TermQuantity};
use rtoscope_trace::{EventKind, Statistic};
use std::collections::HashMap;
use std::sync::LazyLock;

const STATISTICS_TABLE: &str = include_str!("statistics.tsv");

static DUO_STATISTICS: LazyLock<Vec<Statistic>> =
    LazyLock::new(|| built_in_statistics(shared(NetxDialect::Duo)));
static LEGACY_STATISTICS: LazyLock<Vec<Statistic>> =
    LazyLock::new(|| built_in_statistics(shared(NetxDialect::Legacy)));

/// The statistics of `filex`, `netx` and `usbx`, in display order.
pub fn statistics(netx: NetxDialect) -> &'static [Statistic] {
    match netx {
        NetxDialect::Duo => &DUO_STATISTICS,
        NetxDialect::Legacy => &LEGACY_STATISTICS,
    }
}

/// A malformed line is a bug in this crate, which a test finds; a release build
/// omits the statistic.
fn built_in_statistics(catalogue: &Catalogue) -> Vec<Statistic> {
    let report = |wanted: &&str| debug_assert!(false, "table of statistics: no {wanted}");
    let found = parse_table(catalogue, STATISTICS_TABLE);
    found
        .filter_map(|line| line.inspect_err(report).ok())
        .collect()
}

/// Parses the statistics of a table; an error contains the missing part.
fn parse_table(
    catalogue: &Catalogue,
    table: &'static str,
) -> impl Iterator<Item = Result<Statistic, &'static str>> {
    let mut kinds: HashMap<&str, Vec<&EventKind>> = HashMap::new();
    for kind in catalogue {
        kinds.entry(&kind.name).or_default().push(kind);
    }
    let lines = table.lines().skip(1);
    lines.map(move |line| parse_statistic(&kinds, line))
}

fn parse_statistic(
    kinds: &HashMap<&str, Vec<&EventKind>>,
    line: &'static str,
) -> Result<Statistic, &'static str> {
    let mut columns = line.split('\t');
    let mut column = |wanted| columns.next().ok_or(wanted);
    let component = column("component")?;
    let name = column("name")?;
    let what = column("sentence")?;
    let events = column("events")?;
    let condition = column("condition")?;
    let mut terms = Vec::new();
    for event in events.split(", ") {
        let (event, argument) = match event.split_once('.') {
            Some((event, argument)) => (event, Some(argument)),
            None => (event, None),
        };
        for kind in kinds.get(event).ok_or("known event")? {
            let quantity = match argument {
                Some(argument) => TermQuantity::Argument(argument_position(kind, argument)?),
                None => TermQuantity::One,
            };
            terms.push(StatisticTerm {
                kind: kind.id,
                quantity,
                condition: self::parse_condition(kind, condition)?,
            });
        }
    }
    Ok(Statistic {
        component: component.into(),
        name: name.into(),
        description: what.into(),
        terms,
    })
}

fn argument_position(kind: &EventKind, name: &str) -> Result<u8, &'static str> {
    let named = kind.arguments.iter().zip(0..);
    let mut found = named.filter(|(argument, _)| {
        let argument = argument.as_ref();
        argument.is_some_and(|argument| argument.name == name)
    });
    found.next().map(|(_, at)| at).ok_or("known argument")
}

fn parse_condition(kind: &EventKind, text: &str) -> Result<Option<TermCondition>, &'static str> {
    if text == "-" {
        return Ok(None);
    }
    let (argument, value) = text.split_once('=').ok_or("condition")?;
    let (argument, equal) = match argument.strip_suffix('!') {
        Some(argument) => (argument, false),
        None => (argument, true),
    };
    let value = match value.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => value.parse(),
    };
    Ok(Some(TermCondition {
        argument: argument_position(kind, argument)?,
        value: value.map_err(|_| "value of the condition")?,
        equal,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtoscope_trace::catalogue::Meaning;
    use std::collections::HashSet;

    #[test]
    fn every_line_is_well_formed() {
        for netx in NetxDialect::ALL {
            let found: Result<Vec<_>, _> = parse_table(shared(*netx), STATISTICS_TABLE).collect();
            assert_eq!(
                found.map(|found| found.len() + 1),
                Ok(STATISTICS_TABLE.lines().count())
            );
        }
    }

    #[test]
    fn what_a_line_lacks_is_said() {
        let problem =
            |line: &'static str| parse_table(shared(NetxDialect::Duo), line).find_map(Result::err);
        for (line, wanted) in [
            ("\nc\tn\tw", "events"),
            ("\nc\tn\tw\tfx_nothing\t-", "known event"),
            ("\nc\tn\tw\tfx_file_read.nothing\t-", "known argument"),
            ("\nc\tn\tw\tfx_file_read\tactual_size", "condition"),
            ("\nc\tn\tw\tfx_file_read\tnothing=1", "known argument"),
            (
                "\nc\tn\tw\tfx_file_read\tactual_size=many",
                "value of the condition",
            ),
        ] {
            assert_eq!(problem(line), Some(wanted), "{line}");
        }
        assert_eq!(problem("\nc\tn\tw\tfx_file_read\tactual_size!=0x10"), None);
    }

    #[test]
    fn what_is_added_up_can_be() {
        for netx in NetxDialect::ALL {
            for statistic in statistics(*netx) {
                assert!(!statistic.terms.is_empty(), "{}", statistic.name);
                for term in &statistic.terms {
                    let kind = shared(*netx).get(term.kind).unwrap();
                    let component = match &*kind.component {
                        "netxduo" => "netx",
                        other => other,
                    };
                    assert_eq!(component, statistic.component, "{}", kind.name);
                    if let TermQuantity::Argument(at) = term.quantity {
                        let argument = kind.arguments[usize::from(at)].as_ref().unwrap();
                        let of_bytes = statistic.name.contains("bytes");
                        let meaning = if of_bytes {
                            Meaning::Bytes
                        } else {
                            Meaning::Count
                        };
                        assert_eq!(argument.meaning, meaning, "{}", statistic.name);
                    }
                }
            }
        }
    }

    #[test]
    fn figures_have_keys_of_their_own_and_sentences() {
        let mut keys = HashSet::new();
        for statistic in statistics(NetxDialect::Duo) {
            let name = &*statistic.name;
            assert!(keys.insert((&statistic.component, name)), "{name}");
            let plain = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
            assert!(name.bytes().all(plain), "{name}");
            assert!(statistic.description.ends_with('.'), "{name}");
            let kinds: HashSet<_> = statistic.terms.iter().map(|term| term.kind).collect();
            assert_eq!(kinds.len(), statistic.terms.len(), "{name}");
        }
        let sorted = statistics(NetxDialect::Duo).is_sorted_by_key(|figure| &figure.component);
        assert!(sorted, "a component's figures stand together");
    }

    #[test]
    fn numbers_are_those_of_the_headers() {
        // fx_api.h, nx_api.h and ux_api.h: (statistic, numbers).
        for (figure, expected) in [
            ("media_opens", &[261][..]),
            ("media_closes", &[258]),
            ("media_aborts", &[255]),
            ("media_flushes", &[203]),
            ("directory_cache_misses", &[202]),
            ("file_opens", &[247]),
            ("file_closes", &[243]),
            ("bytes_read", &[248]),
            ("bytes_written", &[254]),
            ("sectors_read", &[206]),
            ("sectors_written", &[207]),
            ("sector_cache_misses", &[201]),
            ("empty_pool_requests", &[386]),
            ("pings_sent", &[362, 471]),
            ("tcp_bytes_sent", &[421]),
            ("udp_bytes_sent", &[436, 475]),
            ("udp_bytes_received", &[434]),
            ("static_routes_added", &[443, 482]),
            ("host_transfers", &[632]),
            ("device_transfers", &[870]),
            ("errors", &[999]),
        ] {
            let mut all = statistics(NetxDialect::Duo).iter();
            let found = all.find(|statistic| statistic.name == figure).unwrap();
            let numbers: Vec<_> = found.terms.iter().map(|term| term.kind.0).collect();
            assert_eq!(numbers, expected, "{figure}");
        }
    }

    #[test]
    fn the_dialects_differ_where_their_numbers_do() {
        let both = statistics(NetxDialect::Duo).iter();
        let both = both.zip(statistics(NetxDialect::Legacy));
        let differing = both.filter(|(duo, legacy)| duo != legacy);
        let differing: Vec<_> = differing.map(|(duo, _)| &*duo.name).collect();
        assert_eq!(differing, ["static_routes_added", "static_routes_deleted"]);
    }
}
