//! The ports of the recorder: what the codes of events mean with each kernel. Names and arguments
//! are in the text files beside this one; what an event does follows from its name.

use crate::systemview::descriptions::{Descriptions, EventDescription};
use rtoscope_trace::catalogue::{ArgumentDef, ExtrasLayout, MarkerAction, MarkerRole, Meaning};
use rtoscope_trace::{Catalogue, EventKind, EventKindId, ObjectClass, WaitReason};
use std::borrow::Cow;
use std::sync::LazyLock;

/// A port of the recorder.
#[derive(Debug)]
pub(super) struct Kernel {
    /// Its number in the header.
    platform: u16,
    /// Its name.
    pub(super) name: &'static str,
    /// The start of the names of its idle tasks, if it has any.
    pub(super) idle_prefix: Option<&'static str>,
    descriptions: Descriptions,
    /// The events by code.
    shapes: Vec<Shape>,
}

/// What is known of the events with a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) role: Role,
    /// Number of its parameters; `None` if the port does not describe them.
    pub(super) parameters: Option<u8>,
    /// Whether the last one is a text, which takes several words.
    pub(super) has_text: bool,
}

/// What an event does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Nothing that matters here.
    Other,
    /// No event has this code.
    Unknown,
    /// The recording begins: the task of each core.
    Start,
    /// An object has a name.
    Name,
    /// An interrupt handler has a name.
    DefineIsr,
    /// A task is created, or deleted.
    CreateTask,
    DeleteTask,
    /// A task becomes ready.
    Ready,
    /// A task runs from now on.
    Activate,
    /// An interrupt handler begins, or continues after another one.
    BeginIsr,
    ResumeIsr,
    /// The running task is about to wait.
    Wait(WaitReason),
    /// A task is suspended.
    Suspend,
    /// A call uses an object.
    Use(ObjectClass),
    /// A text with this many values.
    Print(u8),
    /// An interval begins or ends.
    BeginInterval,
    EndInterval,
}

const UNKNOWN: Shape = Shape {
    role: Role::Unknown,
    parameters: None,
    has_text: false,
};

/// The number of the port for FreeRTOS.
const FREERTOS: u16 = 0x1AA1;

/// Added to the code of the event by which a task runs, if it continues after an interrupt.
pub(super) const RETURN: u32 = 1 << 12;

/// Number of codes.
const CODES: usize = 1 << 12;

/// The codes of user events: one more for each argument.
const USER_EVENT: &str = "USER_EVENT";
const USER_EVENT_FIXED: &str = "USER_EVENT_FIXED";

/// Maximum number of arguments of a user event.
const MAX_USER_ARGUMENTS: u32 = 6;

static KERNELS: LazyLock<[Kernel; 4]> = LazyLock::new(|| {
    let kernel = |platform, name, idle_prefix, text| {
        // The only port whose parameters are all described.
        let is_freertos = platform == FREERTOS;
        let descriptions = Descriptions::parse(text);
        let mut shapes = vec![UNKNOWN; CODES];
        for (code, event) in descriptions.iter() {
            let described = event.arguments.len() as u8;
            let mut set = |code: u32, role| {
                if let Some(place) = shapes.get_mut(code as usize) {
                    let is_print = matches!(role, Role::Print(_));
                    *place = Shape {
                        role,
                        parameters: Some(described).filter(|it| *it > 0 || is_freertos),
                        has_text: is_print || event.has_text(),
                    };
                }
            };
            match &*event.name {
                USER_EVENT => {
                    for arguments in 0..=MAX_USER_ARGUMENTS {
                        set(code + 1 + arguments, Role::Print(arguments as u8));
                    }
                }
                USER_EVENT_FIXED => {
                    (0..=MAX_USER_ARGUMENTS).for_each(|it| set(code + it, Role::Other));
                }
                name => set(code, role(name)),
            }
        }
        Kernel {
            platform,
            name,
            idle_prefix,
            descriptions,
            shapes,
        }
    };
    [
        kernel(
            FREERTOS,
            "FreeRTOS",
            Some("IDLE"),
            include_str!("freertos.txt"),
        ),
        kernel(0xEAAE, "ThreadX", None, include_str!("threadx.txt")),
        kernel(0x9AA9, "Zephyr", Some("idle"), include_str!("zephyr.txt")),
        kernel(0x1FF1, "bare metal", None, include_str!("bare_metal.txt")),
    ]
});

