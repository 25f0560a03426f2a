//! Interprets the packets of a stream as scheduler events.

use super::catalogue::{CALL_END, CALL_RETURN};
use crate::thread_lookup::ThreadLookup;
use foldhash::{HashMap, HashMapExt as _};
use rtoscope_trace::{
    Address, ContextId, Contexts, Event, EventIndex, EventKindId, Interpret, IsrFunction, Name,
    Resource, SchedEvent, Trace, WaitReason,
};
use rtoscope_wire::systemview::id;
use std::collections::BTreeMap;

/// Interprets the events of a stream as scheduler events.
#[derive(Debug, Clone)]
pub(super) struct SystemViewInterpreter {
    threads: ThreadLookup,
    /// The names of interrupts by number.
    names: BTreeMap<u32, Name>,
    functions: Vec<IsrFunction>,
    function_of: HashMap<u32, u32>,
    /// The active interrupts of each core, the innermost last.
    active: HashMap<u8, Vec<u32>>,
    /// Number of the trace's gaps that are passed.
    gaps_passed: usize,
    calls: CallSemantics,
    /// The last call of each task that may wait, until it has waited or ended.
    waits: HashMap<ContextId, (u32, WaitReason)>,
}

/// What calls mean to the scheduler, by kind.
#[derive(Debug, Clone, Default)]
struct CallSemantics {
    waits: HashMap<u32, WaitReason>,
    deletions: Vec<u32>,
}

/// Calls that may wait. Those of the second list are logged at their start only by FreeRTOS V11,
/// whose ids begin with [`FIRST_ENTRY_ID`]; before, once they have succeeded.
const SLEEPING_CALLS: [(&str, WaitReason); 4] = [
    ("vTaskDelay", WaitReason::Sleep),
    ("vTaskDelayUntil", WaitReason::Sleep),
    ("xTaskDelayUntil", WaitReason::Sleep),
    ("vTaskSuspend", WaitReason::Suspended),
];
const WAITING_CALLS: [(&str, WaitReason); 11] = [
    ("xQueueGenericSend", WaitReason::Queue),
    ("xQueueReceive", WaitReason::Queue),
    ("xQueuePeek", WaitReason::Queue),
    ("xQueueTakeMutexRecursive", WaitReason::Mutex),
    ("xEventGroupWaitBits", WaitReason::EventFlags),
    ("xEventGroupSync", WaitReason::EventFlags),
    // A semaphore or a mutex.
    ("xQueueSemaphoreTake", WaitReason::Other),
    ("ulTaskGenericNotifyTake", WaitReason::Other),
    ("xTaskGenericNotifyWait", WaitReason::Other),
    ("xStreamBufferSend", WaitReason::Other),
    ("xStreamBufferReceive", WaitReason::Other),
];
const FIRST_ENTRY_ID: u32 = 150;

impl CallSemantics {
    fn new(trace: &Trace) -> Self {
        let mut calls = Self::default();
        for kind in &trace.catalogue {
            let EventKindId(id) = kind.id;
            let find = |list: &[(&str, WaitReason)]| {
                let found = list.iter().find(|(name, _)| *name == kind.name);
                found.map(|(_, reason)| *reason)
            };
            let waiting = find(&WAITING_CALLS).filter(|_| id >= FIRST_ENTRY_ID);
            if let Some(reason) = find(&SLEEPING_CALLS).or(waiting) {
                calls.waits.insert(id, reason);
            }
            if kind.name == "vTaskDelete" {
                calls.deletions.push(id);
            }
        }
        calls
    }
}

impl SystemViewInterpreter {
    pub(super) fn new(trace: &Trace, names: BTreeMap<u32, Name>) -> Self {
        Self {
            threads: ThreadLookup::default(),
            names,
            functions: Vec::new(),
            function_of: HashMap::new(),
            active: HashMap::new(),
            gaps_passed: 0,
            calls: CallSemantics::new(trace),
            waits: HashMap::new(),
        }
    }

    /// The index of an interrupt among the functions.
    fn function(&mut self, interrupt: u32) -> u32 {
        let (functions, names) = (&mut self.functions, &self.names);
        *self.function_of.entry(interrupt).or_insert_with(|| {
            let number = u32::try_from(functions.len()).unwrap_or(u32::MAX);
            let name = names.get(&interrupt).cloned();
            let unnamed = || Name::new(format!("interrupt {interrupt}").as_bytes());
            functions.push(IsrFunction {
                name: Some(name.unwrap_or_else(unnamed)),
                address: Address(interrupt.into()),
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
            self.active.clear();
            self.waits.clear();
        }
    }

    fn thread(&mut self, trace: &Trace, event: &Event) -> ContextId {
        let [address, ..] = event.arguments;
        self.threads.find(trace, address, event.index)
    }

    fn exit(&mut self, core: u8) -> SchedEvent {
        let active = self.active.get_mut(&core);
        match active.and_then(Vec::pop) {
            Some(number) => SchedEvent::IsrExit { number },
            // It began before the trace, or in a gap.
            None => SchedEvent::Return {
                to: ContextId::UNKNOWN,
            },
        }
    }

    fn switch(&mut self, event: &Event, to: ContextId) -> SchedEvent {
        self.active.remove(&event.core);
        SchedEvent::Switch {
            to,
            preempted: false,
        }
    }

    /// A call, which begins or ends, or another event.
    fn call(&mut self, trace: &Trace, event: &Event) -> SchedEvent {
        let kind = event.kind.0;
        if let Some(reason) = self.calls.waits.get(&kind) {
            if event.context.is_thread() {
                self.waits.insert(event.context, (kind, *reason));
            }
        } else if kind >= CALL_END {
            let call = kind
                - if kind < CALL_RETURN {
                    CALL_END
                } else {
                    CALL_RETURN
                };
            if self
                .waits
                .get(&event.context)
                .is_some_and(|(of, _)| *of == call)
            {
                self.waits.remove(&event.context);
            }
        } else if self.calls.deletions.contains(&kind) {
            let [address, ..] = event.arguments;
            let thread = match address {
                0 => event.context,
                _ => self.thread(trace, event),
            };
            return SchedEvent::Delete { thread };
        }
        SchedEvent::None
    }
}

impl Interpret for SystemViewInterpreter {
    fn sched_event(&mut self, trace: &Trace, event: &Event) -> SchedEvent {
        self.pass_gaps(trace, event.index);
        match event.kind.0 {
            id::ISR_ENTER => {
                let [interrupt, ..] = event.arguments;
                let number = self.function(u32::try_from(interrupt).unwrap_or(u32::MAX));
                self.active.entry(event.core).or_default().push(number);
                SchedEvent::IsrEnter { number }
            }
            id::ISR_EXIT | id::ISR_TO_SCHEDULER => self.exit(event.core),
            id::TASK_START_EXEC => self.switch(event, event.context),
            id::IDLE => self.switch(event, Contexts::IDLE),
            id::TASK_STOP_EXEC => self.switch(event, ContextId::UNKNOWN),
            id::TASK_START_READY => {
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
            id::TASK_STOP_READY => {
                // A task stops itself, or another one by a call.
                let call = self.waits.remove(&event.context);
                SchedEvent::Suspend {
                    thread: self.thread(trace, event),
                    wait_reason: call.map_or(WaitReason::Other, |(_, reason)| reason),
                    next: ContextId::UNKNOWN,
                }
            }
            id::TASK_TERMINATE => SchedEvent::Delete {
                thread: self.thread(trace, event),
            },
            id::FIRST_CALL.. => self.call(trace, event),
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
