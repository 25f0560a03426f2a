//! What is written at states and transitions.

use super::{MachineState, MachineTransition, StateId, StateMachine, VertexKind};
use std::collections::{BTreeMap, BTreeSet};

impl StateMachine {
    /// How often a state was reached, and its share of the trace as the state
    /// report gives it; empty for a pseudostate.
    pub(super) fn residency(&self, state: &MachineState) -> String {
        match (state.kind, state.visits, state.share) {
            (VertexKind::Pseudostate, ..) => String::new(),
            (_, 0, _) => "never entered".to_owned(),
            (_, reached, None) => format!("×{reached}"),
            (_, reached, Some(share)) => format!("×{reached} · {share:.1} %"),
        }
    }

    /// The share of the trace in which the machine's state is not known; empty if
    /// it always is.
    pub(super) fn unknown_share_text(&self) -> String {
        match self.unknown_share {
            Some(share) if self.unknown_time.0 > 0 => format!("state not known: {share:.1} %"),
            _ => String::new(),
        }
    }

    /// How often each pseudostate led on to where the machine stayed then.
    pub(super) fn pseudostate_exits(&self) -> BTreeMap<(StateId, StateId), u64> {
        let mut onward = BTreeMap::new();
        for edge in &self.transitions {
            let target = edge.target.and_then(|id| Some((id, self.get(id)?)));
            if let (Some((target, state)), Some(settled)) = (target, edge.final_state)
                && state.kind == VertexKind::Pseudostate
            {
                *onward.entry((target, settled)).or_insert(0) += edge.count;
            }
        }
        onward
    }

    /// The transitions to be drawn: those that differ only in where the machine
    /// stayed are one, as that is drawn from their target on.
    pub(super) fn drawn_transitions(&self) -> Vec<MachineTransition> {
        let mut drawn: Vec<MachineTransition> = Vec::new();
        let mut places = BTreeMap::new();
        for edge in &self.transitions {
            let key = (edge.source, edge.target, edge.trigger.clone());
            let place = *places.entry(key).or_insert(drawn.len());
            let Some(same) = drawn.get_mut(place) else {
                drawn.push(MachineTransition {
                    final_state: None,
                    ..edge.clone()
                });
                continue;
            };
            same.count += edge.count;
            same.guards.extend_from_slice(&edge.guards);
            same.effects.extend_from_slice(&edge.effects);
        }
        for edge in &mut drawn {
            dedup_names(&mut edge.guards);
            dedup_names(&mut edge.effects);
        }
        drawn
    }

    /// The vertices right inside each other, and in none.
    pub(super) fn children(&self) -> Children {
        let mut inside = Children::new();
        for (state, id) in self.vertices.iter().zip((0..).map(StateId)) {
            inside.entry(state.parent).or_default().push(id);
        }
        inside
    }
}

/// The vertices right inside each state, and in none.
pub(super) type Children = BTreeMap<Option<StateId>, Vec<StateId>>;

/// Keeps the first of names that are equal.
pub(super) fn dedup_names(names: &mut Vec<String>) {
    let mut seen = BTreeSet::new();
    names.retain(|name| seen.insert(name.clone()));
}

impl MachineTransition {
    /// What triggers it, with its guards: `TRIGGER [guard]`; empty for the
    /// machine's first. Then what it executes and how often it was taken:
    /// `/ effect, effect ×count`.
    pub(super) fn label(&self) -> [String; 2] {
        let mut trigger = match &self.trigger {
            Some(trigger) => trigger.clone(),
            None if self.source.is_none() => String::new(),
            None => "(unknown)".to_owned(),
        };
        if !self.guards.is_empty() {
            trigger = format!("{trigger} [{}]", self.guards.join(", "));
        }
        let count = format!("×{}", self.count);
        let effects = match self.effects.as_slice() {
            [] => count,
            effects => format!("/ {} {count}", effects.join(", ")),
        };
        [trigger, effects]
    }

    /// The same in a line: `TRIGGER [guard] / effect, effect ×count`.
    pub(super) fn line_label(&self) -> String {
        self.label().join(" ").trim_start().to_owned()
    }
}
