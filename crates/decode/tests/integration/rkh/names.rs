//! Names from the stream itself, from another stream and from an ELF file.

use super::streams;
use rtoscope_decode::rkh::{RkhOptions, decode, read_symbols};
use rtoscope_symbols::{Symbol, Symbols};
use rtoscope_trace::{DiagnosticKind, Name, ObjectClass, TextEncoding};
use rtoscope_wire::rkh::encode::encode;
use rtoscope_wire::rkh::frame::FLAG;
use rtoscope_wire::rkh::{ArgumentValue, StreamConfiguration};

#[test]
fn the_streams_own_names_come_first() {
    let known = streams::find("nat_short").unwrap();
    let symbol = |address, size, name: &[u8], class| Symbol {
        class,
        address,
        size,
        name: Name::new(name),
        owner: 0,
    };
    let symbols = Symbols::new(vec![
        symbol(0x0805_2140, 0x40, b"other", None),
        symbol(
            0x0804_CB8F,
            4,
            b"other_function",
            Some(ObjectClass::Function),
        ),
        symbol(0x1234_5678, 4, b"never_used", None),
    ]);
    let trace = decode(
        &known.bytes(),
        &RkhOptions {
            symbols,
            ..known.options()
        },
    )
    .unwrap()
    .trace;
    assert_eq!(trace, known.decode().trace);
}

#[test]
fn an_elf_file_names_functions_and_data() {
    // This program: it names itself and its own static.
    static MARKED: [u32; 16] = [7; 16];
    assert_eq!(std::hint::black_box(&MARKED)[3], 7);
    let Ok(path) = std::env::current_exe() else {
        return;
    };
    let bytes = std::fs::read(path).unwrap();
    if !bytes.starts_with(b"\x7FELF") {
        return;
    }
    let symbols = read_symbols(&bytes, &RkhOptions::default()).unwrap();
    let named = |part: &str, class| {
        let mut all = symbols.iter().filter(|symbol| symbol.class == class);
        all.any(|symbol| symbol.name.to_string().contains(part))
    };
    assert!(named(
        "an_elf_file_names_functions_and_data",
        Some(ObjectClass::Function)
    ));
    assert!(named("MARKED", None));
    assert!(read_symbols(&bytes[..100], &RkhOptions::default()).is_err());
    assert!(read_symbols(b"\x7FELF", &RkhOptions::default()).is_err());
}

#[test]
fn names_have_the_chosen_encoding() {
    let configuration = StreamConfiguration::default();
    let mut bytes = vec![FLAG];
    for (name, number) in [&b"\xD6\xF7\xCF\xDF"[..], b"plain"].into_iter().zip(0..) {
        let address = ArgumentValue::Number(0x2000_0000 + u32::from(number));
        let values = [address, ArgumentValue::Text(name)];
        let sink = |byte| bytes.push(byte);
        encode(sink, &configuration, 0xA6, number, 0, &values).unwrap();
    }
    let decoded = |text_encoding: TextEncoding| {
        let options = RkhOptions {
            configuration: Some(configuration),
            text_encoding,
            ..RkhOptions::default()
        };
        let trace = decode(&bytes, &options).unwrap().trace;
        let names: Vec<_> = trace.objects.iter().map(|it| it.name.to_string()).collect();
        let mut found = trace.diagnostics.iter();
        let is_reported = found.any(|it| it.kind == DiagnosticKind::NameEncoding);
        (names, is_reported)
    };
    let (names, is_reported) = decoded("gbk".parse().unwrap());
    assert!(names.contains(&"主线".to_owned()) && names.contains(&"plain".to_owned()));
    assert!(!is_reported);
    let (names, is_reported) = decoded(TextEncoding::default());
    assert!(names.contains(&r"\xd6\xf7\xcf\xdf".to_owned()));
    assert!(is_reported);
}
