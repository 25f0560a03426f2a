//! Accepted and rejected addresses.

use super::*;
use proptest::prelude::*;
use std::time::Duration;

fn parse(text: &str) -> Address {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The error message of an invalid address.
fn error_message(text: &str) -> String {
    text.parse::<Address>().expect_err(text).to_string()
}

#[test]
fn every_form_of_an_address_has_one_url() {
    let cases = [
        ("tcp-listen://:7000", "tcp-listen://127.0.0.1:7000"),
        ("tcp-listen://7000", "tcp-listen://127.0.0.1:7000"),
        ("udp://:7000", "udp://127.0.0.1:7000"),
        ("TCP-Listen:0.0.0.0:0", "tcp-listen://0.0.0.0:0"),
        ("tcp-listen://[::]:7000", "tcp-listen://[::]:7000"),
        ("tcp://board.lan:19021/", "tcp://board.lan:19021"),
        ("tcp://[fe80::1%eth0]:19021", "tcp://[fe80::1%eth0]:19021"),
        ("rtt://localhost:19021", "rtt://localhost:19021"),
        ("rtt:probe:19021?channel=02", "rtt://probe:19021?channel=2"),
        ("swo://localhost:3443?stimulus=0", "swo://localhost:3443"),
        (
            "swo://[::1]:3443?stimulus=31",
            "swo://[::1]:3443?stimulus=31",
        ),
        (
            "serial:///dev/ttyUSB0",
            "serial:///dev/ttyUSB0?baud=115200&framing=8N1",
        ),
        (
            "serial:COM3?framing=7e2&flow=hardware&baud=3000000",
            "serial://COM3?baud=3000000&framing=7E2&flow=hardware",
        ),
        ("file:///tmp/a%20b", "file:///tmp/a%20b"),
        ("/tmp/a b", "file:///tmp/a%20b"),
        ("file:a.rkh?follow=1", "file:a.rkh?follow=1"),
        ("file://a.rkh?follow=0", "file:a.rkh"),
        ("a.rkh?follow=1", "file:a.rkh?follow=1"),
        ("../50%/a:b", "file:../50%25/a:b"),
        (r"C:\trace.trx", r"file:C:\trace.trx"),
        ("-", "stdin:"),
        ("stdin:", "stdin:"),
        ("gdb://localhost:3333", "gdb://localhost:3333"),
        (
            "gdb://[::1]:3333?symbol=a%26b&poll=20&halt=1",
            "gdb://[::1]:3333?symbol=a%26b&poll=20&halt=1",
        ),
        (
            "gdb://probe:2331?address=536870912",
            "gdb://probe:2331?address=0x20000000",
        ),
        (
            "gdb://probe:2331?channel=1&scan=0x20000000+262144",
            "gdb://probe:2331?scan=0x20000000+0x40000&channel=1",
        ),
    ];
    for (written, url) in cases {
        assert_eq!(parse(written).to_string(), url, "{written}");
    }
}

#[test]
fn errors_say_what_to_write() {
    let cases = [
        ("", "the address of the source is empty; sources are tcp-l"),
        (
            "tpc://localhost:1",
            "unknown kind of source `tpc`; did you mean tcp?; sources are",
        ),
        (
            "serail:COM3",
            "unknown kind of source `serail`; did you mean serial?; sources are",
        ),
        (
            "https://example.org",
            "unknown kind of source `https`; sources are tcp-listen://:7000, ",
        ),
        (
            "localhost:7000",
            "`localhost:7000` does not say who connects: write tcp://localhost:7000 to",
        ),
        (":7000", "`:7000` does not say who connects"),
        ("[::1]:7000", "`[::1]:7000` does not say who connects"),
        (
            "/dev/ttyUSB0",
            "`/dev/ttyUSB0` is a device: write serial:///dev/ttyUSB0",
        ),
        ("com12", "`com12` is a device: write serial://com12"),
        (
            "tcp://localhost",
            "the port is missing after `localhost`; write tcp://HOST:PORT, such as tcp://",
        ),
        ("tcp://[::1]", "the port is missing after `[::1]`"),
        ("tcp://:7000", "the host is missing; write tcp://HOST:PORT"),
        ("tcp://a b:7000", "`a b` cannot be a host"),
        (
            "tcp://::1:7000",
            "`::1` cannot be a host: expected a name or an address, of IPv6 in brackets",
        ),
        ("tcp://[::g]:7000", "`[::g]` cannot be a host"),
        (
            "tcp://a:0",
            "invalid port `0`: expected a number from 1 to 65535",
        ),
        (
            "tcp-listen://:65536",
            "invalid port `65536`: expected a number from 0 to",
        ),
        ("tcp://a:+1", "invalid port `+1`"),
        ("tcp://a:1/x", "invalid port `1/x`"),
        ("tcp://a:1?x=1", "unknown option `x`; write tcp://"),
        ("stdin:x", "unexpected text: `x`"),
        ("serial://", "the device is missing; write serial://DEVICE"),
        (
            "serial://dev/ttyS0",
            "`/dev/ttyS0` is a device: write serial:///dev/ttyS0",
        ),
        (
            "serial://COM3?baut=9600",
            "unknown option `baut`; did you mean baud?; write serial",
        ),
        (
            "serial://COM3?baud=0",
            "`baud=0`: expected a number of bits per second; write",
        ),
        ("serial://COM3?baud=1&baud=2", "`baud` is given twice"),
        (
            "serial://COM3?framing=9N1",
            "`framing=9N1`: expected 5 to 8",
        ),
        (
            "serial://COM3?flow=on",
            "`flow=on`: expected none, hardware",
        ),
        ("file:", "the path is missing; write file:PATH"),
        ("file:a?follow=yes", "`follow=yes`: expected 0 or 1"),
        ("file:a%2", "invalid escape `%2`"),
        ("file:a%+1b", "invalid escape `%+1`"),
        ("file:a%ü", "invalid escape `%ü`"),
        ("file:%ff", "the escaped bytes of `%ff` are not UTF-8"),
        (
            "gdb://a:1?symbol=x&address=1",
            "`symbol` and `address` exclude each other; write gdb://",
        ),
        ("gdb://a:1?address=-1", "`address=-1`: expected an address"),
        (
            "gdb://a:1?scan=0x10",
            "`scan=0x10`: expected an address and",
        ),
        ("gdb://a:1?scan=0x10+0", "`scan=0x10+0`: expected"),
        (
            "gdb://a:1?scan=0xffffffffffffffff+2",
            "`scan=0xffffffffffffffff+2`: expected",
        ),
        ("gdb://a:1?poll=0", "`poll=0`: expected a number of milli"),
    ];
    for (written, start) in cases {
        let said = error_message(written);
        assert!(said.starts_with(start), "{written}: {said}");
    }
}

#[test]
fn last_byte_of_the_address_space_can_be_scanned() {
    let text = "gdb://a:1?scan=0xffffffffffffffff+0x1";
    assert_eq!(parse(text).to_string(), text);
}

fn host() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zA-Z0-9ä][a-zA-Z0-9._-]{0,20}",
        any::<std::net::Ipv4Addr>().prop_map(|address| address.to_string()),
        any::<std::net::Ipv6Addr>().prop_map(|address| address.to_string()),
    ]
}

