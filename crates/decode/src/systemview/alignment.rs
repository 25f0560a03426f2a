//! Finds the start of a packet in the middle of a stream: after damage, or if the stream does not
//! begin with a sync.
//!
//! Packets have no mark. A position is the start of one if the bytes from there on are several
//! packets that a recorder could have sent, one after the other. Bytes from within a packet can
//! look so, too, but soon arrive at the start of another one: the first position at which two
//! of such sequences agree is taken.

use super::descriptions::ValueFormat;
use super::target::Target;
use crate::packet_stream::Alignment;
use memchr::memmem;
use rtoscope_wire::systemview::packet::ArgumentReader;
use rtoscope_wire::systemview::{
    FIRST_ID_WITH_LENGTH, Framing, Packet, PacketError, SYNC_BYTES, extended_id, id,
};

/// Number of packets that show that a sequence is right.
const MIN_PACKETS: usize = 10;

/// Number of bytes in which sequences may begin, from the first right one on.
const WINDOW_BYTES: usize = 48;

/// The first event that is no call of the operating system.
const FIRST_EVENT: u32 = 512;

/// The first id that is neither of a call, a module nor the application.
const FIRST_UNASSIGNED: u32 = 2048;

/// Maximum number of numbers in a packet.
const MAX_NUMBERS: usize = 16;

/// Maximum length of a task's name. Recorders cut longer ones, whatever is configured.
const MAX_TASK_NAME_BYTES: usize = 32;

/// Maximum ticks between two packets of a sequence.
const MAX_DELTA: u32 = 1 << 30;

/// Finds the start of a packet. If nothing follows (`is_end`), the bytes are decided as they are.
pub(super) fn find(bytes: &[u8], framing: Framing, target: &Target, is_end: bool) -> Alignment {
    // The positions in the first right sequence and in later ones.
    let mut sequences: Vec<Vec<usize>> = Vec::new();
    let mut first = 0;
    let mut start = 0;
    while let Some(rest) = bytes.get(start..).filter(|rest| !rest.is_empty()) {
        if !sequences.is_empty() && start >= first + WINDOW_BYTES {
            break;
        }
        // No packet but a sync begins with a zero.
        let zeros = leading_zeros(rest);
        let excess = zeros.saturating_sub(SYNC_BYTES);
        match sync_after_zeros(rest, zeros, framing) {
            Ok(()) => return Alignment::At(start + excess),
            Err(PacketError::Incomplete) if !is_end => {
                // One more than a sync has, to recognise the run as longer.
                let kept = start + excess.saturating_sub(1);
                return Alignment::NotBefore(if sequences.is_empty() { kept } else { first });
            }
            Err(_) if zeros > 0 => {
                start += zeros;
                continue;
            }
            Err(_) => {}
        }
        match sequence(bytes, start, framing, target, is_end) {
            Ok(positions) => {
                if sequences.is_empty() {
                    first = start;
                }
                let earlier = sequences
                    .iter()
                    .filter_map(|other| meeting(other, &positions));
                if let Some(meeting) = earlier.min() {
                    return Alignment::At(meeting);
                }
                sequences.push(positions);
            }
            Err(PacketError::Damaged) => {}
            Err(PacketError::Incomplete) => {
                return Alignment::NotBefore(if sequences.is_empty() { start } else { first });
            }
        }
        start += 1;
    }
    match sequences.first().and_then(|positions| positions.first()) {
        Some(only) => Alignment::At(*only),
        None => Alignment::NotBefore(bytes.len()),
    }
}

/// Whether the bytes begin with more zeros than a sync has, which no recorder writes.
pub(super) fn is_zeroed(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0; SYNC_BYTES + 1])
}

fn leading_zeros(bytes: &[u8]) -> usize {
    let end = bytes.iter().position(|byte| *byte != 0);
    end.unwrap_or(bytes.len())
}

