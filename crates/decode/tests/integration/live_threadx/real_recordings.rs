//! The buffers of a simulated kernel.

use super::event_listener::{EventListener, assert_same, kinds, received_events};
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, open, threadx};
use rtoscope_generate::ThreadXOptions;
use rtoscope_wire::threadx::BufferLayout;

fn buffer(settings: &ThreadXOptions, events: u64, capacity: u64) -> Vec<u8> {
    let settings = ThreadXOptions {
        events,
        capacity: Some(capacity),
        ..settings.clone()
    };
    let mut bytes = Vec::new();
    rtoscope_generate::write(&settings, &mut bytes, &mut |_| ()).unwrap();
    bytes
}

#[test]
fn what_was_stitched_is_what_one_long_buffer_holds() {
    for (layout, cores) in [(0, 1), (2, 1), (1, 3)] {
        let settings = ThreadXOptions {
            layout: BufferLayout::ALL[layout],
            cores,
            ..ThreadXOptions::default()
        };
        let most = 3000;
        let mut listener = EventListener::new();
        let mut at = 0;
        let mut events = 40;
        while events < most {
            listener.push(&buffer(&settings, events, 500), at);
            at += 1;
            events += 1 + (events * 7919) % 490;
        }
        listener.push(&buffer(&settings, most, 500), at);
        assert_eq!(listener.live.stats().gaps, 0);
        let whole = buffer(&settings, most, most);
        let opened = open(Input::new(&whole), BufferChoice::First).unwrap();
        let whole = opened
            .decode(&threadx::ThreadXOptions::default())
            .unwrap()
            .trace;
        let cut = listener.live.window(most).unwrap().decode().unwrap();
        assert_same(&cut.trace, &whole);
        assert_eq!(kinds(&cut.trace), kinds(&whole));
        assert_eq!(
            received_events(&cut),
            listener.received,
            "news and cut agree"
        );
    }
}
