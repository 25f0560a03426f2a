//! Random operations on a recorder and on the model.

use super::buffer::{self, Buffer, Slot, Words};
use super::model::{EventPosition, TraceModel};
use super::support::{LocalRecorder, ManualClock, NonNestingMask, memory, set_time, take_bytes};
use rtoscope_decode::source::Input;
use rtoscope_decode::threadx::{CoreBits, ThreadXOptions};
use rtoscope_decode::{BufferChoice, open};
use rtoscope_record::threadx::{
    EventGroups, FullBuffer, ObjectType, PendingField, Thread, ThreadState, TraceStatus, WordWidth,
    buffer_words,
};
use std::cell::{Cell, RefCell};
use std::mem::MaybeUninit;

thread_local! {
    static SHOWN: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
    static STOPS: Cell<bool> = const { Cell::new(false) };
}

fn record_full_buffer(full: &FullBuffer<'_>) {
    SHOWN.with(|it| it.borrow_mut().push(full.bytes().to_vec()));
    if STOPS.with(Cell::get) {
        full.disable();
    }
}

/// Performs the operations that `bytes` encode, on words of type `W`, and compares.
pub(crate) fn run_operations<W: WordWidth + Into<u64>>(bytes: &[u8]) {
    let mut run = ModelRun::<W> {
        recorder: LocalRecorder::new(NonNestingMask::default(), ManualClock)
            .with_timer_mask(0xFF_FFFF),
        model: TraceModel::default(),
        pending: Vec::new(),
        owns_buffer: false,
    };
    SHOWN.with(|it| it.borrow_mut().clear());
    let mut bytes = InputBytes(bytes);
    while let Some(operation) = bytes.next() {
        run.model.now = run.model.now.wrapping_add(u32::from(bytes.small(4)));
        set_time(run.model.now);
        run.step(operation, &mut bytes);
    }
    run.finish();
}

/// Random numbers, followed by zeros.
struct InputBytes<'a>(&'a [u8]);

impl InputBytes<'_> {
    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    /// A number below a limit.
    fn small(&mut self, limit: u8) -> u8 {
        self.next().unwrap_or(0) % limit
    }

    fn word(&mut self) -> u32 {
        u32::from_le_bytes([(); 4].map(|()| self.next().unwrap_or(0)))
    }

    /// The address of one of a few objects.
    fn address(&mut self) -> usize {
        0x2000_0000 + 0x40 * usize::from(self.small(6))
    }
}

struct ModelRun<W: WordWidth> {
    recorder: LocalRecorder<W>,
    model: TraceModel,
    pending: Vec<(PendingField<W>, Option<EventPosition>, usize)>,
    /// Whether the recorder owns memory that must be freed.
    owns_buffer: bool,
}

impl<W: WordWidth + Into<u64>> ModelRun<W> {
    fn step(&mut self, operation: u8, bytes: &mut InputBytes<'_>) {
        match operation % 20 {
            0 => self.enable(bytes),
            1 => {
                let done = self.recorder.disable();
                assert_eq!(done.is_ok(), self.model.is_on);
                self.model.is_on = false;
            }
            2 => {
                let groups = bytes.word();
                self.recorder.event_filter(EventGroups(groups));
                self.model.enabled_groups &= !groups;
            }
            3 => {
                let groups = bytes.word();
                self.recorder.event_unfilter(EventGroups(groups));
                self.model.enabled_groups |= groups;
            }
            4 => self.thread(bytes),
            5 => {
                self.recorder.enter_idle();
                self.model.set_thread(None);
            }
            6 => self.isr_enter(u32::from(bytes.small(255))),
            7 => self.isr_exit(u32::from(bytes.small(255))),
            8 => {
                self.recorder.enter_interrupt();
                self.model.interrupts += 1;
            }
            9 => {
                self.recorder.leave_interrupt();
                self.model.interrupts = self.model.interrupts.saturating_sub(1);
            }
            10 | 11 => self.register(bytes),
            12 => self.unregister(bytes),
            13 => self.begin(bytes),
            14 => self.complete(bytes),
            15 => self.notify(bytes),
            _ => self.insert(operation, bytes),
        }
        assert_eq!(self.recorder.is_enabled(), self.model.is_on);
    }

