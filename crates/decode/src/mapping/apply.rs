//! Applies a rule to an event.

use super::class::{ClassRule, FieldValue, object_class};
use super::entities::{Entities, Key};
use super::mapper::{EventMapper, word};
use super::rule::{LeaveState, Meaning, Role, Rule, SpecialThreads};
use crate::packet_stream::GapCause;
use rtoscope_trace::{
    ContextId, Contexts, LevelEffect, ObjectClass, ResourceId, SchedEvent, WaitReason,
};
use std::sync::Arc;

/// The fields of an event, and the rule that says what they are.
struct RuleFields<'r, 'v> {
    class_rule: &'r ClassRule,
    values: &'r [FieldValue<'v>],
}

impl<'v> RuleFields<'_, 'v> {
    fn value(&self, role: Role) -> Option<FieldValue<'v>> {
        self.class_rule.value(role, self.values)
    }

    fn number(&self, role: Role) -> Option<i128> {
        self.value(role)?.number()
    }

    fn text(&self, role: Role) -> Option<&'v [u8]> {
        self.value(role)?.text()
    }

    /// Why a thread waits, or has ended, as the rule or a field says.
    fn reason(&self, rule: &Rule) -> Option<WaitReason> {
        rule.reason.or_else(|| {
            let name = self.text(Role::Reason).filter(|name| !name.is_empty())?;
            let mut all = WaitReason::ALL.iter().copied();
            let known = all.find(|reason| reason.name().as_bytes() == name);
            Some(known.unwrap_or(WaitReason::Other))
        })
    }

    fn key(&self, role: Role) -> Option<Key<'v>> {
        let value = self.value(role)?;
        Some(match value {
            FieldValue::Text(_) => Key::Name(value.text().filter(|it| !it.is_empty())?),
            number => Key::Id(word(number)),
        })
    }
}

/// The number -1 in place of an interrupt's.
const NO_NUMBER: u64 = u32::MAX as u64;

