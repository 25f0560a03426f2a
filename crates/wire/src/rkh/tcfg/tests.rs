use super::*;
use crate::rkh::frame::{FLAG, checksum, unescape};
use std::string::ToString;
use std::vec::Vec;

/// RKH 3.4.00 with everything except assertions, 32-bit addresses, 8-bit signals, 4 pools
/// and a clock of 1 MHz.
const FRAME: [u8; 15] = [
    0xAC, 0x00, 0x34, 0xFF, 0xFB, 0x03, 0x00, 0x14, 0x42, 0x11, 0x02, 0x14, 0x40, 0x42, 0x24,
];

fn frame_with(change: impl FnOnce(&mut [u8; 15])) -> [u8; 15] {
    let mut frame = FRAME;
    change(&mut frame);
    frame[14] = checksum(&frame[..14]);
    frame
}

#[test]
fn a_targets_configuration_is_decoded() {
    let target = TargetConfiguration::parse(&FRAME).unwrap();
    assert_eq!(target.version.unwrap().to_string(), "3.4.00");
    assert_eq!(target.event_pools, 4);
    assert_eq!(u32::from(target.timestamp_hz), 1_000_000 & 0xFFFF);
    let configuration = StreamConfiguration {
        sender: true,
        queue_low_water: true,
        pool_low_water: true,
        ..StreamConfiguration::default()
    };
    assert_eq!(target.configuration(None), configuration);
    let function = target.configuration(Some(FieldWidth::Two)).function;
    assert_eq!(function, FieldWidth::Two);
    let off = target.options.iter().filter(|(_, is_on)| !is_on);
    let names: Vec<&str> = off.map(|(name, _)| name).collect();
    assert_eq!(names, ["RKH_CFG_TRC_ASSERT_EN"]);
}

#[test]
fn the_length_reveals_the_checksum() {
    let without = frame_with(|frame| frame[5] = 0x01);
    assert!(TargetConfiguration::parse(&without).is_none());
    let target = TargetConfiguration::parse(&without[..14]).unwrap();
    assert!(!target.configuration(None).checksum);
    assert!(TargetConfiguration::parse(&FRAME[..14]).is_none());
    assert!(TargetConfiguration::parse(&without[..13]).is_none());
}

#[test]
fn its_own_id_reveals_the_size_of_ids() {
    for (id, width) in [
        (&[0x0C, 0x05][..], FieldWidth::Two),
        (&[0xAC, 0x00], FieldWidth::Two),
        (&[0x0C, 0x00, 0x00, 0x05], FieldWidth::Four),
        (&[0xAC, 0x00, 0x00, 0x00], FieldWidth::Four),
    ] {
        let mut frame = [id, &FRAME[1..14]].concat();
        frame.push(checksum(&frame));
        let target = TargetConfiguration::parse(&frame).unwrap();
        assert_eq!(target.id, width);
        let mut expected = TargetConfiguration::parse(&FRAME).unwrap();
        expected.id = width;
        assert_eq!(target, expected);
        let mut written = Vec::new();
        target.encode(|byte| written.push(byte), 0, 0).unwrap();
        let length = written.len() - 1;
        let mut plain = std::vec![0; length];
        let length = unescape(&written[..length], &mut plain).unwrap();
        assert_eq!(TargetConfiguration::parse(&plain[..length]), Some(target));
    }
}

#[test]
fn impossible_configurations_are_rejected() {
    let assert_rejected = |change: &dyn Fn(&mut [u8; 15])| {
        let frame = frame_with(change);
        assert_eq!(TargetConfiguration::parse(&frame), None, "{frame:x?}");
    };
    assert_rejected(&|frame| frame[0] = 0xAB);
    assert_rejected(&|frame| frame[2] = 0x24);
    assert_rejected(&|frame| frame[2] = 0x40);
    assert_rejected(&|frame| frame[7] = 0x34);
    assert_rejected(&|frame| frame[7] = 0x13);
    assert_rejected(&|frame| frame[8] = 0x52);
    assert_rejected(&|frame| frame[9] = 0x16);
    assert_rejected(&|frame| frame[10] = 0x12);
    let mut wrong_checksum = FRAME;
    wrong_checksum[14] ^= 1;
    assert_eq!(TargetConfiguration::parse(&wrong_checksum), None);
    assert_eq!(TargetConfiguration::parse(&[]), None);
}