/// A kernel without a description.
static OTHER: LazyLock<Kernel> = LazyLock::new(|| Kernel {
    platform: 0,
    name: "unknown",
    idle_prefix: None,
    descriptions: Descriptions::default(),
    shapes: Vec::new(),
});

/// What an event with that name does.
fn role(name: &str) -> Role {
    match name {
        "TRACE_START" => Role::Start,
        "OBJ_NAME" => Role::Name,
        "DEFINE_ISR" => Role::DefineIsr,
        "TASK_CREATE" | "THREAD_CREATE_SUCCESS" | "THREAD_INIT" => Role::CreateTask,
        "TASK_DELETE" | "THREAD_DELETE_SUCCESS" | "THREAD_ABORT" => Role::DeleteTask,
        "TASK_READY" | "THREAD_SCHED_READY" | "THREAD_SYSTEM_RESUME_SUCCESS" => Role::Ready,
        "TASK_ACTIVATE" => Role::Activate,
        "ISR_BEGIN" => Role::BeginIsr,
        "ISR_RESUME" => Role::ResumeIsr,
        "TASK_DELAY" | "TASK_DELAY_UNTIL" => Role::Wait(WaitReason::Sleep),
        "TASK_SUSPEND" => Role::Suspend,
        "TASK_NOTIFY_WAIT_BLOCK" => Role::Wait(WaitReason::Other),
        "INTERVAL_START" => Role::BeginInterval,
        "INTERVAL_STOP" => Role::EndInterval,
        _ => call(name),
    }
}

/// What a call with that name does. Buffers wait for a notification, which has its own event.
fn call(name: &str) -> Role {
    let objects = [
        ("QUEUE_", ObjectClass::Queue, WaitReason::Queue),
        ("SEMAPHORE_", ObjectClass::Semaphore, WaitReason::Semaphore),
        ("MUTEX_", ObjectClass::Mutex, WaitReason::Mutex),
        (
            "EVENTGROUP_",
            ObjectClass::EventFlags,
            WaitReason::EventFlags,
        ),
        ("TIMER_", ObjectClass::Timer, WaitReason::Other),
    ];
    let of = objects.iter().find(|(prefix, ..)| name.starts_with(prefix));
    match of {
        Some((_, _, reason)) if name.ends_with("_BLOCK") => Role::Wait(*reason),
        Some((_, class, _)) if !name.ends_with("_FAILED") && !name.contains("PENDFUNCCALL") => {
            Role::Use(*class)
        }
        _ => Role::Other,
    }
}