impl EventMapper {
    /// What an event means to the scheduler, and its context.
    pub(super) fn apply(
        &mut self,
        class_rule: &ClassRule,
        core: u8,
        values: &[FieldValue<'_>],
    ) -> (SchedEvent, ContextId) {
        let fields = RuleFields { class_rule, values };
        let table = &class_rule.rule.table;
        let Some(rule) = class_rule.rule.get() else {
            return (SchedEvent::None, self.context(core));
        };
        let special = &table.threads;
        let named = self.thread(&fields, special, [Role::Context, Role::ContextName], false);
        let context = named.unwrap_or_else(|| self.context(core));
        if let Some(name) = fields.text(Role::Marker) {
            let address = self.entities_mut().marker(name);
            self.addresses[Role::Marker as usize] = address.0;
        }
        let is_new = rule.meaning == Meaning::ThreadCreated;
        let thread = self.thread(&fields, special, [Role::Thread, Role::ThreadName], is_new);
        if let Some(thread) = thread.or(named) {
            let zero_is_highest = table.zero_is_highest;
            self.set_properties(thread, &fields, Role::ThreadPriority, zero_is_highest);
        }
        let object = self.object(&fields, object_class(rule));
        let reason = fields.reason(rule);
        let leaves = (rule.state, reason);
        match rule.meaning {
            Meaning::Switch => {
                let next = [Role::Next, Role::NextName];
                let to = self.thread(&fields, special, next, false);
                let to = to.unwrap_or(ContextId::UNKNOWN);
                self.set_properties(to, &fields, Role::NextPriority, table.zero_is_highest);
                (self.switch(core, leaves, thread, to), to)
            }
            Meaning::SwitchIn => {
                let to = thread.unwrap_or(ContextId::UNKNOWN);
                self.check_switch_out(core, to);
                (self.switch(core, leaves, None, to), to)
            }
            Meaning::SwitchOut => {
                let from = thread.unwrap_or(context);
                self.flags.records_switch_out = true;
                // The thread is still in the call in which it waits.
                self.recorded_priority = None;
                let event = self.switch(core, leaves, Some(from), ContextId::UNKNOWN);
                (event, from)
            }
            Meaning::Idle => (
                self.switch(core, leaves, None, Contexts::IDLE),
                Contexts::IDLE,
            ),
            Meaning::Ready => (self.ready(thread.unwrap_or(ContextId::UNKNOWN)), context),
            Meaning::Waiting => (self.wait(thread.unwrap_or(context), reason), context),
            Meaning::ThreadEnded => {
                let thread = thread.unwrap_or(context);
                if let Some(ended) = self.entities_mut().get_mut(thread) {
                    ended.has_ended = true;
                }
                let event = match thread.is_thread() {
                    true => SchedEvent::Delete { thread },
                    false => SchedEvent::None,
                };
                (event, context)
            }
            Meaning::InterruptEnter => {
                let number = self.function(&fields);
                self.cores.entry(core).or_default().isrs.push(number);
                (SchedEvent::IsrEnter { number }, Contexts::INTERRUPT)
            }
            Meaning::InterruptExit => (self.exit(core, &fields), Contexts::INTERRUPT),
            Meaning::Lock | Meaning::LockBlocking | Meaning::Unlock => {
                let event = object.map(|object| self.mutex(rule.meaning, context, object));
                (event.unwrap_or(SchedEvent::None), context)
            }
            Meaning::Blocking => {
                self.block(context, rule, None);
                (SchedEvent::None, context)
            }
            Meaning::TakeBlocking | Meaning::PutBlocking => {
                self.block(context, rule, object);
                (use_object(object, rule.meaning, &fields), context)
            }
            Meaning::Put | Meaning::Take | Meaning::Flush => {
                let event = match self.ends_wait(context, object) {
                    true => SchedEvent::None,
                    false => use_object(object, rule.meaning, &fields),
                };
                (event, context)
            }
            Meaning::WaitFailed => {
                self.ends_wait(context, object);
                let entities = self.entities_mut();
                if let Some(object) = object.and_then(|object| entities.object_mut(object)) {
                    object.waiting.retain(|thread| *thread != context);
                }
                (SchedEvent::None, context)
            }
            Meaning::Lost => {
                let missing = fields.number(Role::Count);
                let missing = missing.and_then(|missing| u64::try_from(missing).ok());
                if missing != Some(0) {
                    self.lose(GapCause::Overflow, missing, None);
                }
                (SchedEvent::None, self.context(core))
            }
            Meaning::None
            | Meaning::ThreadCreated
            | Meaning::ThreadInfo
            | Meaning::ObjectInfo
            | Meaning::MarkerBegin
            | Meaning::MarkerEnd
            | Meaning::Marker
            | Meaning::Counter => (SchedEvent::None, context),
        }
    }

    pub(super) fn entities_mut(&mut self) -> &mut Entities {
        Arc::make_mut(&mut self.entities)
    }

    /// The thread, or what else runs, that a field names.
    fn thread(
        &mut self,
        fields: &RuleFields<'_, '_>,
        special: &SpecialThreads,
        [role, name_role]: [Role; 2],
        is_new: bool,
    ) -> Option<ContextId> {
        let key = fields.key(role)?;
        let name = match key {
            Key::Name(name) => Some(name),
            Key::Id(_) => fields.text(name_role).filter(|name| !name.is_empty()),
        };
        let number = fields.number(role);
        let fixed = [
            (&special.idle, Contexts::IDLE),
            (&special.interrupt, Contexts::INTERRUPT),
            (&special.initialisation, Contexts::INITIALIZE),
            (&special.unknown, ContextId::UNKNOWN),
        ];
        let found = fixed
            .iter()
            .find(|(pattern, _)| pattern.matches(number, name));
        if let Some((_, context)) = found {
            self.addresses[role as usize] = 0;
            return Some(*context);
        }
        let event = self.next_event();
        let entities = self.entities_mut();
        let context = entities.thread(key, event, is_new);
        let address = match entities.get_mut(context) {
            Some(thread) => {
                if let (Some(name), Key::Id(_)) = (name, key)
                    && *thread.name != *name
                {
                    thread.name = name.into();
                }
                thread.address.0
            }
            None => 0,
        };
        self.addresses[role as usize] = address;
        Some(context)
    }

    fn set_properties(
        &mut self,
        thread: ContextId,
        fields: &RuleFields<'_, '_>,
        priority: Role,
        zero_is_highest: bool,
    ) {
        let priority = fields.number(priority).filter(|_| zero_is_highest);
        let priority = priority.and_then(|it| u16::try_from(it).ok());
        self.recorded_priority = priority.map(|it| (thread, it)).or(self.recorded_priority);
        let stack = [Role::StackStart, Role::StackBytes];
        let stack = stack.map(|role| fields.number(role).and_then(|it| u64::try_from(it).ok()));
        if priority.is_none() && stack.contains(&None) {
            return;
        }
        if let Some(thread) = self.entities_mut().get_mut(thread) {
            // That of the first event: the model has the priority of the start.
            thread.priority = thread.priority.or(priority);
            if let [Some(start), Some(bytes)] = stack {
                thread.stack = Some([start, bytes]);
            }
        }
    }

    /// The object that a field names.
    fn object(&mut self, fields: &RuleFields<'_, '_>, class: ObjectClass) -> Option<ResourceId> {
        let key = fields.key(Role::Object)?;
        let name = fields
            .text(Role::ObjectName)
            .filter(|name| !name.is_empty());
        let entities = self.entities_mut();
        let id = entities.object(class, key)?;
        let object = entities.object_mut(id)?;
        if let Some(name) = name
            && *object.name != *name
        {
            object.name = name.into();
        }
        let address = object.address.0;
        self.addresses[Role::Object as usize] = address;
        Some(id)
    }

    /// The core runs something else. With a reason, or after a call that was about to wait, the
    /// thread before waits or has ended, if the rule does not say how it leaves the core.
    fn switch(
        &mut self,
        core: u8,
        (state, reason): (Option<LeaveState>, Option<WaitReason>),
        from: Option<ContextId>,
        to: ContextId,
    ) -> SchedEvent {
        let known = self.cores.entry(core).or_default();
        let before = std::mem::replace(&mut known.running, to);
        known.isrs.clear();
        let thread = from.unwrap_or(before);
        let wait_reason = match state {
            Some(LeaveState::Waiting) => self.wait_reason(thread, reason),
            Some(LeaveState::Ended) => Some(reason.unwrap_or(WaitReason::Completed)),
            Some(LeaveState::Ready) => None,
            None => reason.or_else(|| self.entities_mut().get_mut(thread)?.pending_wait.take()),
        };
        match wait_reason.filter(|_| thread.is_thread()) {
            Some(wait_reason) => {
                self.flags.records_waits = true;
                self.set_wait(thread, wait_reason);
                SchedEvent::Stop {
                    thread,
                    wait_reason,
                    next: to,
                }
            }
            None => SchedEvent::Switch {
                to,
                preempted: false,
            },
        }
    }

    /// Whether the thread before was switched out.
    fn check_switch_out(&mut self, core: u8, to: ContextId) {
        let running = self.cores.get(&core).map(|core| core.running);
        if running.is_some_and(|running| running.is_thread() && running != to) {
            self.flags.misses_switch_out = true;
            if self.expects_switch_out {
                self.lose(GapCause::MissingSwitchOut, None, Some(core));
            }
        }
    }

    /// Why a thread waits now: as its last call says, if the rule does not.
    fn wait_reason(&mut self, thread: ContextId, reason: Option<WaitReason>) -> Option<WaitReason> {
        let known = self.entities_mut().get_mut(thread)?;
        let pending = known.pending_wait.take();
        Some(reason.or(pending).unwrap_or(WaitReason::Other))
    }

    fn set_wait(&mut self, thread: ContextId, wait_reason: WaitReason) {
        if let Some(thread) = self.entities_mut().get_mut(thread) {
            thread.wait = Some(wait_reason);
        }
    }

    fn ready(&mut self, thread: ContextId) -> SchedEvent {
        self.flags.records_ready = true;
        if !thread.is_thread() {
            return SchedEvent::None;
        }
        let known = self.entities_mut().get_mut(thread);
        let wait = known.and_then(|thread| thread.wait.take());
        SchedEvent::Resume {
            thread,
            wait_reason: wait.unwrap_or(WaitReason::Other),
            next: ContextId::UNKNOWN,
        }
    }

    fn wait(&mut self, thread: ContextId, reason: Option<WaitReason>) -> SchedEvent {
        self.flags.records_waits = true;
        match self.wait_reason(thread, reason) {
            Some(wait_reason) => {
                self.set_wait(thread, wait_reason);
                SchedEvent::Suspend {
                    thread,
                    wait_reason,
                    next: ContextId::UNKNOWN,
                }
            }
            None => SchedEvent::None,
        }
    }

    /// The running thread is about to wait.
    fn block(&mut self, thread: ContextId, rule: &Rule, object: Option<ResourceId>) {
        let of_class = || {
            let mut all = WaitReason::ALL.iter().copied();
            all.find(|reason| reason.class().is_some() && reason.class() == rule.class)
        };
        let reason = rule.reason.or_else(of_class);
        if let Some(thread) = self.entities_mut().get_mut(thread) {
            thread.pending_wait = reason;
            thread.requested = object;
        }
    }

    /// The running thread does not wait any more. Whether it has waited for an object, so that its
    /// call is stored already.
    fn ends_wait(&mut self, thread: ContextId, object: Option<ResourceId>) -> bool {
        let is_waiting = object.is_some()
            && self
                .entities
                .get(thread)
                .is_some_and(|thread| thread.requested == object);
        if is_waiting && let Some(thread) = self.entities_mut().get_mut(thread) {
            (thread.requested, thread.pending_wait) = (None, None);
        }
        is_waiting
    }

    fn function(&mut self, fields: &RuleFields<'_, '_>) -> u32 {
        let encoding = self.encoding;
        let key = fields.key(Role::Interrupt);
        let number = match key {
            Some(Key::Id(number)) => Some(number).filter(|it| *it != NO_NUMBER),
            _ => None,
        };
        let name = match key {
            Some(Key::Name(name)) => Some(name),
            _ => fields.text(Role::InterruptName),
        };
        self.entities_mut().function(number, name, encoding)
    }

    fn exit(&mut self, core: u8, fields: &RuleFields<'_, '_>) -> SchedEvent {
        let is_named = fields.key(Role::Interrupt).is_some_and(|key| match key {
            Key::Id(number) => number != NO_NUMBER,
            Key::Name(_) => true,
        });
        let ended = is_named.then(|| self.function(fields));
        let isrs = &mut self.cores.entry(core).or_default().isrs;
        let place = match ended {
            Some(number) => isrs.iter().rposition(|isr| *isr == number),
            None => isrs.len().checked_sub(1),
        };
        match (place, ended) {
            (Some(place), _) => SchedEvent::IsrExit {
                number: isrs.remove(place),
            },
            (None, Some(number)) => SchedEvent::IsrExit { number },
            // It began before the trace, or in a gap.
            (None, None) => SchedEvent::Return {
                to: ContextId::UNKNOWN,
            },
        }
    }

    /// A thread requests, gets or releases a mutex.
    fn mutex(&mut self, meaning: Meaning, thread: ContextId, resource: ResourceId) -> SchedEvent {
        if !thread.is_thread() {
            return SchedEvent::None;
        }
        let entities = self.entities_mut();
        if let Some(thread) = entities.get_mut(thread) {
            thread.pending_wait = match meaning {
                Meaning::LockBlocking => Some(WaitReason::Mutex),
                _ => None,
            };
        }
        let Some(mutex) = entities.object_mut(resource) else {
            return SchedEvent::None;
        };
        let waiting = mutex.waiting.iter().position(|it| *it == thread);
        let acquire = |owner, count, waits| SchedEvent::Acquire {
            resource,
            owner,
            count,
            waits,
            inherits: false,
        };
        match (meaning, mutex.owner) {
            (Meaning::LockBlocking, owner) => {
                if waiting.is_none() {
                    mutex.waiting.push(thread);
                }
                match owner {
                    Some((owner, count)) if owner != thread => acquire(owner, count, true),
                    _ => SchedEvent::None,
                }
            }
            (Meaning::Lock, owner) => {
                if let Some(place) = waiting {
                    mutex.waiting.swap_remove(place);
                    mutex.owner = Some((thread, 1));
                    // The release has handed it over.
                    return SchedEvent::None;
                }
                let (owner, count) = match owner {
                    Some((owner, count)) if owner == thread => (owner, count),
                    // Its release was not recorded.
                    _ => (Contexts::IDLE, 0),
                };
                mutex.owner = Some((thread, count.saturating_add(1)));
                acquire(owner, count, false)
            }
            (_, owner) => {
                let count = match owner {
                    Some((owner, count)) if owner == thread => count,
                    // It got it before the trace: how often is not known.
                    _ => u8::MAX,
                };
                mutex.owner = match count {
                    0 | 1 | u8::MAX => None,
                    count => Some((thread, count - 1)),
                };
                SchedEvent::Release {
                    resource,
                    owner: thread,
                    count,
                }
            }
        }
    }
}

/// A call on an object.
fn use_object(
    object: Option<ResourceId>,
    meaning: Meaning,
    fields: &RuleFields<'_, '_>,
) -> SchedEvent {
    let Some(resource) = object else {
        return SchedEvent::None;
    };
    let after = fields.number(Role::LevelAfter);
    let (effect, level) = match meaning {
        Meaning::Put | Meaning::PutBlocking => (
            LevelEffect::Put,
            after.and_then(|after| after.checked_sub(1)),
        ),
        Meaning::Flush => (LevelEffect::Flush, None),
        _ => (
            LevelEffect::Take,
            after.and_then(|after| after.checked_add(1)),
        ),
    };
    let level = fields.number(Role::Level).or(level);
    let level = level.and_then(|level| u32::try_from(level).ok());
    SchedEvent::Use {
        resource,
        effect,
        level: level.unwrap_or(SchedEvent::UNKNOWN_LEVEL),
        waits: matches!(meaning, Meaning::TakeBlocking | Meaning::PutBlocking),
    }
}
