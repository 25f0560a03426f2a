use super::*;
use rtoscope_trace::catalogue::Meaning;
use std::collections::BTreeMap;

fn get(netx: NetxDialect, id: u32) -> EventKind {
    catalogue(netx).get(EventKindId(id)).unwrap().clone()
}

#[test]
fn every_line_of_every_table_is_well_formed() {
    for (component, text) in EVENT_TABLES.iter().chain([&LEGACY_TABLE]) {
        let kinds: Result<Vec<_>, _> = table::kinds(component, text).collect();
        assert_eq!(kinds.map(|kinds| kinds.len() + 1), Ok(text.lines().count()));
    }
}

#[test]
fn every_event_is_there_once() {
    let counts = EVENT_TABLES.iter().copied().map(|(component, text)| {
        let numbers: Vec<_> = built_in_kinds((component, text))
            .map(|kind| kind.id)
            .collect();
        assert!(numbers.is_sorted_by(|a, b| a < b), "{component}");
        numbers.len()
    });
    assert_eq!(counts.collect::<Vec<_>>(), [88, 73, 175, 305]);
    assert_eq!(catalogue(NetxDialect::Duo).len(), 641);
    assert_eq!(catalogue(NetxDialect::Legacy).len(), 642);
}

#[test]
fn numbers_are_of_their_components() {
    for kind in &catalogue(NetxDialect::Legacy) {
        // The ranges of tx_trace.h; USBX has exceeded its own, 600 to 999.
        let (component, prefix) = match kind.id.0 {
            1..200 => ("threadx", "TX_TRACE_"),
            200..300 => ("filex", "FX_TRACE_"),
            300..600 => ("netxduo", "NX"),
            _ => ("usbx", "UX_TRACE_"),
        };
        assert_eq!(kind.component, component);
        assert!(kind.symbol.starts_with(prefix), "{}", kind.symbol);
    }
}

#[test]
fn names_follow_one_style() {
    for netx in NetxDialect::ALL {
        let mut of_name = BTreeMap::<_, Vec<_>>::new();
        for kind in &catalogue(*netx) {
            of_name.entry(kind.name.clone()).or_default().push(kind.id);
            let prefix = kind.name.split('_').next().unwrap_or_default();
            let is_call = ["tx", "fx", "nx", "nxd", "ux"].contains(&prefix);
            assert_eq!(is_call, !kind.internal, "{}", kind.name);
            assert!(!kind.name.contains("__"), "{}", kind.name);
            assert!(!kind.name.contains("_trace_"), "{}", kind.name);
            assert!(!kind.internal || !kind.name.contains('_'), "{}", kind.name);
        }
        of_name.retain(|_, ids| ids.len() > 1);
        let twice: Vec<_> = of_name.into_keys().collect();
        // A call with two numbers in NetX Duo's header, and two that keep their
        // NetX Duo numbers beside the older ones.
        let expected: &[_] = match netx {
            NetxDialect::Duo => &["nx_ip_static_route_add"],
            NetxDialect::Legacy => &[
                "nx_ip_interface_info_get",
                "nx_ip_static_route_add",
                "nx_packet_data_extract_offset",
            ],
        };
        assert_eq!(twice, expected);
    }
}

#[test]
fn icons_have_one_or_two_letters() {
    for kind in &catalogue(NetxDialect::Legacy) {
        let letters = &kind.icon.letters;
        let plain = letters
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
        assert!(plain && (1..=2).contains(&letters.len()), "{letters}");
    }
}

#[test]
fn arguments_have_plain_names_of_their_own() {
    for kind in &catalogue(NetxDialect::Legacy) {
        let mut names: Vec<_> = kind.arguments.iter().flatten().map(|a| &a.name).collect();
        let count = names.len();
        for name in &names {
            let plain =
                |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
            assert!(name.bytes().all(plain), "{}: {name}", kind.symbol);
            assert!(!name.ends_with("_ptr"), "{}: {name}", kind.symbol);
        }
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count, "{}", kind.symbol);
        // A single event omits an argument: no address is known yet.
        let recorded = kind.arguments.iter().take_while(|a| a.is_some()).count();
        assert_eq!(recorded == count, kind.name != "RARP send", "{}", kind.name);
    }
}