impl Kernel {
    /// The port with that number.
    pub(super) fn of_platform(platform: u16) -> &'static Self {
        let found = KERNELS.iter().find(|kernel| kernel.platform == platform);
        found.unwrap_or(&OTHER)
    }

    /// The port to assume without a header.
    pub(super) fn freertos() -> &'static Self {
        Self::of_platform(FREERTOS)
    }

    /// What is known of the events with a code. Nothing is known of other kernels.
    #[inline]
    pub(super) fn shape(&self, code: u16) -> Shape {
        let shape = self.shapes.get(usize::from(code)).copied();
        shape.unwrap_or(Shape {
            role: Role::Other,
            ..UNKNOWN
        })
    }

    /// The kinds of the events; `parameters` is the largest number that an event with a code has,
    /// plus one, for codes with more than the usual ones.
    pub(super) fn catalogue(&self, parameters: &[u8]) -> Catalogue {
        let mut catalogue = Catalogue::default();
        let seen = |code: u32| parameters.get(code as usize).copied().unwrap_or(0);
        let count = |code| usize::from(seen(code).saturating_sub(1));
        let mut described = Vec::new();
        for (code, event) in self.descriptions.iter() {
            match &*event.name {
                USER_EVENT => {
                    let kinds = (1..=MAX_USER_ARGUMENTS + 1).map(|it| self.print_kind(code + it));
                    described.extend(kinds);
                }
                USER_EVENT_FIXED => {
                    let kinds = (0..=MAX_USER_ARGUMENTS).map(|arguments| {
                        let fixed = fixed_event(arguments);
                        self.kind(code + arguments, &fixed, 0)
                    });
                    described.extend(kinds);
                }
                _ => described.push(self.kind(code, event, count(code))),
            }
            if self.shape(code as u16).role == Role::Activate {
                described.push(self.return_kind(code, event));
            }
        }
        catalogue.extend(described);
        let known = catalogue.clone();
        let others = (0..).zip(parameters);
        let others =
            others.filter(|(code, seen)| **seen > 0 && known.get(EventKindId(*code)).is_none());
        catalogue.extend(others.map(|(code, _)| {
            let event = EventDescription {
                name: format!("event_{code:#x}"),
                ..EventDescription::default()
            };
            self.kind(code, &event, count(code))
        }));
        catalogue
    }

    fn kind(&self, code: u32, event: &EventDescription, parameters: usize) -> EventKind {
        let mut kind = event.kind(code, self.name, parameters);
        set_names(&mut kind, &event.name);
        let action = match self.shape(code as u16).role {
            Role::BeginInterval => MarkerAction::Begin,
            Role::EndInterval => MarkerAction::End,
            _ => return kind,
        };
        kind.marker = Some(MarkerRole { action, name: None });
        if let Some(Some(channel)) = kind.arguments.first_mut() {
            channel.meaning = Meaning::Object(ObjectClass::Marker);
        }
        kind
    }

    /// A task continues after an interrupt.
    fn return_kind(&self, code: u32, event: &EventDescription) -> EventKind {
        let mut kind = self.kind(code, event, 0);
        kind.id = EventKindId(code + RETURN);
        kind.name = "task continue".into();
        kind.icon.letters = "TC".into();
        kind.arguments.iter_mut().skip(1).for_each(|it| *it = None);
        kind
    }

    /// A user event: its channel, then the text and the values as items.
    fn print_kind(&self, code: u32) -> EventKind {
        let mut kind = EventDescription::default().kind(code, self.name, 0);
        set_names(&mut kind, USER_EVENT);
        kind.arguments = [const { None }; 4];
        if let Some(first) = kind.arguments.first_mut() {
            *first = Some(ArgumentDef {
                name: Cow::Borrowed("channel"),
                meaning: Meaning::AnyObject,
            });
        }
        kind.extras = ExtrasLayout::Items;
        kind
    }
}

/// A user event that has only the addresses of its texts.
fn fixed_event(arguments: u32) -> EventDescription {
    let values = (1..=arguments).map(|number| format!(" value_{number}=%u"));
    let text = format!(
        "{USER_EVENT_FIXED} channel=%p format=%p{}",
        values.collect::<String>()
    );
    EventDescription::parse(&text).unwrap_or_default()
}

/// Names a kind after its symbol: `QUEUE_SEND` is `queue send`, with the letters `QS`.
fn set_names(kind: &mut EventKind, symbol: &str) {
    let name = symbol.replace('_', " ").to_lowercase();
    let initials = name.split(' ').filter_map(|word| word.chars().next());
    kind.icon.letters = initials.take(3).collect::<String>().to_uppercase().into();
    kind.symbol = format!("PSF_EVENT_{symbol}").into();
    kind.name = name.into();
    kind.internal = !symbol.starts_with(USER_EVENT);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_give_roles() {
        let role = |code| Kernel::freertos().shape(code).role;
        assert_eq!(role(0x37), Role::Activate);
        assert_eq!(role(0x66), Role::Wait(WaitReason::Queue));
        assert_eq!(role(0x50), Role::Use(ObjectClass::Queue));
        assert_eq!(role(0x41), Role::Other);
        assert_eq!(role(0x92), Role::Print(1));
        assert_eq!(role(0x600), Role::Unknown);
        let roles = [
            Role::Start,
            Role::Name,
            Role::Ready,
            Role::Activate,
            Role::BeginIsr,
        ];
        for kernel in KERNELS.iter() {
            for role in roles {
                let mut shapes = kernel.shapes.iter();
                assert!(
                    shapes.any(|shape| shape.role == role),
                    "{}: {role:?}",
                    kernel.name
                );
            }
        }
    }

    #[test]
    fn every_event_has_a_kind() {
        for kernel in KERNELS.iter() {
            let catalogue = kernel.catalogue(&[]);
            for (code, shape) in (0..).zip(&kernel.shapes) {
                let kind = catalogue.get(EventKindId(code));
                assert_eq!(
                    kind.is_some(),
                    shape.role != Role::Unknown,
                    "{}: {code}",
                    kernel.name
                );
            }
        }
        let catalogue = Kernel::freertos().catalogue(&[]);
        assert_eq!(catalogue.name(EventKindId(0x50)), "queue send");
    }
}