fn endpoint() -> impl Strategy<Value = Endpoint> {
    (host(), 1..=u16::MAX).prop_map(|(host, port)| Endpoint { host, port })
}

fn serial() -> impl Strategy<Value = SerialAddress> {
    let data = prop::sample::select(&[DataBits::Five, DataBits::Seven, DataBits::Eight]);
    let parity = prop::sample::select(&[Parity::None, Parity::Even, Parity::Odd]);
    let stop = prop::sample::select(&[StopBits::One, StopBits::Two]);
    let flows = &[
        FlowControl::None,
        FlowControl::Hardware,
        FlowControl::Software,
    ];
    let framing = (data, parity, stop).prop_map(|(data, parity, stop)| SerialFraming {
        data_bits: data,
        parity,
        stop_bits: stop,
    });
    let device = any::<String>().prop_filter("no device", |device| {
        !device.is_empty() && !device.starts_with("dev/")
    });
    (device, 1..=u32::MAX, framing, prop::sample::select(flows)).prop_map(
        |(device, baud, framing, flow)| SerialAddress {
            device,
            baud,
            framing,
            flow_control: flow,
        },
    )
}

fn file() -> impl Strategy<Value = FileAddress> {
    let path = prop_oneof![any::<String>(), "/[a-z /%?#&:]*", "[-a-z:%?=+]+"];
    let path = path.prop_filter("no path", |path| !path.is_empty());
    (path, any::<bool>()).prop_map(|(path, follow)| FileAddress { path, follow })
}

