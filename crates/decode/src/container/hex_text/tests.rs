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
    assert!(memory.addressed());
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
