//! Interrupt handlers that interrupt each other.

use super::changes::What;
use rtoscope_analysis::schedule::ActivationId;
use std::collections::BTreeMap;

/// What an interrupt executes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Handler {
    /// An interrupt service routine.
    Routine(ActivationId),
    /// The kernel apart from routines.
    Kernel,
}

/// The handlers of each core that have begun, the innermost last.
///
/// Handlers of Linux do not nest, and readers hold that the interrupted task goes
/// on when any handler ends. So an inner handler suspends the outer one here: only
/// the innermost is entered, and the outer is entered again afterwards.
#[derive(Debug, Default)]
pub(super) struct Handlers {
    cores: BTreeMap<u8, Vec<Handler>>,
}

impl Handlers {
    /// What readers are shown of a change on a core, in order.
    pub(super) fn flatten(&mut self, core: u8, what: What) -> [Option<What>; 2] {
        let open = self.cores.entry(core).or_default();
        match what {
            What::Enter(id) => enter(open, Handler::Routine(id)),
            What::EnterKernel => enter(open, Handler::Kernel),
            What::Exit(id) => exit(open, Handler::Routine(id)),
            What::ExitKernel => exit(open, Handler::Kernel),
            What::Wake { .. } | What::Priority(_) | What::Switch { .. } => [Some(what), None],
        }
    }
}

fn enter(open: &mut Vec<Handler>, handler: Handler) -> [Option<What>; 2] {
    let outer = open.last().copied();
    open.push(handler);
    match outer {
        Some(outer) => [Some(outer.exit()), Some(handler.entry())],
        None => [Some(handler.entry()), None],
    }
}

fn exit(open: &mut Vec<Handler>, handler: Handler) -> [Option<What>; 2] {
    let Some(place) = open.iter().rposition(|one| *one == handler) else {
        return [None, None];
    };
    let is_innermost = place + 1 == open.len();
    open.remove(place);
    match is_innermost {
        true => [Some(handler.exit()), open.last().map(|outer| outer.entry())],
        // It is suspended already.
        false => [None, None],
    }
}

impl Handler {
    fn entry(self) -> What {
        match self {
            Self::Routine(id) => What::Enter(id),
            Self::Kernel => What::EnterKernel,
        }
    }

    fn exit(self) -> What {
        match self {
            Self::Routine(id) => What::Exit(id),
            Self::Kernel => What::ExitKernel,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_innermost_handler_is_entered() {
        let (outer, inner) = (ActivationId(0), ActivationId(1));
        let mut handlers = Handlers::default();
        let all = [
            What::Enter(outer),
            What::Enter(inner),
            What::EnterKernel,
            // The outer one ends while it is suspended.
            What::Exit(outer),
            What::ExitKernel,
            What::Exit(inner),
            What::Exit(inner),
        ];
        let told = all.map(|what| handlers.flatten(3, what));
        let told: Vec<_> = told.into_iter().flatten().flatten().collect();
        let expected = [
            What::Enter(outer),
            What::Exit(outer),
            What::Enter(inner),
            What::Exit(inner),
            What::EnterKernel,
            What::ExitKernel,
            What::Enter(inner),
            What::Exit(inner),
        ];
        assert_eq!(told, expected);
        assert_eq!(
            handlers.flatten(4, What::EnterKernel),
            [Some(What::EnterKernel), None]
        );
    }
}
