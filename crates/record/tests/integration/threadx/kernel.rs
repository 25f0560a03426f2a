//! Traces of the kernel itself, recorded again: the ring is identical to the last bit.

use super::buffer::{self, Slot};
use super::support::{LocalRecorder, ManualClock, NonNestingMask, memory, set_time, take_bytes};
use rtoscope_record::threadx::{EventGroups, ObjectType, Thread, WordWidth, buffer_words};
use rtoscope_wire::threadx::{BufferLayout, UlongSize};
use std::path::PathBuf;

fn folder() -> PathBuf {
    rtoscope_fixtures::testdata("threadx")
}

fn low_bits<W: WordWidth>(word: u64) -> W {
    W::from_address(word as usize)
}

/// Sets the running context of the kernel's event.
fn enter_context<W: WordWidth>(recorder: &LocalRecorder<W>, context: u64, priority: u64) {
    match context {
        0xF0F0_F0F0 => {}
        0xFFFF_FFFF if priority == 0 => recorder.enter_idle(),
        0xFFFF_FFFF => {
            recorder.enter_thread(Thread::new(priority as usize, 0));
            recorder.enter_interrupt();
        }
        thread => recorder.enter_thread(Thread {
            address: thread as usize,
            priority: priority as u16,
            threshold: (priority >> 16) as u16 & 0x3FFF,
        }),
    }
}

fn re_record<W: WordWidth>(name: &str, layout: BufferLayout, bytes: &[u8]) {
    let original = buffer::read(layout, bytes);
    let (entries, slots) = (original.registry.len(), original.ring.len());
    let recorder = LocalRecorder::<W>::new(NonNestingMask::default(), ManualClock)
        .with_timer_mask(original.header.timer_mask as u32);
    let (newer, older) = original.ring.split_at(original.current);
    let wrapped = older.first().map_or(true, |entry| entry[0] != 0);
    let all = older.iter().chain(newer).filter(|entry| entry[0] != 0);
    set_time(original.ring[0][3] as u32);
    recorder
        .enable(memory(buffer_words::<W>(entries, slots)), entries)
        .unwrap();
    for Slot {
        object_type,
        pointer,
        parameters,
        name,
        reserved,
        ..
    } in &original.registry
    {
        let (address, text) = (*pointer as usize, name.as_ptr());
        let priority = u16::from_be_bytes([reserved[0] & 0x7F, reserved[1]]);
        let [start, size] = parameters.map(|it| it as usize);
        let words = parameters.map(low_bits::<W>);
        // SAFETY: the name has 32 bytes.
        unsafe {
            match ObjectType(*object_type) {
                ObjectType(0) => continue,
                ObjectType::THREAD => {
                    recorder.register_thread_raw(Thread::new(address, priority), text, start, size)
                }
                object_type => recorder.register_raw(object_type, address, text, words),
            }
        }
        .unwrap();
    }
    // The kernel's own first two events, if present, are recorded already.
    for entry in all.skip(if wrapped { 0 } else { 2 }) {
        let [context, priority, id, timestamp, i1, i2, i3, i4] = *entry;
        enter_context(&recorder, context, priority);
        set_time(timestamp as u32);
        recorder.insert(
            EventGroups::INTERNAL,
            id as u32,
            [i1, i2, i3, i4].map(low_bits::<W>),
        );
        if context == 0xFFFF_FFFF && priority != 0 {
            recorder.leave_interrupt();
        }
    }
    recorder.disable().unwrap();
    let copy = buffer::read(buffer::layout::<W>(), &take_bytes(&recorder));
    let ordered = |buffer: &buffer::Buffer| {
        let (newer, older) = buffer.ring.split_at(buffer.current);
        let mut all: Vec<_> = older.iter().chain(newer).copied().collect();
        all.retain(|entry| entry[0] != 0);
        all
    };
    let (mut expected, found) = (ordered(&original), ordered(&copy));
    if !wrapped {
        // Its second RUNNING has its own timestamp.
        expected[1][3] = expected[0][3];
        assert_eq!(copy.current, original.current, "{name}");
    }
    assert_eq!(found, expected, "{name}");
    let header = |buffer: &buffer::Buffer| {
        let header = buffer.header;
        (
            header.id,
            header.timer_mask,
            header.reserved1,
            header.name_size,
            header.markers,
        )
    };
    assert_eq!(header(&copy), header(&original), "{name}");
    let object = |slot: &Slot| {
        let name = slot.name.split(|byte| *byte == 0).next().unwrap().to_vec();
        (
            slot.object_type,
            slot.reserved,
            slot.pointer,
            slot.parameters,
            name,
        )
    };
    let used = |buffer: &buffer::Buffer| {
        let slots = buffer.registry.iter().filter(|slot| slot.object_type != 0);
        slots.map(object).collect::<Vec<_>>()
    };
    let (mut expected, found) = (used(&original), used(&copy));
    // Two objects that had the same address one after the other share a slot here.
    expected.retain(|of| found.contains(of) || !found.iter().any(|it| it.2 == of.2));
    assert_eq!(found.len(), expected.len(), "{name}");
    assert_eq!(found, expected, "{name}");
}

#[test]
fn traces_of_the_kernel_are_recorded_identically() {
    let mut compared = 0;
    for file in std::fs::read_dir(folder()).unwrap() {
        let path = file.unwrap().path();
        if path.extension().map_or(true, |it| it != "trx") {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let layout = BufferLayout::detect(&bytes).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        // Traces that an unmodified kernel does not write: half an event, names of
        // another size, or a ring copied before the first two events.
        if ["cm3_midinsert", "linux32_namesize30"].contains(&name.as_str()) {
            continue;
        }
        match layout.ulong {
            UlongSize::Four => re_record::<u32>(&name, layout, &bytes),
            UlongSize::Eight => re_record::<u64>(&name, layout, &bytes),
        }
        compared += 1;
    }
    assert!(compared > 20);
}