    fn enable(&mut self, bytes: &mut InputBytes<'_>) {
        let (events, entries) = (usize::from(bytes.small(6)), usize::from(bytes.small(5)));
        let spare = usize::from(bytes.small(8));
        if self.owns_buffer && !self.model.is_on {
            self.check();
        }
        let words = buffer_words::<W>(entries, events) + spare;
        let memory: *mut [MaybeUninit<W>] = memory(words);
        // SAFETY: allocated for this recorder alone.
        let result = self.recorder.enable(unsafe { &mut *memory }, entries);
        let expected = match (events, self.model.is_on) {
            (0, _) => Err(TraceStatus::SizeError),
            (_, true) => Err(TraceStatus::NotDone),
            _ => Ok(()),
        };
        assert_eq!(result, expected);
        if result.is_ok() {
            self.owns_buffer = true;
            self.model.enable(events, entries);
        } else {
            // SAFETY: boxed by `memory`, and the recorder has rejected it.
            drop(unsafe { Box::from_raw(memory) });
        }
    }

    fn thread(&mut self, bytes: &mut InputBytes<'_>) {
        let thread = Thread {
            address: bytes.address(),
            priority: u16::from(bytes.small(255)),
            threshold: u16::from(bytes.small(255)),
        };
        let (threshold, priority) = (u64::from(thread.threshold), u64::from(thread.priority));
        let word = 0x8000_0000 | threshold << 16 | priority;
        self.recorder.enter_thread(thread);
        self.model.set_thread(Some((thread.address as u64, word)));
    }

    fn isr_enter(&mut self, number: u32) {
        self.recorder.isr_enter(number);
        self.model.interrupts += 1;
        let state = self.model.system_state();
        let info = [None, Some(u64::from(number)), Some(state), Some(0)];
        self.model.insert(1, 3, info);
    }

    fn isr_exit(&mut self, number: u32) {
        self.recorder.isr_exit(number);
        let state = self.model.system_state();
        let info = [None, Some(u64::from(number)), Some(state), Some(0)];
        self.model.insert(1, 4, info);
        self.model.interrupts = self.model.interrupts.saturating_sub(1);
    }

    fn register(&mut self, bytes: &mut InputBytes<'_>) {
        let address = bytes.address();
        let parameters = [bytes.word(), bytes.word()];
        let name = "Überlänge und weit mehr als 31 Bytes\0x";
        let start = usize::from(bytes.small(12));
        let end = usize::from(bytes.small(40)).max(start);
        let name = name.get(start..end.min(name.len())).unwrap_or("kurz");
        let is_thread = bytes.small(3) == 0;
        let priority = u16::from(bytes.small(255)) * 4;
        let result = if is_thread {
            let thread = Thread::new(address, priority);
            let [start, size] = parameters.map(|it| it as usize);
            self.recorder.try_register_thread(thread, name, start, size)
        } else {
            let parameters = parameters.map(W::from);
            self.recorder
                .try_register(ObjectType(9), address, name, parameters)
        };
        let mut kept: Vec<u8> = name.split('\0').next().unwrap().into();
        while kept.len() > 31 || std::str::from_utf8(&kept).is_err() {
            kept.pop();
        }
        kept.resize(32, 0);
        let done = self.model.register(Slot {
            available: 0,
            object_type: if is_thread { 1 } else { 9 },
            reserved: if is_thread {
                [0x80 | (priority >> 8) as u8, priority as u8]
            } else {
                [0; 2]
            },
            pointer: address as u64,
            parameters: parameters.map(u64::from),
            name: kept,
        });
        assert_eq!(
            result,
            if done {
                Ok(())
            } else {
                Err(TraceStatus::NotDone)
            }
        );
    }

    fn unregister(&mut self, bytes: &mut InputBytes<'_>) {
        let address = bytes.address();
        let done = self.model.unregister(address as u64);
        let expected = if done {
            Ok(())
        } else {
            Err(TraceStatus::NotDone)
        };
        assert_eq!(self.recorder.try_unregister(address), expected);
    }

    /// Records an event with a pending field.
    fn begin(&mut self, bytes: &mut InputBytes<'_>) {
        let (object, state) = (bytes.address(), u32::from(bytes.small(15)));
        let (thread, word) = (Some(object as u64), Some(u64::from(state)));
        let zero = Some(0);
        let (pending, position, field) = match bytes.small(4) {
            0 => {
                let pending = self.recorder.resume(object, ThreadState(state));
                (
                    pending,
                    self.model.insert(1, 1, [thread, word, None, zero]),
                    3,
                )
            }
            1 => {
                let pending = self.recorder.suspend(object, ThreadState(state));
                (
                    pending,
                    self.model.insert(1, 2, [thread, word, None, thread]),
                    3,
                )
            }
            2 => {
                let pending = self.recorder.block_allocate(object, state, 7);
                let info = [thread, zero, word, Some(7)];
                (pending, self.model.insert(2, 10, info), 1)
            }
            _ => {
                let pending = self.recorder.byte_allocate(object, 7, state);
                let info = [thread, zero, Some(7), word];
                (pending, self.model.insert(4, 20, info), 1)
            }
        };
        self.pending.push((pending, position, field));
    }