#[test]
fn stack_pointers_are_where_the_kernel_writes_them() {
    // Every call site of ThreadX 6.4 that passes the address of a local
    // variable: the event and its argument, counted from 1.
    let written = "1:3 2:3 3:1 4:1 5:4 12:2 16:3 17:4 21:4 22:2 26:3 30:2 31:2 40:2 50:3 51:2 56:3 57:4 \
        61:2 62:2 67:3 81:3 82:2 83:4 87:3 88:4 101:2 109:1 111:3 112:3 114:3 115:3 120:2 \
        125:2 127:2";
    let catalogue = catalogue(NetxDialect::Duo);
    let found = catalogue.iter().flat_map(|kind| {
        let numbered = kind.arguments.iter().zip(1..);
        numbered.filter_map(|(argument, number)| {
            let is = argument.as_ref()?.meaning == Meaning::StackPointer;
            is.then(|| format!("{}:{number}", kind.id.0))
        })
    });
    assert_eq!(found.collect::<Vec<_>>().join(" "), written);
}

#[test]
fn named_values_are_of_their_components() {
    for kind in &catalogue(NetxDialect::Legacy) {
        for argument in kind.arguments.iter().flatten() {
            let Meaning::Named(names) = argument.meaning else {
                continue;
            };
            let components: &[_] = match names.name {
                "wait-option" => &["threadx", "netxduo"],
                "tcp-state" | "ip-status" | "driver-command" | "packet-status" => &["netxduo"],
                "file-attributes" | "file-open-mode" | "seek-from" | "media-check-errors" => {
                    &["filex"]
                }
                _ => &["threadx"],
            };
            assert!(components.contains(&&*kind.component), "{}", kind.symbol);
        }
    }
}

#[test]
fn the_dialects_differ_where_netx_does() {
    let duo = catalogue(NetxDialect::Duo);
    let legacy = catalogue(NetxDialect::Legacy);
    let differing = legacy.iter().filter(|kind| duo.get(kind.id) != Some(*kind));
    let differing: Vec<_> = differing.map(|kind| kind.id.0).collect();
    assert_eq!(differing, [441, 442, 443, 444, 445, 446, 447, 448, 469]);
    // A call has the same arguments under the other number.
    for (old, new) in [(441, 443), (442, 444), (443, 445), (444, 446)] {
        let (old, new) = (get(NetxDialect::Legacy, old), get(NetxDialect::Duo, new));
        assert_eq!((&old.symbol, &old.arguments), (&new.symbol, &new.arguments));
    }
    assert_eq!(duo.name(EventKindId(441)), "nx_ip_static_route_enable");
    assert_eq!(legacy.name(EventKindId(441)), "nx_ip_static_route_add");
    assert_eq!(
        legacy.name(EventKindId(448)),
        "nx_tcp_socket_bytes_available"
    );
    assert_eq!(built_in(EventKindId(469)).unwrap().name, "nx_ipsec_enable");
    assert_eq!(built_in(EventKindId(4096)), None);
}

#[test]
fn applications_have_the_numbers_after_the_last_built_in_one() {
    for netx in NetxDialect::ALL {
        let catalogue = catalogue(*netx);
        let last = catalogue.iter().map(|kind| kind.id.0).max();
        assert_eq!(last, Some(FIRST_APPLICATION_NUMBER - 1));
        for (id, component) in [
            (0, "unknown"),
            (1025, "user"),
            (4096, "user"),
            (u32::MAX, "user"),
        ] {
            assert_eq!(catalogue.component(EventKindId(id)), component, "{id}");
        }
    }
}

/// No argument that is named an IP address has another meaning: they all print in
/// dotted notation.
#[test]
fn ip_addresses_are_displayed_dotted() {
    for netx in NetxDialect::ALL {
        let catalogue = catalogue(*netx);
        let all = catalogue.iter().filter(|kind| kind.component == "netxduo");
        let arguments = all.flat_map(EventKind::all_arguments).flatten();
        let addresses = arguments.filter(|argument| {
            let name = &argument.name;
            let is_address = ["ip_address", "network_mask", "network_address", "next_hop"];
            // The least significant word of an address of IPv6 is none of IPv4.
            is_address.iter().any(|part| name.contains(part)) && !name.ends_with("_lsw")
                || ["group_address", "gateway_address"].contains(&name.as_ref())
        });
        let mut count = 0;
        for argument in addresses {
            count += 1;
            assert_eq!(argument.meaning, Meaning::Ipv4, "{}", argument.name);
        }
        assert!(count > 30, "{count}");
    }
}
