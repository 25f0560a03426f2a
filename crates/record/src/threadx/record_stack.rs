use super::{ThreadXRecorder, WordWidth};
use crate::call_stack::{StackBounds, StackRegisters, StackWords};
use crate::port::{Clock, Mask};
use rtoscope_wire::threadx::{
    STACK_BEGIN_EVENT, STACK_END_EVENT, STACK_END_MARK, STACK_WORDS_EVENT,
};

impl<M: Mask, C: Clock, W: WordWidth> ThreadXRecorder<M, C, W> {
    /// Records the call stack that belongs to the event before: the user events 65532 to
    /// 65534, two and one for every four of at most `max_words` words. A stack pointer
    /// outside `bounds` gives no words. The host unwinds the stacks of 32-bit processors.
    ///
    /// # Safety
    /// The memory in `bounds` must be readable.
    pub unsafe fn record_stack(
        &self,
        registers: StackRegisters,
        bounds: StackBounds,
        max_words: usize,
    ) {
        let word = W::from_address;
        let record = |id: u32, info: [W; 4]| {
            // The number is valid.
            let _ = self.try_user_event(id, info);
        };
        // SAFETY: the caller guarantees it.
        let mut words = unsafe { StackWords::new(registers, bounds, max_words) };
        record(
            STACK_BEGIN_EVENT,
            [
                word(registers.stack_pointer),
                word(registers.link_register),
                word(registers.program_counter),
                word(registers.thumb_frame_pointer),
            ],
        );
        while let Some(first) = words.next() {
            let mut next = || word(words.next().unwrap_or(0));
            record(STACK_WORDS_EVENT, [word(first), next(), next(), next()]);
        }
        record(
            STACK_END_EVENT,
            [
                W::from(words.end_word()),
                word(registers.frame_pointer),
                word(registers.stack_pointer),
                W::from(STACK_END_MARK),
            ],
        );
    }
}

#[cfg(all(test, not(loom)))]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::port::{NullClock, SpinLock};
    use crate::threadx::{TraceMemory, buffer_words};
    use core::mem::size_of_val;
    use rtoscope_decode::source::Input;
    use rtoscope_decode::threadx::ThreadXOptions;
    use rtoscope_decode::{BufferChoice, open};
    use rtoscope_wire::cswitch::STACK_IS_COMPLETE;
    use std::boxed::Box;
    use std::string::ToString;
    use std::vec;
    use std::vec::Vec;

    #[test]
    fn a_stack_is_user_events_after_the_event() {
        let trace = ThreadXRecorder::<_, _, u32>::new(SpinLock::new(), NullClock);
        let words: &'static mut [u32] = Box::leak(vec![0; buffer_words::<u32>(0, 16)].into());
        trace.enable(TraceMemory::from(words), 0).unwrap();
        let stack = [10_usize, 11, 12, 13, 14, 15];
        let start = stack.as_ptr() as usize;
        let registers = StackRegisters {
            program_counter: 1,
            stack_pointer: start,
            link_register: 2,
            thumb_frame_pointer: 3,
            frame_pointer: 4,
        };
        let bounds = StackBounds {
            start,
            end: start + size_of_val(&stack),
        };
        trace.try_user_event(4096, [0; 4]).unwrap();
        // SAFETY: the bounds are those of the array.
        unsafe {
            trace.record_stack(registers, bounds, 5);
            trace.record_stack(registers, bounds, 8);
        }
        trace.disable().unwrap();
        let words = trace.take_buffer().unwrap();
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        let recording = open(Input::new(bytes), BufferChoice::First).unwrap();
        let decoded = recording.decode(&ThreadXOptions::default()).unwrap().trace;
        let sp = start as u32;
        let begin = (65532, [sp, 2, 1, 3]);
        let first_words = (65533, [10, 11, 12, 13]);
        let end = |words| (65534, [words, 4, sp, 0x5354_434B]);
        let expected = [
            begin,
            first_words,
            (65533, [14, 0, 0, 0]),
            end(5),
            begin,
            first_words,
            (65533, [14, 15, 0, 0]),
            end(6 | STACK_IS_COMPLETE),
        ];
        let of_stacks = decoded
            .events
            .iter()
            .skip_while(|event| event.kind.0 != 65532);
        let found: Vec<_> = of_stacks
            .map(|event| (event.kind.0, event.arguments.map(|word| word as u32)))
            .collect();
        assert_eq!(found, expected);
        let stacks = decoded.call_stacks.iter();
        let stacks: Vec<_> = stacks.map(|stack| stack.to_string()).collect();
        assert_eq!(stacks, ["(no firmware file)"; 2]);
    }
}
