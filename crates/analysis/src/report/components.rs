//! Statistics of the file system, the network stack and the USB stack.

use super::View;
use rtoscope_trace::EventKindId;
use rtoscope_trace::statistic::StatisticTerm;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

/// A statistic of a component.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComponentFigure {
    /// Its key in JSON, e.g. `bytes_read`.
    pub name: Cow<'static, str>,
    /// A sentence that describes it.
    pub description: Cow<'static, str>,
    /// Its value.
    pub value: u64,
}

/// A component's statistics, in the order of their table. In JSON, an object of
/// names and values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Component {
    /// Its name, e.g. `filex`.
    pub name: Cow<'static, str>,
    /// The statistics.
    pub figures: Vec<ComponentFigure>,
    /// Whether any event counts in any of them; if not, the trace has nothing
    /// of the component.
    pub has_events: bool,
}

/// All components, in the order of their table. In JSON, an object of names and
/// components.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Components(pub Vec<Component>);

impl ComponentFigure {
    /// Its description as a label.
    pub(super) fn label(&self) -> Cow<'static, str> {
        match &self.description {
            Cow::Borrowed(text) => text.trim_end_matches('.').into(),
            Cow::Owned(text) => text.trim_end_matches('.').to_owned().into(),
        }
    }
}

impl Component {
    /// The value of the statistic with that name.
    pub fn value(&self, name: &str) -> Option<u64> {
        let mut figures = self.figures.iter();
        figures
            .find(|figure| figure.name == name)
            .map(|figure| figure.value)
    }
}

impl Components {
    /// The component with that name.
    pub fn get(&self, name: &str) -> Option<&Component> {
        self.0.iter().find(|component| component.name == name)
    }
}

impl Serialize for Component {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.figures.len()))?;
        for figure in &self.figures {
            map.serialize_entry(&figure.name, &figure.value)?;
        }
        map.end()
    }
}

impl Serialize for Components {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for component in &self.0 {
            map.serialize_entry(&component.name, component)?;
        }
        map.end()
    }
}

impl JsonSchema for Component {
    fn schema_name() -> Cow<'static, str> {
        "Component".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        BTreeMap::<String, u64>::json_schema(generator)
    }
}

/// Evaluates a format's statistics in the scope. Sums saturate at 64 bits.
pub fn components(view: &View<'_>) -> Components {
    let counts = counts(view);
    let count = |term: &StatisticTerm| counts.get(&term.kind).copied().unwrap_or_default();
    let mut values = Vec::with_capacity(view.statistics.len());
    let mut sums = Vec::new();
    for (statistic, at) in view.statistics.iter().zip(0..) {
        let occurring = statistic.terms.iter().filter(|term| count(term) > 0);
        let (counted, summed): (Vec<_>, Vec<_>) = occurring.partition(|term| term.is_count());
        values.push(counted.into_iter().map(count).sum());
        sums.extend(summed.into_iter().map(|term| (at, *term)));
    }
    add_up(view, sums, &mut values);
    let mut components = Components::default();
    for (statistic, value) in view.statistics.iter().zip(values) {
        let figure = ComponentFigure {
            name: statistic.name.clone(),
            description: statistic.description.clone(),
            value,
        };
        let used = statistic.terms.iter().any(|term| count(term) > 0);
        let mut known = components.0.iter_mut();
        match known.find(|component| component.name == statistic.component) {
            Some(component) => {
                component.figures.push(figure);
                component.has_events |= used;
            }
            None => components.0.push(Component {
                name: statistic.component.clone(),
                figures: vec![figure],
                has_events: used,
            }),
        }
    }
    components
}

/// Number of events of each kind in the scope.
fn counts(view: &View<'_>) -> HashMap<EventKindId, u64> {
    let mut counts = HashMap::new();
    for ((_, kind), count) in &view.event_counts.services {
        *counts.entry(*kind).or_default() += count;
    }
    counts
}

