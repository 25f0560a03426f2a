//! Mutex holds and priority inversions.

use super::Value::{Event, Flag, Number, Text};
use super::{Class, Lanes, Timeline, Value};
use rtoscope_analysis::View;
use rtoscope_trace::ContextId;
use std::collections::BTreeMap;
use std::io;

/// Writes the mutex holds, one track per mutex.
pub(crate) fn mutex_holds<T: Timeline>(view: &View<'_>, to: &mut T) -> io::Result<()> {
    let mut mutexes: BTreeMap<_, Lanes<T>> = BTreeMap::new();
    for hold in &view.schedule.mutex_holds {
        let lanes = mutexes.entry(hold.resource).or_insert_with(|| {
            let name = view.resource_name(hold.resource);
            Lanes::new(format!("mutex {name}"))
        });
        let owner = view.trace.context_name(hold.owner);
        let arguments = [
            ("first event", Event(hold.first)),
            ("last event", Event(hold.last)),
            ("start recorded", Flag(hold.start_known)),
            ("ending", Text(hold.ending.name())),
            ("contended", Flag(hold.contended)),
        ];
        lanes.slice(
            to,
            [hold.start, hold.end],
            Class::MutexHold,
            &owner,
            &arguments,
        )?;
    }
    Ok(())
}

/// Writes the priority inversions.
pub(crate) fn inversions<T: Timeline>(view: &View<'_>, to: &mut T) -> io::Result<()> {
    let name = |context: ContextId| view.trace.context_name(context);
    let names = |all: &[ContextId]| {
        let names: Vec<_> = all.iter().map(|context| name(*context)).collect();
        names.join(", ")
    };
    let mut lanes = Lanes::new("priority inversions".to_owned());
    for inversion in &view.schedule.inversions {
        let blocked = name(inversion.blocked);
        let title = match inversion.owners.first() {
            Some(owner) => format!("{blocked} blocked by {}", name(*owner)),
            None => format!("{blocked} blocked"),
        };
        let culprits = inversion.culprits.iter().map(|one| one.thread);
        let culprits: Vec<_> = culprits.collect();
        let culprits = names(&culprits);
        let owners = names(&inversion.owners);
        let chain = names(&inversion.chain);
        let mutex = view.resource_name(inversion.resource);
        let unbounded = inversion.unbounded();
        let arguments = [
            ("mutex", Text(&mutex)),
            (
                "blocked priority",
                Number(inversion.blocked_priority.into()),
            ),
            ("owner priority", Number(inversion.owner_priority.into())),
            ("owners", Text(&owners)),
            ("chain", Value::text(&chain)),
            ("unbounded", unbounded.map_or(Text("(unknown)"), Flag)),
            ("prolonged by", Value::text(&culprits)),
            ("get event", Value::event(inversion.get)),
            ("first event", Value::event(inversion.first)),
            ("last event", Value::event(inversion.last)),
            ("ending", Text(inversion.ending.name())),
        ];
        let times = [inversion.start, inversion.end];
        lanes.slice(to, times, Class::Inversion, &title, &arguments)?;
    }
    Ok(())
}