/// Whether bytes that begin with `zeros` zeros have a sync at the end of these. A run that is
/// longer than a sync has one if a recording starts after it.
///
/// # Errors
///
/// [`PacketError::Damaged`] if not, [`PacketError::Incomplete`] if that needs more bytes.
fn sync_after_zeros(bytes: &[u8], zeros: usize, framing: Framing) -> Result<(), PacketError> {
    let after = bytes.get(zeros..).unwrap_or_default();
    match zeros {
        0 => Err(PacketError::Damaged),
        _ if after.is_empty() => Err(PacketError::Incomplete),
        _ if zeros < SYNC_BYTES => Err(PacketError::Damaged),
        SYNC_BYTES => Ok(()),
        _ => match Packet::read(after, framing)?.id {
            id::TRACE_START => Ok(()),
            _ => Err(PacketError::Damaged),
        },
    }
}

/// The first common position; both are in order.
fn meeting(one: &[usize], other: &[usize]) -> Option<usize> {
    one.iter()
        .copied()
        .find(|position| other.binary_search(position).is_ok())
}

/// The positions of the packets from `start` on, up to the end of the last one.
///
/// # Errors
///
/// If they are not packets of a recorder, or if the bytes end within them.
fn sequence(
    bytes: &[u8],
    start: usize,
    framing: Framing,
    target: &Target,
    is_end: bool,
) -> Result<Vec<usize>, PacketError> {
    let mut positions = Vec::with_capacity(MIN_PACKETS + 1);
    let mut at = start;
    while positions.len() < MIN_PACKETS {
        let rest = bytes.get(at..).unwrap_or_default();
        let packet = match Packet::read(rest, framing) {
            // The bytes end within it, or a sync is.
            Err(PacketError::Incomplete) if is_end || has_sync(rest) => {
                return Err(PacketError::Damaged);
            }
            packet => packet?,
        };
        let covered = rest.get(..packet.bytes).unwrap_or_default();
        let is_one = match packet.is_sync() {
            true => !is_zeroed(covered),
            false => is_plausible(&packet, target) && !has_sync(covered),
        };
        if !is_one {
            return Err(PacketError::Damaged);
        }
        positions.push(at);
        at += packet.bytes;
    }
    positions.push(at);
    Ok(positions)
}

/// Whether a sync is near the start of these bytes.
fn has_sync(bytes: &[u8]) -> bool {
    const NEAR: usize = 512;
    let near = bytes.get(..NEAR).unwrap_or(bytes);
    memmem::find(near, &[0; SYNC_BYTES]).is_some()
}

/// Whether a recorder could have sent a packet, in view of what is known of the target.
pub(super) fn is_plausible(packet: &Packet<'_>, target: &Target) -> bool {
    let [first, second, ..] = packet.values;
    if packet.delta > MAX_DELTA {
        return false;
    }
    match packet.id {
        id::ISR_ENTER => first < 1024,
        id::TASK_START_EXEC | id::TASK_START_READY | id::TASK_STOP_READY => {
            target.tasks.is_empty() || target.find_task(first).is_some()
        }
        id::TASK_INFO => second < 1 << 16 && has_sound_text(packet),
        id::SYSDESC | id::MODULEDESC => packet.text.contains(&b'=') && has_sound_text(packet),
        id::OVERFLOW => first < 1 << 24,
        0..FIRST_ID_WITH_LENGTH => true,
        id::FIRST_CALL..FIRST_EVENT | FIRST_UNASSIGNED.. if !is_known(packet.id, target) => false,
        _ => has_sound_payload(packet, target),
    }
}

/// Whether an event is described, or occurred before, or nothing is known of calls.
fn is_known(event: u32, target: &Target) -> bool {
    target.calls.is_none() || target.description(event).is_some() || target.has_seen(event, 0)
}

/// Whether a packet without a length has a text that a recorder writes, or none.
pub(super) fn has_sound_text(packet: &Packet<'_>) -> bool {
    let has_sound_length = packet.id != id::TASK_INFO || packet.text.len() <= MAX_TASK_NAME_BYTES;
    has_sound_length && is_name(packet.text)
}

