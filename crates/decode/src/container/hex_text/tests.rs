use super::*;
use rtoscope_trace::DiagnosticKind;

fn read_text(text: &str) -> (Memory<'static>, Vec<DiagnosticKind>) {
    let mut diagnostics = Diagnostics::default();
    let memory = read(text.as_bytes(), u64::MAX, &mut diagnostics).unwrap();
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
        [DiagnosticKind::MissingBytes, DiagnosticKind::OtherText]
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
fn the_radix_of_addresses_follows_from_their_steps() {
    for [second, end] in [
        ["000010", "000011"],
        ["0000020", "0000021"],
        ["0000016", "0000017"],
    ] {
        let zeros = "00 ".repeat(12);
        let text = format!(
            "{} 42 54 58 54 {zeros}\n{second} 01\n{end}\n",
            second.replace(['1', '2', '6'], "0")
        );
        let found = bytes(&text);
        assert_eq!((found.len(), found[16]), (17, 1), "{text}");
    }
    let octal = b"0000020 42 54\n";
    assert!(read(octal, u64::MAX, &mut Diagnostics::default()).is_err());
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
fn the_text_column_shows_the_order_of_words() {
    assert_eq!(
        bytes("00000000: 54585442 ffffffff  BTXT....\n"),
        b"BTXT\xFF\xFF\xFF\xFF"
    );
    assert_eq!(
        bytes("00000000: 42545854 ffffffff  BTXT....\n"),
        b"BTXT\xFF\xFF\xFF\xFF"
    );
    assert_eq!(bytes("00000000: 61626162  abab\n"), b"abab");
    let other = b"00000000: 01000010 01010100 01011000 01010100  BTXT\n";
    assert!(read(other, u64::MAX, &mut Diagnostics::default()).is_err());
}

#[test]
fn a_line_with_a_damaged_address_is_left_out() {
    let text = "60000000: 01 02\n60000002: 03 04\n60000014: 05 06\n60000006: 07 08\n";
    let (memory, found) = read_text(text);
    assert_eq!(memory.read(0x6000_0000, 4), Some(&[1, 2, 3, 4][..]));
    assert_eq!(memory.read(0x6000_0006, 2), Some(&[7, 8][..]));
    assert_eq!(memory.total_bytes(), 6);
    assert_eq!(found, [DiagnosticKind::BadRecord]);
}

#[test]
fn foreign_lines_among_those_without_addresses_are_reported() {
    let line = |byte| format!("I (12) dump: {byte:02x} {byte:02x} {byte:02x} {byte:02x}\n");
    let lines: Vec<String> = (0..8).map(line).collect();
    let text = format!(
        "{}I (13) heap: 4096\n{}",
        lines[..4].concat(),
        lines[4..].concat()
    );
    let (memory, found) = read_text(&text);
    assert_eq!(memory.total_bytes(), 32);
    assert_eq!(found, [DiagnosticKind::BadRecord]);
    let text = format!(
        "{}I (13) heap: 40\n{}",
        lines[..4].concat(),
        lines[4..].concat()
    );
    let (memory, found) = read_text(&text);
    assert_eq!(memory.read(16, 4), Some(&[4; 4][..]));
    assert_eq!(found, [DiagnosticKind::BadRecord]);
}

#[test]
fn blocks_have_addresses_in_bytes_or_words() {
    let bytes = "@100\n01 02 03 04\n@110\n05 06 07 08\nq\n";
    let (memory, found) = read_text(bytes);
    assert_eq!(memory.read(0x110, 4), Some(&[5, 6, 7, 8][..]));
    assert_eq!(
        (memory.total_bytes(), found),
        (8, vec![DiagnosticKind::OtherText])
    );
    let words = "@100\n04030201 08070605\n@102\n0c0b0a09\n";
    let (memory, _) = read_text(words);
    assert_eq!(memory.segments().len(), 1);
    assert_eq!(memory.segments()[0].address, 0x400);
    let unclear = b"@100\n04030201\n@200\n08070605\n";
    assert!(read(unclear, u64::MAX, &mut Diagnostics::default()).is_err());
}

#[test]
fn colours_of_a_terminal_are_no_text() {
    let text = "\x1b[0;32mI (1) a: 0x10   42 54\x1b[0m\n\x1b[0;32mI (2) a: 0x12   58 54\x1b[0m\n";
    let (memory, found) = read_text(text);
    assert_eq!((memory.read(0x10, 4), found), (Some(&b"BTXT"[..]), vec![]));
}
