//! Runs unit tests of a state machine on the board. The host compares its records with the
//! expectations, and the program waits for the answer to each record on the serial port.
//! First the host sets the filter.
#![no_std]
#![no_main]

mod link;

use core::mem::MaybeUninit;
use link::{Link, TRACE};
use rtoscope_record::rkh::{ActiveObject, Address, ExpectedEvent};
use truth::DONE;
use truth::unit_tests::UnitTestResults;

boot::never_panic!();

/// The results, which the host of the test reads from memory.
#[unsafe(no_mangle)]
static mut UNIT_TEST_RESULTS: UnitTestResults = UnitTestResults::ZERO;

const BYTES: usize = 1024;
static mut BUFFER: [MaybeUninit<u8>; BYTES] = [MaybeUninit::uninit(); BYTES];

const LAMP: ActiveObject = ActiveObject::new(Address(0x100), 1);
const OFF: Address = Address(0x110);
const ON: Address = Address(0x120);
const PRESSED: u32 = 5;

/// A lamp with a switch.
struct Lamp {
    state: Address,
    link: Link,
}

impl Lamp {
    /// Handles an event: RKH's framework would record the same.
    fn dispatch(&mut self, signal: u32) {
        let source = self.state;
        self.link.put(|| TRACE.sma_get(LAMP, signal, 0, 0, 0, 0));
        self.link.put(|| TRACE.sm_dch(LAMP, signal, source));
        if signal != PRESSED {
            self.link.put(|| TRACE.sm_evt_nfound(LAMP, signal));
            return;
        }
        self.state = if source == OFF { ON } else { OFF };
        self.link.put(|| TRACE.sm_trn(LAMP, source, self.state));
        self.link.put(|| TRACE.sm_evt_proc(LAMP));
    }

    /// A test that begins in a line: a press must switch to a state. Returns whether the
    /// host says so.
    fn test_press(&mut self, line: u32, expected: Address) -> bool {
        self.link.has_passed = true;
        let source = self.state;
        self.link.put(|| TRACE.ut_init(line));
        self.link
            .put(|| TRACE.ut_expect(line + 1, ExpectedEvent::Dch(PRESSED, source)));
        self.link
            .put(|| TRACE.ut_expect(line + 2, ExpectedEvent::Trn(source, expected)));
        self.link
            .put(|| TRACE.ut_expect(line + 3, ExpectedEvent::EvtProc));
        self.dispatch(PRESSED);
        self.link.put(|| TRACE.ut_verify(line + 4));
        self.link.put(|| TRACE.ut_cleanup(line + 5));
        self.link.has_passed
    }
}

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    board::start_serial();
    let buffer = &raw mut BUFFER;
    // SAFETY: this is the only reference.
    let is_started = TRACE.start(unsafe { &mut *buffer }).is_ok();
    TRACE.fwk_ao(LAMP.address, b"lamp");
    TRACE.fwk_state(LAMP.address, OFF, b"off");
    TRACE.fwk_state(LAMP.address, ON, b"on");
    TRACE.fwk_sig(PRESSED, b"PRESSED");
    let mut lamp = Lamp {
        state: OFF,
        link: Link::new(),
    };
    lamp.link.flush();
    let mut results = UnitTestResults::ZERO;
    if is_started {
        // Until then, no record of the machine passes.
        lamp.dispatch(PRESSED);
        results.records_before_filter = lamp.link.records;
        lamp.link.wait_for_filter();
        lamp.state = OFF;
        let outcomes = [
            lamp.test_press(100, ON),
            lamp.test_press(200, OFF),
            // It switches off, and the test expects otherwise.
            {
                lamp.state = ON;
                lamp.test_press(300, ON)
            },
        ];
        for has_passed in outcomes {
            results.passed += u32::from(has_passed);
            results.failed += u32::from(!has_passed);
        }
    }
    results.filter_commands = lamp.link.filter_commands;
    results.records = lamp.link.records;
    results.failed_line = lamp.link.failed_line;
    results.invalid_messages = lamp.link.invalid_messages;
    results.done = DONE;
    let memory = &raw mut UNIT_TEST_RESULTS;
    // SAFETY: the program does not read it.
    unsafe { memory.write_volatile(results) };
    loop {
        core::hint::spin_loop();
    }
}