/// Whether the arguments of a packet with a length are those of its id and fill it.
pub(super) fn has_sound_payload(packet: &Packet<'_>, target: &Target) -> bool {
    let mut arguments = packet.arguments();
    let mut skip = |count| skip_numbers(&mut arguments, count);
    match packet.id {
        // Later versions may add fields.
        id::INIT => return skip(4),
        id::NAME_RESOURCE => {
            return skip(1) && has_name(&mut arguments) && arguments.is_empty();
        }
        id::PRINT_FORMATTED => {
            let is_text = arguments.text().is_some_and(is_text);
            let _level = arguments.number();
            let count = arguments.number().filter(|_| is_text);
            return count.is_some_and(|count| {
                count < 64 && skip_numbers(&mut arguments, count) && arguments.is_empty()
            });
        }
        id::NUMMODULES | id::TASK_TERMINATE => return skip(1) && arguments.is_empty(),
        id::END_CALL => {
            let call = arguments.number();
            let is_call = call.is_some_and(|call| (id::FIRST_CALL..0x8000).contains(&call));
            let _result = arguments.number();
            return is_call && arguments.is_empty();
        }
        id::EX => {
            let extended = arguments.number();
            return match extended {
                Some(extended_id::MARK) => skip_numbers(&mut arguments, 1) && arguments.is_empty(),
                Some(extended_id::NAME_MARKER) => {
                    skip_numbers(&mut arguments, 1)
                        && has_name(&mut arguments)
                        && arguments.is_empty()
                }
                // The properties of the data may follow.
                Some(extended_id::REGISTER_DATA) => {
                    skip_numbers(&mut arguments, 1) && has_name(&mut arguments)
                }
                Some(extended) => extended < extended_id::REGISTER_DATA,
                None => false,
            };
        }
        30 => return false,
        _ => {}
    }
    match target.description(packet.id).filter(|it| it.has_text()) {
        Some(event) => {
            let mut formats = event.arguments.iter().map(|(_, format)| *format);
            formats.all(|format| match format {
                ValueFormat::Text => arguments.text().is_some(),
                _ => arguments.number().is_some(),
            }) && arguments.is_empty()
        }
        None => {
            let mut numbers = 0;
            loop {
                // An event of the application may end with a text that nothing describes.
                let mut text = arguments;
                if packet.id >= FIRST_EVENT && ends_with_text(&mut text) {
                    return true;
                }
                if arguments.is_empty() || numbers >= MAX_NUMBERS {
                    return arguments.is_empty();
                }
                if arguments.number().is_none() {
                    return false;
                }
                numbers += 1;
            }
        }
    }
}

fn skip_numbers(arguments: &mut ArgumentReader<'_>, count: u32) -> bool {
    (0..count).all(|_| arguments.number().is_some())
}

fn has_name(arguments: &mut ArgumentReader<'_>) -> bool {
    arguments.text().is_some_and(is_name)
}

fn ends_with_text(arguments: &mut ArgumentReader<'_>) -> bool {
    arguments.text().is_some_and(is_text) && arguments.is_empty()
}

/// Whether the bytes are those of a name or a description, which are one line.
fn is_name(bytes: &[u8]) -> bool {
    let is_control = |byte: &u8| byte.is_ascii_control() && *byte != b'\t';
    !bytes.iter().any(is_control)
}