/// A size of 8 bits is valid for addresses, but the target sends 32 bits.
#[test]
fn addresses_are_never_one_byte() {
    for (declared, sent) in [
        (1, FieldWidth::Four),
        (2, FieldWidth::Two),
        (8, FieldWidth::Four),
    ] {
        let frame = frame_with(|frame| frame[8] = declared << 4 | 2);
        let target = TargetConfiguration::parse(&frame).unwrap();
        assert_eq!(target.pointer, declared);
        assert_eq!(target.configuration(None).pointer, sent);
        assert_eq!(target.configuration(None).function, sent);
    }
}

#[test]
fn every_dialect_and_header_round_trips() {
    for (dialect, version) in [
        (Dialect::V2_3, 0x2300),
        (Dialect::V2_4_3, 0x2403),
        (Dialect::V2_4_4, 0x2404),
        (Dialect::V2_4_5, 0x2406),
        (Dialect::V3, 0x3200),
    ] {
        for bits in 0..32 {
            let configuration = StreamConfiguration {
                sequence: bits & 1 != 0,
                timestamp: [
                    None,
                    Some(FieldWidth::One),
                    Some(FieldWidth::Two),
                    Some(FieldWidth::Four),
                ][bits >> 1 & 3],
                checksum: bits & 8 != 0,
                sender: bits & 16 != 0 && dialect > Dialect::V2_3,
                dialect,
                ..StreamConfiguration::default()
            };
            let mut target =
                TargetConfiguration::from_configuration(&configuration, RkhVersion(version));
            if dialect == Dialect::V2_3 {
                target.block_size = 0;
            } else {
                target.event_pools = 15;
            }
            let mut escaped = Vec::new();
            // A sequence number and a timestamp that look like content.
            let sink = |byte| escaped.push(byte);
            target.encode(sink, 0x14, 0x0114_4211).unwrap();
            assert_eq!(escaped.pop(), Some(FLAG));
            let mut frame = [0; 32];
            let length = unescape(&escaped, &mut frame).unwrap();
            let parsed = TargetConfiguration::parse(&frame[..length]);
            assert_eq!(parsed, Some(target));
            assert_eq!(target.configuration(None), configuration);
        }
    }
}

#[test]
fn a_configuration_that_cannot_be_encoded_is_rejected() {
    let mut target = TargetConfiguration::from_configuration(
        &StreamConfiguration::default(),
        RkhVersion(0x3400),
    );
    target.event_pools = 16;
    let argument = "bsize_pools";
    let result = target.encode(|_| (), 0, 0);
    assert_eq!(result, Err(EncodeError::Value { argument }));
    target.dialect = Dialect::Flat;
    target.event_pools = 0;
    let dialect = "2.0";
    let result = target.encode(|_| (), 0, 0);
    assert_eq!(result, Err(EncodeError::NoConfiguration { dialect }));
}

#[test]
fn versions_have_dialects() {
    let dialect = |code| RkhVersion(code).dialect();
    assert_eq!(dialect(0x2201), Some(Dialect::Flat));
    assert_eq!(dialect(0x2406), Some(Dialect::V2_4_5));
    assert_eq!(dialect(0x3100), Some(Dialect::V3));
    assert_eq!(dialect(0x1999), None);
    assert_eq!(dialect(0x4000), None);
    assert_eq!(RkhVersion(0x2405).to_string(), "2.4.05");
}
