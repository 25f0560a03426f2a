//! Labels of states and transitions.

use super::{MachineState, MachineTransition, StateId, StateMachine, VertexKind};
use std::collections::{BTreeMap, BTreeSet};

impl StateMachine {
    /// The visits of a state and its share of the trace, as in the state report;
    /// empty for a pseudostate.
    pub(super) fn residency(&self, state: &MachineState) -> String {
        match (state.kind, state.visits, state.share) {
            (VertexKind::Pseudostate, ..) => String::new(),
            (_, 0, _) => "never entered".to_owned(),
            (_, reached, None) => format!("×{reached}"),
            (_, reached, Some(share)) => format!("×{reached} · {share:.1} %"),
        }
    }

    /// The share of the trace in which the state is unknown; empty if it always is.
    pub(super) fn unknown_share_text(&self) -> String {
        match self.unknown_share {
            Some(share) if self.unknown_time.0 > 0 => format!("state unknown: {share:.1} %"),
            _ => String::new(),
        }
    }

    /// The counts of the states to which each pseudostate led.
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

    /// The transitions to draw. Those that differ only in their final state are
    /// merged, because pseudostate exits are drawn separately.
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

    /// The direct children of each state, and the top-level vertices.
    pub(super) fn children(&self) -> Children {
        let mut inside = Children::new();
        for (state, id) in self.vertices.iter().zip((0..).map(StateId)) {
            inside.entry(state.parent).or_default().push(id);
        }
        inside
    }
}

/// The direct children of each state; `None` has the top-level vertices.
pub(super) type Children = BTreeMap<Option<StateId>, Vec<StateId>>;

/// Removes duplicate names.
pub(super) fn dedup_names(names: &mut Vec<String>) {
    let mut seen = BTreeSet::new();
    names.retain(|name| seen.insert(name.clone()));
}

impl MachineTransition {
    /// The trigger with its guards, `TRIGGER [guard]` (empty for the initial
    /// transition), and the effects with the count, `/ effect, effect ×count`.
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

    /// The label on one line: `TRIGGER [guard] / effect, effect ×count`.
    pub(super) fn line_label(&self) -> String {
        self.label().join(" ").trim_start().to_owned()
    }
}