fn gdb() -> impl Strategy<Value = GdbAddress> {
    let target = rtoscope_trace::Address;
    let what = prop_oneof![
        Just((None, None, None)),
        any::<String>()
            .prop_filter("no name", |name| !name.is_empty())
            .prop_map(|name| (Some(name), None, None)),
        any::<u64>().prop_map(move |address| (None, Some(target(address)), None)),
        (any::<u32>(), 1..=u64::from(u32::MAX)).prop_map(move |(start, length)| {
            let start = target(u64::from(start));
            (
                None,
                None,
                Some(ScanRange {
                    start,
                    len_bytes: length,
                }),
            )
        }),
    ];
    let poll = prop::option::of((1..=3_600_000u64).prop_map(Duration::from_millis));
    (endpoint(), what, channel(), poll, any::<bool>()).prop_map(
        |(Endpoint { host, port }, (symbol, address, scan), channel, poll, halt)| GdbAddress {
            host,
            port,
            symbol,
            address,
            scan,
            channel,
            poll_interval: poll,
            halt,
        },
    )
}

fn channel() -> impl Strategy<Value = Option<u8>> {
    prop::option::of(any::<u8>())
}

fn rtt() -> impl Strategy<Value = RttAddress> {
    (endpoint(), channel()).prop_map(|(endpoint, channel)| RttAddress { endpoint, channel })
}

fn swo() -> impl Strategy<Value = SwoAddress> {
    (endpoint(), 0..32u8).prop_map(|(endpoint, stimulus)| SwoAddress { endpoint, stimulus })
}

fn address() -> impl Strategy<Value = Address> {
    prop_oneof![
        endpoint().prop_map(Address::TcpListen),
        endpoint().prop_map(Address::Tcp),
        rtt().prop_map(Address::Rtt),
        swo().prop_map(Address::Swo),
        serial().prop_map(Address::Serial),
        file().prop_map(Address::File),
        Just(Address::Stdin),
        gdb().prop_map(Address::Gdb),
    ]
}

proptest! {
    #[test]
    fn addresses_round_trip(address in address()) {
        let shown = address.to_string();
        prop_assert_eq!(shown.parse::<Address>(), Ok(address), "{}", shown);
    }

    #[test]
    fn arbitrary_text_does_not_panic(text in any::<String>()) {
        if let Ok(address) = text.parse::<Address>() {
            prop_assert_eq!(address.to_string().parse::<Address>(), Ok(address));
        }
    }

    #[test]
    fn arbitrary_urls_do_not_panic(
        scheme in prop::sample::select(&Scheme::ALL),
        rest in r"(//)?[a-z0-9:\[\]/%?&=+. ]{0,30}",
    ) {
        let text = format!("{}:{rest}", scheme.name());
        if let Ok(address) = text.parse::<Address>() {
            prop_assert_eq!(address.to_string().parse::<Address>(), Ok(address));
        }
    }
}
