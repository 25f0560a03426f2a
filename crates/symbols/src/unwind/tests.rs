use super::*;

use crate::Firmware;
use proptest::prelude::*;
use rtoscope_trace::Address;

const DWARF: (&[u8], &str) = (
    include_bytes!("../../../../testdata/firmware/stacks/dwarf.elf"),
    include_str!("../../../../testdata/firmware/stacks/dwarf.txt"),
);
const EHABI: (&[u8], &str) = (
    include_bytes!("../../../../testdata/firmware/stacks/ehabi.elf"),
    include_str!("../../../../testdata/firmware/stacks/ehabi.txt"),
);

/// The functions of the two stacks, innermost first.
const IN_THREAD: [&str; 5] = ["record", "middle", "outer", "thread_entry", "Reset"];
const IN_HANDLER: [&str; 6] = [
    "record",
    "in_handler",
    "SVC_Handler",
    "wait",
    "thread_entry",
    "Reset",
];

fn firmware(bytes: &[u8]) -> Option<Firmware> {
    Firmware::read(bytes.to_vec()).ok()
}

/// The words that the program printed: five registers and the words of the stack.
fn stacks(text: &str) -> Vec<Vec<u32>> {
    let stacks = text.split_terminator("\n\n");
    let word = |line: &str| u32::from_str_radix(line, 16).unwrap();
    stacks
        .map(|lines| lines.lines().map(word).collect())
        .collect()
}

fn sample(stack: &[u32], limit: usize) -> StackSample<'_> {
    let [pc, sp, lr, r7, r11, ref words @ ..] = *stack else {
        panic!("registers are missing");
    };
    StackSample {
        program_counter: pc,
        stack_pointer: sp,
        link_register: lr,
        thumb_frame_pointer: r7,
        frame_pointer: r11,
        words: &words[..limit.min(words.len())],
        is_complete: limit >= words.len(),
    }
}

fn names(firmware: &Firmware, frames: &[UnwoundFrame]) -> Vec<String> {
    let name = |frame: &UnwoundFrame| {
        let address = Address(u64::from(frame.address) - u64::from(frame.is_return));
        firmware.function(address).unwrap().name.to_string()
    };
    frames.iter().map(name).collect()
}

#[test]
fn frames_are_those_of_the_program() {
    for (elf, text) in [DWARF, EHABI] {
        let firmware = firmware(elf).unwrap();
        let stacks = stacks(text);
        assert_eq!(stacks.len(), 2);
        let expected = [IN_THREAD.as_slice(), &IN_HANDLER];
        for (stack, expected) in stacks.iter().zip(expected) {
            let (frames, stop) = firmware.unwind(&sample(stack, usize::MAX));
            assert_eq!(names(&firmware, &frames), expected);
            assert_eq!(stop, StackStop::EndOfStack);
            // Only the frame that recorded and the interrupted one are not at a call.
            let exact: Vec<_> = (0..frames.len())
                .filter(|index| !frames[*index].is_return)
                .map(|index| expected[index])
                .collect();
            let interrupted = expected.contains(&"wait").then_some("wait");
            assert!(
                exact
                    .into_iter()
                    .eq(["record"].into_iter().chain(interrupted))
            );
        }
    }
}

#[test]
fn frames_end_where_the_words_do() {
    for (elf, text) in [DWARF, EHABI] {
        let firmware = firmware(elf).unwrap();
        for stack in stacks(text) {
            let (all, _) = firmware.unwind(&sample(&stack, usize::MAX));
            let mut longest = 0;
            for limit in 0..stack.len() - 5 {
                let (frames, stop) = firmware.unwind(&sample(&stack, limit));
                assert_eq!(stop, StackStop::Truncated, "{limit} words");
                assert!(all.starts_with(&frames) && frames.len() >= longest);
                longest = frames.len();
            }
            assert_eq!(longest, all.len());
        }
    }
}

#[test]
fn a_stack_of_unknown_code_has_no_frame() {
    let firmware = firmware(DWARF.0).unwrap();
    let stack = &stacks(DWARF.1)[0];
    let unknown = StackSample {
        program_counter: 0x0800_0000,
        ..sample(stack, usize::MAX)
    };
    assert_eq!(
        firmware.unwind(&unknown),
        (Vec::new(), StackStop::NoUnwindInfo)
    );
}

#[test]
fn frames_of_the_process_stack_are_not_followed() {
    let firmware = firmware(EHABI.0).unwrap();
    let mut stack = stacks(EHABI.1).remove(1);
    let returns = stack.iter_mut().find(|word| **word == 0xFFFF_FFF9);
    *returns.unwrap() = 0xFFFF_FFFD;
    let (frames, stop) = firmware.unwind(&sample(&stack, usize::MAX));
    assert_eq!(names(&firmware, &frames), IN_HANDLER[..3]);
    assert_eq!(stop, StackStop::OtherStack);
}

proptest! {
    #[test]
    fn damaged_files_and_words_do_no_harm(
        is_dwarf: bool,
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..40),
        registers: [u32; 5],
        words in prop::collection::vec(prop_oneof![any::<u32>(), 0_u32..0x200], 0..64),
        is_complete: bool,
        keeps_registers: bool,
    ) {
        let (elf, text) = if is_dwarf { DWARF } else { EHABI };
        let mut bytes = elf.to_vec();
        for (index, value) in damage {
            *index.get_mut(&mut bytes) = value;
        }
        let recorded = stacks(text).remove(0);
        let registers = if keeps_registers { &recorded[..5] } else { &registers[..] };
        let stack: Vec<u32> = registers.iter().chain(&words).copied().collect();
        let sample = StackSample { is_complete, ..sample(&stack, usize::MAX) };
        if let Some(firmware) = firmware(&bytes) {
            let (frames, _) = firmware.unwind(&sample);
            prop_assert!(frames.len() <= MAX_FRAMES);
        }
    }
}
