//! Flattens nested interrupt handlers.

use super::kernel_events::KernelEvent;
use rtoscope_analysis::schedule::IsrActivationId;
use std::collections::BTreeMap;

/// The running part of an interrupt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Handler {
    /// An interrupt service routine.
    Routine(IsrActivationId),
    /// The kernel outside the routines.
    Kernel,
}

/// The open handlers of each core, the innermost last.
///
/// Linux handlers do not nest, and readers assume that the interrupted task resumes
/// when any handler exits. Therefore an inner handler suspends the outer one here:
/// the outer one exits first and is entered again afterwards.
#[derive(Debug, Default)]
pub(super) struct HandlerStacks {
    cores: BTreeMap<u8, Vec<Handler>>,
}

impl HandlerStacks {
    /// Converts an event on a core into a flat sequence of entries and exits.
    pub(super) fn flatten(&mut self, core: u8, event: KernelEvent) -> [Option<KernelEvent>; 2] {
        let open = self.cores.entry(core).or_default();
        match event {
            KernelEvent::Enter(id) => enter(open, Handler::Routine(id)),
            KernelEvent::EnterKernel => enter(open, Handler::Kernel),
            KernelEvent::Exit(id) => exit(open, Handler::Routine(id)),
            KernelEvent::ExitKernel => exit(open, Handler::Kernel),
            KernelEvent::Wake { .. } | KernelEvent::Priority(_) | KernelEvent::Switch { .. } => {
                [Some(event), None]
            }
        }
    }
}

fn enter(open: &mut Vec<Handler>, handler: Handler) -> [Option<KernelEvent>; 2] {
    let outer = open.last().copied();
    open.push(handler);
    match outer {
        Some(outer) => [Some(outer.exit()), Some(handler.entry())],
        None => [Some(handler.entry()), None],
    }
}

fn exit(open: &mut Vec<Handler>, handler: Handler) -> [Option<KernelEvent>; 2] {
    let Some(place) = open.iter().rposition(|one| *one == handler) else {
        return [None, None];
    };
    let is_innermost = place + 1 == open.len();
    open.remove(place);
    match is_innermost {
        true => [Some(handler.exit()), open.last().map(|outer| outer.entry())],
        // It is already suspended.
        false => [None, None],
    }
}

impl Handler {
    fn entry(self) -> KernelEvent {
        match self {
            Self::Routine(id) => KernelEvent::Enter(id),
            Self::Kernel => KernelEvent::EnterKernel,
        }
    }

    fn exit(self) -> KernelEvent {
        match self {
            Self::Routine(id) => KernelEvent::Exit(id),
            Self::Kernel => KernelEvent::ExitKernel,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_innermost_handler_is_entered() {
        let (outer, inner) = (IsrActivationId(0), IsrActivationId(1));
        let mut handlers = HandlerStacks::default();
        let all = [
            KernelEvent::Enter(outer),
            KernelEvent::Enter(inner),
            KernelEvent::EnterKernel,
            // The outer one ends while it is suspended.
            KernelEvent::Exit(outer),
            KernelEvent::ExitKernel,
            KernelEvent::Exit(inner),
            KernelEvent::Exit(inner),
        ];
        let flattened = all.map(|event| handlers.flatten(3, event));
        let flattened: Vec<_> = flattened.into_iter().flatten().flatten().collect();
        let expected = [
            KernelEvent::Enter(outer),
            KernelEvent::Exit(outer),
            KernelEvent::Enter(inner),
            KernelEvent::Exit(inner),
            KernelEvent::EnterKernel,
            KernelEvent::ExitKernel,
            KernelEvent::Enter(inner),
            KernelEvent::Exit(inner),
        ];
        assert_eq!(flattened, expected);
        assert_eq!(
            handlers.flatten(4, KernelEvent::EnterKernel),
            [Some(KernelEvent::EnterKernel), None]
        );
    }
}
