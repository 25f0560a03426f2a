//! The rules: their names, what they demand, and what to change.

use super::{Finding, Subject, clock, completeness, interrupts, names, scheduler};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use std::borrow::Cow;

macro_rules! rules {
    ($($variant:ident $name:literal $check:path, $description:literal, $advice:literal;)*) => {
        /// A rule that the trace of a sound port keeps.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum TraceRule {
            $(#[doc = $description] $variant,)*
        }

        impl TraceRule {
            /// All rules, in the order of output.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The name in output, e.g. `isr-exit`: also the anchor of its section in the
            /// book.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The rule as a sentence.
            pub const fn description(self) -> &'static str {
                match self { $(Self::$variant => $description,)* }
            }

            /// What to change in a port that breaks it.
            pub const fn advice(self) -> &'static str {
                match self { $(Self::$variant => $advice,)* }
            }

            pub(super) fn check(self, subject: &Subject<'_>) -> Finding {
                match self { $(Self::$variant => $check(subject),)* }
            }
        }
    };
}

rules! {
    ClockRuns "clock-runs" clock::runs,
        "The clock measures time.",
        "Start the counter before the recorder (on Cortex-M3 and later: DEMCR.TRCENA, then \
         DWT_CTRL.CYCCNTENA), and let the recorder read it instead of a count of events. Use a counter that runs in \
         idle, too, and at one speed: a timer, if the cycle counter stops during WFI.";
    ClockForward "clock-forward" clock::forward,
        "Times never go backwards.",
        "Read the counter and write the entry with interrupts disabled; use one counter for \
         all cores; read a counter of two words until its high word is the same twice.";
    ClockSettings "clock-settings" clock::settings,
        "Width, direction and period of the counter are known.",
        "Give the recorder the counter's real mask; on the host, set -O clock-mask, \
         -O clock-direction or -O clock-period.";
    ClockWrap "clock-wrap" clock::wrap,
        "No pause is longer than half a period of the counter.",
        "Check the mask of a counter that restarts earlier than its mask says. Otherwise use a \
         slower or wider counter, or record something at least twice in a period: a pause of \
         more than a period is too short in the trace.";
    ClockResolution "clock-resolution" clock::resolution,
        "The clock advances between most entries.",
        "Do not use the kernel's tick count as the clock: use a cycle counter or a \
         free-running timer of 1 MHz or more.";
    ClockFrequency "clock-frequency" clock::frequency,
        "The frequency of the clock is plausible.",
        "Pass the frequency of the counter in hertz after the clock tree is set up: a timer's \
         is that of its bus divided by its prescaler.";
    IsrRecorded "isr-recorded" interrupts::recorded,
        "Interrupt handlers are recorded.",
        "Call the recorder's hooks at the start and the end of each handler, such as \
         _tx_execution_isr_enter and _tx_execution_isr_exit, or traceISR_ENTER: also in the one \
         that makes this thread ready.";
    IsrEnter "isr-enter" interrupts::entered,
        "Each exit of a handler follows its entry.",
        "Record the entry first thing in the handler, and the exit once: portYIELD_FROM_ISR() of \
         FreeRTOS V11 calls traceISR_EXIT() itself.";
    IsrExit "isr-exit" interrupts::exited,
        "Each entry of a handler has an exit before a thread or idle continues.",
        "Record the exit on every path out of the handler, also on the one back to idle; do not \
         record the handler that switches contexts (PendSV) as a handler.";
    IsrNesting "isr-nesting" interrupts::nesting,
        "Handlers nest at most 16 deep.",
        "Record the exit of each handler: entries without an exit look like nesting.";
    IsrReturn "isr-return" interrupts::returns,
        "An interrupt returns to the context that it interrupted, or a switch is recorded.",
        "Record a switch whenever the scheduler chooses another context on the way out of an \
         interrupt.";
    YieldFromIsr "yield-from-isr" interrupts::yields,
        "A thread that a handler makes ready starts when the handler ends, if it is more important.",
        "Request the switch at the end of the handler: portYIELD_FROM_ISR(woken) in FreeRTOS, \
         with the flag that the …FromISR call sets.";
    SwitchesRecorded "switches-recorded" scheduler::switches,
        "Context switches are recorded.",
        "Call the recorder where the scheduler has chosen a thread, not only where threads \
         become ready or wait.";
    ReadyRecorded "ready-recorded" scheduler::readies,
        "A thread that waits is made ready before it runs.",
        "Record each way to become ready: by a call, by a handler, by a timeout, by a resume \
         and by the thread's creation; remove filters of the target.";
    WaitRecorded "wait-recorded" scheduler::waits,
        "A thread that gives the core to idle waits, and its wait is recorded before the switch.",
        "Record each way to stop being ready (wait, sleep, suspension, end) in the thread that \
         still runs, before the switch.";
    IdleRecorded "idle-recorded" scheduler::idle,
        "Idle is recorded.",
        "Record idle where the scheduler finds no thread, at the start of the idle loop or the \
         idle thread.";
    SleepAndWake "sleep-and-wake" scheduler::sleep_and_wake,
        "Sleep and wake alternate.",
        "Record the wake when an interrupt ends idle, and the sleep again when its handler \
         returns to idle without a switch; decide and record with interrupts disabled.";
    PossibleStates "possible-states" scheduler::possible_states,
        "No thread is ready while the only core is idle, and none owns a mutex after its end.",
        "Record the missing waits, or all switches; check that the idle entry is not written \
         while a thread is ready.";
    InterruptsRestored "interrupts-restored" scheduler::interrupts_restored,
        "Each interrupts-off section has an end.",
        "Record the restore in every function that ends a critical section, also in the \
         scheduler.";
    NamesKnown "names-known" names::known,
        "Each thread has a name.",
        "Send names after the recorder is started, and again when the host connects or asks; \
         enable the trace before the first object is created; or give the ELF file (--elf).";
    NamesUnique "names-unique" names::unique,
        "No two threads have the same name.",
        "Give each thread a name of its own, and record a thread under one address or pointer \
         only.";
    RegistryFull "registry-full" names::registry,
        "The registry has room for all objects.",
        "Enable the trace with more registry entries.";
    PrioritiesKnown "priorities-known" names::priorities,
        "Each thread has a priority.",
        "Record the priority when the thread is created, and in each of its entries.";
    EntriesComplete "entries-complete" completeness::complete,
        "No entries are lost.",
        "Use a larger ring, drain it more often or with a higher priority, use a faster line, \
         or record less.";
    EntriesValid "entries-valid" completeness::valid,
        "All entries are valid.",
        "Check the width of pointers and fields, the byte order, and whether a handler writes \
         into the recorder while another context does; check the line (baud rate, DMA).";
    RecordingLength "recording-length" completeness::length,
        "The ring is large enough for a picture.",
        "Use a larger ring: at least some hundred entries.";
}

impl JsonSchema for TraceRule {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "TraceRule".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": Self::ALL.iter().map(|rule| rule.name()).collect::<Vec<_>>() })
    }
}

impl Serialize for TraceRule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
