//! Names of objects that appear late or disappear.

use super::event_listener::EventListener;
use super::target::{Target, USER};
use rtoscope_trace::{Address, ContextId, ObjectClass};
use rtoscope_wire::threadx::BufferLayout;

const THREAD_TYPE: u8 = 1;
const QUEUE_TYPE: u8 = 3;

#[test]
fn objects_are_named_from_when_they_are_registered_and_stay_named() {
    let mut target = Target::new(BufferLayout::ALL[0], 32, 0xFFFF_FFFF);
    let mut listener = EventListener::new();
    let (early, late) = (0x2000_1000, 0x2000_2000);
    target.register(0, THREAD_TYPE, early, "early", false);
    target.log_as(5, USER, early);
    target.log_as(5, USER, late);
    listener.push(&target.dump(), 1);
    let names = |listener: &EventListener| {
        let trace = listener.live.window(100).unwrap().decode().unwrap().trace;
        let name = |context: ContextId| trace.context_name(context).to_string();
        trace.events.contexts().map(name).collect::<Vec<_>>()
    };
    assert_eq!(names(&listener), ["early", "0x20002000"]);
    target.register(1, THREAD_TYPE, late, "late", false);
    target.log_as(5, USER, late);
    listener.push(&target.dump(), 2);
    assert_eq!(names(&listener), ["early", "late", "late"]);
    // Deleted first, then another object takes its slot.
    target.register(0, THREAD_TYPE, early, "early", true);
    target.log_as(5, USER, late);
    listener.push(&target.dump(), 3);
    target.register(0, QUEUE_TYPE, 0x2000_3000, "queue", false);
    target.log_as(5, USER, late);
    listener.push(&target.dump(), 4);
    assert_eq!(names(&listener), ["early", "late", "late", "late", "late"]);
    let trace = listener.live.window(100).unwrap().decode().unwrap().trace;
    let find = |address, class| trace.objects.find_class(Address(address), class).unwrap();
    assert!(find(early, ObjectClass::Thread).deleted);
    assert!(!find(late, ObjectClass::Thread).deleted);
    assert!(!find(0x2000_3000, ObjectClass::Queue).deleted);
}

#[test]
fn an_address_that_is_used_again_has_the_living_objects_name() {
    let mut target = Target::new(BufferLayout::ALL[2], 32, 0xFFFF_FFFF);
    let mut listener = EventListener::new();
    for (name, at) in ["first", "second", "third"].into_iter().zip(1..) {
        target.register(0, THREAD_TYPE, 0x2000_1000, name, false);
        target.log(5);
        listener.push(&target.dump(), at);
    }
    let trace = listener.live.window(100).unwrap().decode().unwrap().trace;
    let at: Vec<_> = trace.objects.at(Address(0x2000_1000)).collect();
    let seen: Vec<_> = at
        .iter()
        .map(|it| (it.name.to_string(), it.deleted))
        .collect();
    assert_eq!(seen[0], ("third".to_owned(), false));
    assert_eq!(seen.len(), 3);
    assert!(seen[1..].iter().all(|(_, deleted)| *deleted));
    let threads = trace.contexts.threads().count();
    assert_eq!(threads, 1, "one address is one thread");
}

#[test]
fn how_ids_are_read_does_not_change_from_piece_to_piece() {
    let mut target = Target::new(BufferLayout::ALL[0], 64, 0xFFFF_FFFF);
    let mut listener = EventListener::new();
    let core = |number: u32| number << 24;
    let mut pieces = Vec::new();
    for turn in 0..60 {
        for _ in 0..8 {
            target.log_as(5, core(turn % 2) | USER, 0x2000_1000);
        }
        // An odd one occasionally, alone in its chunk.
        if turn > 30 {
            listener.push(&target.dump(), turn.into());
            target.log_as(5, core(0x77) | 0x12_3456, 0x2000_1000);
        }
        listener
            .live
            .push(&target.dump(), rtoscope_decode::live::HostTime(turn.into()));
        let news = listener.live.next_update().unwrap().unwrap();
        pieces.push(news.recording.trace);
    }
    let smp = |trace: &rtoscope_trace::Trace| trace.events.kinds().any(|kind| kind.0 == USER);
    assert!(pieces.iter().take(30).skip(1).all(smp));
    let odd = pieces.iter().skip(31);
    for trace in odd {
        let last = trace.events.kinds().last().unwrap();
        assert_eq!(last.0, 0x12_3456, "split as an SMP kernel's");
        assert!(trace.cores.contains(&0) && trace.cores.contains(&1));
    }
}
