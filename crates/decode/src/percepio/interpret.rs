//! Interprets the events of a stream as scheduler events.

use super::kernel::{Kernel, RETURN, Role};
use crate::thread_lookup::ThreadLookup;
use foldhash::{HashMap, HashMapExt as _};
use rtoscope_trace::{
    Address, ContextId, Event, EventIndex, Interpret, IsrFunction, Name, Resource, SchedEvent,
    Trace, WaitReason,
};
use std::collections::BTreeMap;

/// Interprets the events of a stream as scheduler events.
#[derive(Debug, Clone)]
pub(super) struct PercepioInterpreter {
    kernel: &'static Kernel,
    threads: ThreadLookup,
    functions: Vec<IsrFunction>,
    function_of: HashMap<u64, u32>,
    /// The active handlers of each core, the innermost last.
    active: HashMap<u8, Vec<u32>>,
    /// Number of the trace's gaps that are passed.
    gaps_passed: usize,
}

impl PercepioInterpreter {
    /// The handlers are in the order of their numbers.
    pub(super) fn new(
        kernel: &'static Kernel,
        handlers: &[u64],
        names: &BTreeMap<u64, Name>,
    ) -> Self {
        let functions = handlers.iter().map(|address| IsrFunction {
            name: names.get(address).cloned(),
            address: Address(*address),
        });
        Self {
            kernel,
            threads: ThreadLookup::default(),
            functions: functions.collect(),
            function_of: handlers.iter().copied().zip(0..).collect(),
            active: HashMap::new(),
            gaps_passed: 0,
        }
    }

    /// The index of an interrupt handler among the functions.
    fn function(&mut self, handler: u64) -> u32 {
        let functions = &mut self.functions;
        *self.function_of.entry(handler).or_insert_with(|| {
            let number = u32::try_from(functions.len()).unwrap_or(u32::MAX);
            functions.push(IsrFunction {
                name: None,
                address: Address(handler),
            });
            number
        })
    }

    /// Forgets what runs if events are missing before this one.
    fn pass_gaps(&mut self, trace: &Trace, event: EventIndex) {
        while let Some(gap) = trace.gaps.get(self.gaps_passed)
            && gap.next_event <= event
        {
            self.gaps_passed += 1;
            match gap.core {
                Some(core) => drop(self.active.remove(&core)),
                None => self.active.clear(),
            }
        }
    }

    fn thread(&mut self, trace: &Trace, event: &Event) -> ContextId {
        let [address, ..] = event.arguments;
        self.threads.find(trace, address, event.index)
    }

    fn active(&mut self, core: u8) -> &mut Vec<u32> {
        self.active.entry(core).or_default()
    }
}

impl Interpret for PercepioInterpreter {
    fn sched_event(&mut self, trace: &Trace, event: &Event) -> SchedEvent {
        self.pass_gaps(trace, event.index);
        let code = (event.kind.0 & !RETURN) as u16;
        match self.kernel.shape(code).role {
            Role::BeginIsr => {
                let number = self.function(event.arguments[0]);
                self.active(event.core).push(number);
                SchedEvent::IsrEnter { number }
            }
            Role::ResumeIsr => {
                let outer = self.function(event.arguments[0]);
                let active = self.active(event.core);
                match active.pop() {
                    Some(number) if !active.is_empty() => SchedEvent::IsrExit { number },
                    // It began in a gap, or before the trace.
                    _ => {
                        active.push(outer);
                        SchedEvent::IsrEnter { number: outer }
                    }
                }
            }
            Role::Activate => {
                self.active(event.core).clear();
                match event.kind.0 & RETURN {
                    0 => SchedEvent::Switch {
                        to: event.context,
                        preempted: false,
                    },
                    _ => SchedEvent::Return { to: event.context },
                }
            }
            Role::Start => SchedEvent::Return { to: event.context },
            Role::Ready => {
                let thread = self.thread(trace, event);
                // The readiness of an idle task means nothing: the core is idle then.
                if trace.contexts.is_idle_task(thread) {
                    return SchedEvent::None;
                }
                SchedEvent::Resume {
                    thread,
                    wait_reason: WaitReason::Other,
                    next: ContextId::UNKNOWN,
                }
            }
            Role::Wait(wait_reason) if event.context.is_thread() => SchedEvent::Suspend {
                thread: event.context,
                wait_reason,
                next: ContextId::UNKNOWN,
            },
            Role::Suspend => SchedEvent::Suspend {
                thread: self.thread(trace, event),
                wait_reason: WaitReason::Suspended,
                next: ContextId::UNKNOWN,
            },
            Role::DeleteTask => SchedEvent::Delete {
                thread: self.thread(trace, event),
            },
            _ => SchedEvent::None,
        }
    }

    fn resources(&self) -> &[Resource] {
        &[]
    }

    fn isr_functions(&self) -> &[IsrFunction] {
        &self.functions
    }
}
