//! Flattens nested interrupt handlers.

use super::kernel_events::{Handler, KernelEvent};
use std::collections::BTreeMap;

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
            KernelEvent::Enter(handler) => enter(open, handler),
            KernelEvent::Exit(handler) => exit(open, handler),
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
        Some(outer) => [
            Some(KernelEvent::Exit(outer)),
            Some(KernelEvent::Enter(handler)),
        ],
        None => [Some(KernelEvent::Enter(handler)), None],
    }
}

fn exit(open: &mut Vec<Handler>, handler: Handler) -> [Option<KernelEvent>; 2] {
    let Some(place) = open.iter().rposition(|one| *one == handler) else {
        return [None, None];
    };
    let is_innermost = place + 1 == open.len();
    open.remove(place);
    match is_innermost {
        true => [
            Some(KernelEvent::Exit(handler)),
            open.last().copied().map(KernelEvent::Enter),
        ],
        // It is already suspended.
        false => [None, None],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtoscope_analysis::schedule::IsrActivationId;

    #[test]
    fn only_the_innermost_handler_is_entered() {
        let routine = |id| Handler::Routine(IsrActivationId(id), None);
        let (outer, inner) = (routine(0), routine(1));
        let mut handlers = HandlerStacks::default();
        let all = [
            KernelEvent::Enter(outer),
            KernelEvent::Enter(inner),
            KernelEvent::Enter(Handler::Kernel),
            // The outer one ends while it is suspended.
            KernelEvent::Exit(outer),
            KernelEvent::Exit(Handler::Kernel),
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
            KernelEvent::Enter(Handler::Kernel),
            KernelEvent::Exit(Handler::Kernel),
            KernelEvent::Enter(inner),
            KernelEvent::Exit(inner),
        ];
        assert_eq!(flattened, expected);
        let elsewhere = KernelEvent::Enter(Handler::Kernel);
        assert_eq!(handlers.flatten(4, elsewhere), [Some(elsewhere), None]);
    }
}