/// Adds the contributions of single events to the statistics with these
/// indices. Reads no event if there are no terms.
fn add_up(view: &View<'_>, mut sums: Vec<(usize, StatisticTerm)>, values: &mut [u64]) {
    sums.sort_by_key(|(_, term)| term.kind);
    let (Some((_, first)), Some((_, last))) = (sums.first(), sums.last()) else {
        return;
    };
    let kinds = first.kind..=last.kind;
    let events = &view.trace.events;
    events.visit(view.scope.events(view.trace), |event| {
        if !kinds.contains(&event.kind) || !view.scope.includes(&event) {
            return;
        }
        let first = sums.partition_point(|(_, term)| term.kind < event.kind);
        let terms = sums.iter().skip(first);
        for (at, term) in terms.take_while(|(_, term)| term.kind == event.kind) {
            if let Some(value) = values.get_mut(*at) {
                *value = value.saturating_add(term.contribution(&event.arguments));
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scope;
    use crate::fixture::{open, open_at, with_view};
    use rtoscope_trace::{Ticks, Trace};

    fn of(trace: &Trace, scope: &Scope) -> Components {
        with_view(trace, scope, components)
    }

    const FILEX: &str = "linux32_filex.trx";

    #[test]
    fn the_filex_demo_matches_its_published_figures() {
        // A sample of TraceX that is not in the repository.
        let path = rtoscope_fixtures::shared_traces("tracex-samples/demo_filex.trx");
        if !path.exists() {
            return;
        }
        let trace = open_at(&path);
        let found = of(&trace, &Scope::default());
        let filex = found.get("filex").unwrap();
        for (figure, expected) in [
            ("media_opens", 19),
            ("media_closes", 19),
            ("media_flushes", 19),
            ("directory_reads", 18),
            ("directory_writes", 19),
            ("directory_cache_misses", 18),
        ] {
            assert_eq!(filex.value(figure), Some(expected), "{figure}");
        }
    }

    #[test]
    fn figures_are_counts_and_sums_of_the_events() {
        let trace = open(FILEX);
        let found = of(&trace, &Scope::default());
        let names: Vec<_> = found.0.iter().map(|component| &*component.name).collect();
        assert_eq!(names, ["filex", "netx", "usbx"]);
        let filex = found.get("filex").unwrap();
        let used: Vec<_> = found
            .0
            .iter()
            .map(|component| component.has_events)
            .collect();
        assert_eq!(used, [true, false, false]);
        let sum = |kind, argument: usize| {
            let events = trace.events.iter();
            let events = events.filter(|event| event.kind == EventKindId(kind));
            events.map(|event| event.arguments[argument]).sum()
        };
        // The numbers of fx_api.h; counts as in linux32_filex.gt.json.
        for (figure, expected) in [
            ("media_opens", 2),
            ("directory_reads", 81),
            ("file_writes", 8),
            ("bytes_read", sum(248, 3)),
            ("bytes_written", sum(254, 3)),
            ("sectors_read", sum(206, 2)),
            ("sectors_written", sum(207, 2)),
            ("media_bytes_written", sum(266, 3)),
        ] {
            assert_eq!(filex.value(figure), Some(expected), "{figure}");
            assert!(expected > 0, "{figure}");
        }
        let json = serde_json::to_string(&found).unwrap();
        assert!(json.starts_with(r#"{"filex":{"media_opens":2,"media_closes":1,"#));
        assert!(json.contains(r#""netx":{"arp_requests_sent":0,"#));
    }

    #[test]
    fn windows_add_up() {
        let trace = open(FILEX);
        let middle = trace.events.span().0 / 3;
        let part = |from, to| {
            let scope = Scope {
                start: from,
                end: to,
                ..Scope::default()
            };
            of(&trace, &scope)
        };
        let parts = [
            part(None, Some(Ticks(middle))),
            part(Some(Ticks(middle + 1)), None),
        ];
        let whole = part(None, None);
        for figure in &whole.get("filex").unwrap().figures {
            let value = |part: &Components| part.get("filex")?.value(&figure.name);
            let sum: u64 = parts.iter().filter_map(value).sum();
            assert_eq!(sum, figure.value, "{}", figure.name);
        }
    }
}
