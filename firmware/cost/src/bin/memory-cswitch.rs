//! A firmware with a context-switch log: all functions that its kernel's hooks call, and
//! a reader of the entries.
#![no_std]
#![no_main]

use core::hint::black_box;
use cost::{PRIMASK, buffer};
use rtoscope_record::Name;
use rtoscope_record::cswitch::{BufferMode, LogEntry, LogReader, SwitchLog};
use rtoscope_record::port::{CycleCounter, Primask};

static LOG: SwitchLog<Primask, CycleCounter> = SwitchLog::new(PRIMASK, CycleCounter);

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    let started = LOG.start(
        buffer!(BUFFER: [LogEntry; 64]),
        black_box(BufferMode::Cyclic),
    );
    let (address, name) = (black_box(0x1000), black_box(Name::ISR));
    LOG.sleep(address, name);
    LOG.wake(address, name);
    LOG.record(black_box(2), address, name);
    LOG.isr_enter(address);
    LOG.isr_exit(address);
    let mut entries = [LogEntry::UNFINISHED; 4];
    let read = LogReader::new(&LOG).map(|mut reader| reader.read(black_box(&mut entries)).len());
    cost::end(started & read.is_some() & LOG.stop().is_some())
}