/// Whether the bytes are a text, which may have line breaks and escape sequences for colours.
fn is_text(bytes: &[u8]) -> bool {
    let is_control = |byte: &u8| *byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x1B);
    !bytes.iter().any(is_control)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtoscope_wire::systemview::PacketWriter;

    fn stream() -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = PacketWriter::new(|byte| bytes.push(byte));
        for round in 0..40 {
            writer.short(id::ISR_ENTER, &[15], None, 1000 + round);
            writer.short(id::TASK_START_READY, &[0x1234], None, 100);
            writer.short(id::ISR_TO_SCHEDULER, &[], None, 50);
            writer.short(id::TASK_START_EXEC, &[0x1234], None, 70);
            writer.long(164, &[0x900, 7, 100], &[], 300);
            writer.short(id::IDLE, &[], None, 20);
        }
        bytes
    }

    /// The starts of the packets of a stream.
    fn starts(bytes: &[u8]) -> Vec<usize> {
        let mut starts = vec![0];
        while let Ok(packet) = Packet::read(&bytes[starts[starts.len() - 1]..], Framing::Plain) {
            starts.push(starts[starts.len() - 1] + packet.bytes);
        }
        starts
    }

    #[test]
    fn a_stream_cut_anywhere_is_found_again_soon() {
        let bytes = stream();
        let starts = starts(&bytes);
        for cut in 0..bytes.len() / 2 {
            let found = find(&bytes[cut..], Framing::Plain, &Target::default(), true);
            let Alignment::At(position) = found else {
                panic!("{found:?}");
            };
            assert!(starts.contains(&(cut + position)), "cut at {cut}");
            assert!(position < 40, "cut at {cut}");
        }
    }

    #[test]
    fn a_sync_is_a_start() {
        let bytes = [&b"SV\x06\x07"[..], &[0; 10], &[10, 5]].concat();
        let found = find(&bytes, Framing::Plain, &Target::default(), false);
        assert_eq!(found, Alignment::At(4));
        let found = find(&bytes[..14], Framing::Plain, &Target::default(), false);
        assert!(matches!(found, Alignment::NotBefore(..=4)), "{found:?}");
        let found = find(b"no packets here", Framing::Plain, &Target::default(), true);
        assert_eq!(found, Alignment::NotBefore(15));
    }

    #[test]
    fn more_zeros_than_a_sync_has_are_skipped() {
        let find = |bytes: &[u8], is_end| find(bytes, Framing::Plain, &Target::default(), is_end);
        let zeros = [0; 200];
        let restart = [&zeros[..], &[10, 5]].concat();
        assert_eq!(find(&restart, false), Alignment::At(200 - SYNC_BYTES));
        let Alignment::At(first) = find(&stream(), true) else {
            panic!("no packet");
        };
        let packets = [&zeros[..], &stream()].concat();
        assert_eq!(find(&packets, true), Alignment::At(200 + first));
        assert_eq!(find(&zeros, true), Alignment::NotBefore(200));
        // What a live stream keeps still shows that the run is longer than a sync.
        let Alignment::NotBefore(kept) = find(&zeros, false) else {
            panic!("a packet in zeros");
        };
        assert!(kept > 0 && is_zeroed(&zeros[kept..]));
        let found = find(&packets[kept..], true);
        assert_eq!(found, Alignment::At(200 - kept + first));
    }

    #[test]
    fn names_are_single_lines_of_limited_length() {
        let packet = |name: &[u8], is_task: bool| {
            let mut bytes = Vec::new();
            let mut writer = PacketWriter::new(|byte| bytes.push(byte));
            match is_task {
                true => writer.short(id::TASK_INFO, &[0x1234, 7], Some(name), 300),
                false => writer.long(id::NAME_RESOURCE, &[0x1234], &[name], 300),
            }
            bytes
        };
        let is_sound = |name: &[u8], is_task| {
            let bytes = packet(name, is_task);
            let packet = Packet::read(&bytes, Framing::Plain).unwrap();
            match is_task {
                true => has_sound_text(&packet),
                false => has_sound_payload(&packet, &Target::default()),
            }
        };
        for is_task in [true, false] {
            for name in [&b"q2"[..], b"", b"a\tb", "S\u{e9}maphore".as_bytes()] {
                assert!(is_sound(name, is_task), "{name:?}");
            }
            for name in [&b"q\0"[..], b"q\x03", b"q\n", b"\x7f"] {
                assert!(!is_sound(name, is_task), "{name:?}");
            }
        }
        assert!(is_sound(&[b'x'; MAX_TASK_NAME_BYTES], true));
        assert!(!is_sound(&[b'x'; MAX_TASK_NAME_BYTES + 1], true));
        assert!(is_sound(&[b'x'; 300], false));
    }
}
