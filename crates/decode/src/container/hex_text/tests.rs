use super::*;

fn read_text(text: &str) -> (Memory<'static>, Vec<DiagnosticKind>) {
    let mut diagnostics = Diagnostics::default();
    let memory = read(text.as_bytes(), &mut diagnostics).unwrap();
    (memory, diagnostics.iter().map(|it| it.kind).collect())
}

fn bytes(text: &str) -> Vec<u8> {
    let (memory, found) = read_text(text);
    assert_eq!(found, [], "{text}");
    assert_eq!(memory.segments().len(), 1, "{text}");
    memory.segments()[0].bytes.to_vec()
}

#[test]
fn plain_digits_in_any_grouping() {
    for text in [
        "42545854",
        "4254 5854",
        "42 54 58 54",
        "4254\r\n5854\r\n",
        "0x42, 0x54,\n0x58, 0x54",
    ] {
        assert_eq!(bytes(text), b"BTXT", "{text}");
    }
}

#[test]
fn xxd_with_text_that_looks_like_digits() {
    let text = "00000000: 4254 5854 6162 2020  BTXTab  \n00000008: 637c                 c|\n";
    assert_eq!(bytes(text), b"BTXTab  c|");
}

#[test]
fn hexdump_repeats_lines() {
    let text = "00000000  42 54 58 54 00 00 00 00  00 00 00 00 00 00 00 00  |BTXT............|\n\
                00000010  aa aa aa aa aa aa aa aa  aa aa aa aa aa aa aa aa  |................|\n\
                *\n\
                00000040  41                                                |A|\n\
                00000041\n";
    let found = bytes(text);
    assert_eq!(found.len(), 0x41);
    assert!(found[0x10..0x40].iter().all(|byte| *byte == 0xAA));
    assert_eq!(found[0x40], 0x41);
}

#[test]
fn gdb_words_are_little_endian_unless_a_header_says_otherwise() {
    let text = "(gdb) x/2xw 0x20000000\n0x20000000 <buffer>:\t0x54585442\t0xffffffff\n";
    let (memory, _) = read_text(text);
    assert!(memory.has_addresses());
    assert_eq!(memory.read(0x2000_0000, 4), Some(&b"BTXT"[..]));
    let header = |halves: &str| {
        format!(
            "0x20000000:\t0x54585442\t0xffffffff\t0x20000000\t0x20000030\n\
             0x20000010:\t{halves}\t0x20000060\t0x20000060\t0x20000080\n\
             0x20000020:\t0x20000060\t0xaaaaaaaa\t0xbbbbbbbb\t0xcccccccc\n"
        )
    };
    assert_eq!(&bytes(&header("0x00000020"))[..4], b"TXTB");
    assert_eq!(&bytes(&header("0x00200000"))[..4], b"BTXT");
}

#[test]
fn gdb_halves_bytes_and_giants() {
    assert_eq!(bytes("0x20000000:\t0x42\t0x54\t0x58\t0x54\n"), b"BTXT");
    assert_eq!(bytes("0x20000000:\t0x5442\t0x5458\n"), b"BTXT");
    assert_eq!(bytes("0x20000000:\t0x4847464554585442\n"), b"BTXTEFGH");
}

#[test]
fn what_cannot_be_read_is_said() {
    let text = "0x20000000:\t0x00000001\t0x00000002\n\
                Cannot access memory at address 0x20000008\n\
                0x20001000:\t0x00000003\nnonsense\n";
    let (memory, found) = read_text(text);
    assert_eq!(memory.total_bytes(), 12);
    assert_eq!(
        found,
        [DiagnosticKind::MissingBytes, DiagnosticKind::BadRecord]
    );
}

#[test]
fn repetition_is_bounded() {
    let text = "00000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|\n\
                *\nfffffff0  01 |.|\n";
    let (memory, found) = read_text(text);
    assert_eq!(memory.total_bytes(), 17);
    assert_eq!(found, [DiagnosticKind::MissingBytes]);
}

#[test]
fn text_columns_may_show_bars_and_brackets() {
    assert_eq!(
        bytes("00000000: 427c 3e54                                B|>T\n"),
        b"B|>T"
    );
    assert_eq!(bytes("00000000  42 7c 3e 54  |B|>T|\n"), b"B|>T");
}

#[test]
fn od_with_hexadecimal_addresses_is_read_and_others_refused() {
    assert_eq!(
        bytes("000000 42 54 58 54\n000004 01\n000005\n"),
        b"BTXT\x01"
    );
    let octal = b"0000000 42 54\n0000002\n";
    assert!(read(octal, &mut Diagnostics::default()).is_err());
}

#[test]
fn openocd_prints_words_without_prefix() {
    assert_eq!(
        bytes("0x20000000: 54585442 03020100 \n"),
        b"BTXT\0\x01\x02\x03"
    );
}

#[test]
fn symbols_may_have_colons() {
    let text = "0x10 <a<b>::trace+16>:\t0x42\t0x54\n";
    assert_eq!(bytes(text), b"BT");
}

#[test]
fn what_gdb_read_before_it_failed_counts() {
    let (memory, found) = read_text("0x10:\t0x42\tCannot access memory at address 0x11\n");
    assert_eq!(memory.available_from(0x10), b"B");
    assert_eq!(found, [DiagnosticKind::MissingBytes]);
}

#[test]
fn a_value_that_was_cut_is_refused() {
    let (memory, found) = read_text("0x10:\t0x00000001\n0x14:\t0x00000002\t0x0000\n");
    assert_eq!(memory.total_bytes(), 4);
    assert_eq!(found, [DiagnosticKind::BadRecord]);
}

#[test]
fn a_damaged_plain_line_leaves_a_hole_of_its_size() {
    let (memory, found) = read_text("00010203\n040z0607\n08090a0b\n");
    assert_eq!(memory.read(8, 4), Some(&[8, 9, 10, 11][..]));
    assert_eq!(memory.read(4, 1), None);
    assert_eq!(found, [DiagnosticKind::BadRecord]);
    assert!(!memory.has_addresses());
}

#[test]
fn a_repetition_of_a_damaged_line_is_missing() {
    let text = "00000000  01 02  |..|\n00000002  0z 04  |..|\n*\n00000008  05  |.|\n*\n";
    let (memory, found) = read_text(text);
    assert_eq!(memory.total_bytes(), 3);
    let missing = DiagnosticKind::MissingBytes;
    assert_eq!(
        found,
        [
            DiagnosticKind::BadRecord,
            DiagnosticKind::BadRecord,
            missing
        ]
    );
}

#[test]
fn swapped_words_are_not_taken_for_bytes() {
    let swapped = b"00000000: 54585442 ffffffff  BTXT....\n";
    assert!(read(swapped, &mut Diagnostics::default()).is_err());
}