    fn complete(&mut self, bytes: &mut InputBytes<'_>) {
        if self.pending.is_empty() {
            return;
        }
        let index = usize::from(bytes.small(255)) % self.pending.len();
        let (pending, position, field) = self.pending.swap_remove(index);
        let value = bytes.word();
        self.recorder.complete_field(pending, W::from(value));
        if let Some(position) = position {
            self.model.complete(position, field, u64::from(value));
        }
    }

    fn notify(&mut self, bytes: &mut InputBytes<'_>) {
        self.model.notify = [None, Some(false), Some(true)][usize::from(bytes.small(3))];
        STOPS.with(|it| it.set(self.model.notify == Some(true)));
        let function: Option<fn(&FullBuffer<'_>)> =
            self.model.notify.map(|_| record_full_buffer as _);
        self.recorder.buffer_full_notify(function);
    }

    fn insert(&mut self, operation: u8, bytes: &mut InputBytes<'_>) {
        let id = u32::from(bytes.small(255)) + 4096;
        let info = [(); 4].map(|()| bytes.word());
        let fields = info.map(|word| Some(u64::from(word)));
        let words = info.map(W::from);
        let on = self.model.is_on;
        let expected = if on {
            Ok(())
        } else {
            Err(TraceStatus::NotDone)
        };
        match operation % 4 {
            0 => {
                self.recorder.user_event(id, words);
                self.model.insert(1 << 31, id, fields);
            }
            1 => {
                assert_eq!(self.recorder.try_user_event(id, words), expected);
                self.model.insert(1 << 31, id, fields);
            }
            kind => {
                let groups = 1 << bytes.small(32);
                if kind == 2 {
                    self.recorder.insert(EventGroups(groups), id, words);
                } else {
                    let result = self.recorder.try_insert(EventGroups(groups), id, words);
                    assert_eq!(result, expected);
                }
                self.model.insert(groups, id, fields);
            }
        }
    }

    /// Compares the recording of a session that has ended.
    fn check(&mut self) {
        let bytes = take_bytes(&self.recorder);
        self.owns_buffer = false;
        assert!(self.recorder.take_buffer().is_none());
        let layout = buffer::layout::<W>();
        let found = buffer::read(layout, &bytes);
        assert_eq!(found.header.timer_mask, 0xFF_FFFF);
        assert_eq!(found.registry, self.model.registry);
        assert_eq!(found.current, self.model.current);
        TraceModel::compare(&self.model.ring, &found.ring);
        SHOWN.with(|it| {
            let shown = std::mem::take(&mut *it.borrow_mut());
            let expected = std::mem::take(&mut self.model.full_buffers);
            assert_eq!(shown.len(), expected.len());
            for (bytes, expected) in shown.iter().zip(&expected) {
                let full = buffer::read(layout, bytes);
                assert_eq!(full.current, 0);
                TraceModel::compare(expected, &full.ring);
            }
        });
        decode(&bytes, &found);
    }

    fn finish(mut self) {
        let _ = self.recorder.disable();
        self.model.is_on = false;
        if self.owns_buffer {
            self.check();
        }
    }
}

/// Checks that the decoder finds the same events and objects.
fn decode(bytes: &[u8], buffer: &Buffer) {
    let options = ThreadXOptions {
        cores: CoreBits::SingleCore,
        ..ThreadXOptions::default()
    };
    let recording = open(Input::new(bytes), BufferChoice::First).unwrap();
    let trace = recording.decode(&options).unwrap().trace;
    let (newer, older) = buffer.ring.split_at(buffer.current);
    let used = |entry: &&Words| entry[0] != 0;
    let expected: Vec<&Words> = older.iter().chain(newer).filter(used).collect();
    assert_eq!(trace.events.len(), expected.len());
    for (event, words) in trace.events.iter().zip(expected) {
        let context = trace.contexts.get(event.context).unwrap();
        let found = [
            context.address.0,
            u64::from(event.kind.0),
            event.timestamp,
            event.arguments[0],
            event.arguments[1],
            event.arguments[2],
            event.arguments[3],
        ];
        let [address, _, id, timestamp, i1, i2, i3, i4] = *words;
        assert_eq!(found, [address, id, timestamp, i1, i2, i3, i4]);
    }
    let objects: Vec<&Slot> = buffer
        .registry
        .iter()
        .filter(|it| it.object_type != 0)
        .collect();
    assert_eq!(trace.objects.len(), objects.len());
    for (object, slot) in trace.objects.iter().zip(objects) {
        assert_eq!(object.address.0, slot.pointer);
        assert_eq!(object.parameters, Some(slot.parameters));
        let name = slot.name.split(|byte| *byte == 0).next().unwrap();
        assert_eq!(object.name.as_bytes(), name);
    }
}
