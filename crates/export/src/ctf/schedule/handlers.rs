//! Flattens nested interrupt handlers.

use super::changes::ChangeKind;
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
    /// Converts a change on a core into a flat sequence of entries and exits.
    pub(super) fn flatten(&mut self, core: u8, kind: ChangeKind) -> [Option<ChangeKind>; 2] {
        let open = self.cores.entry(core).or_default();
        match kind {
            ChangeKind::Enter(id) => enter(open, Handler::Routine(id)),
            ChangeKind::EnterKernel => enter(open, Handler::Kernel),
            ChangeKind::Exit(id) => exit(open, Handler::Routine(id)),
            ChangeKind::ExitKernel => exit(open, Handler::Kernel),
            ChangeKind::Wake { .. } | ChangeKind::Priority(_) | ChangeKind::Switch { .. } => {
                [Some(kind), None]
            }
        }
    }
}

fn enter(open: &mut Vec<Handler>, handler: Handler) -> [Option<ChangeKind>; 2] {
    let outer = open.last().copied();
    open.push(handler);
    match outer {
        Some(outer) => [Some(outer.exit()), Some(handler.entry())],
        None => [Some(handler.entry()), None],
    }
}

fn exit(open: &mut Vec<Handler>, handler: Handler) -> [Option<ChangeKind>; 2] {
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
    fn entry(self) -> ChangeKind {
        match self {
            Self::Routine(id) => ChangeKind::Enter(id),
            Self::Kernel => ChangeKind::EnterKernel,
        }
    }

    fn exit(self) -> ChangeKind {
        match self {
            Self::Routine(id) => ChangeKind::Exit(id),
            Self::Kernel => ChangeKind::ExitKernel,
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
            ChangeKind::Enter(outer),
            ChangeKind::Enter(inner),
            ChangeKind::EnterKernel,
            // The outer one ends while it is suspended.
            ChangeKind::Exit(outer),
            ChangeKind::ExitKernel,
            ChangeKind::Exit(inner),
            ChangeKind::Exit(inner),
        ];
        let flattened = all.map(|kind| handlers.flatten(3, kind));
        let flattened: Vec<_> = flattened.into_iter().flatten().flatten().collect();
        let expected = [
            ChangeKind::Enter(outer),
            ChangeKind::Exit(outer),
            ChangeKind::Enter(inner),
            ChangeKind::Exit(inner),
            ChangeKind::EnterKernel,
            ChangeKind::ExitKernel,
            ChangeKind::Enter(inner),
            ChangeKind::Exit(inner),
        ];
        assert_eq!(flattened, expected);
        assert_eq!(
            handlers.flatten(4, ChangeKind::EnterKernel),
            [Some(ChangeKind::EnterKernel), None]
        );
    }
}
