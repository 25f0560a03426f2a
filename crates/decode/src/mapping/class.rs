//! Event classes: events of the same name with the same fields. Rules are resolved once for each.

use super::rule::{Condition, Expected, Meaning, NamePattern, Role, Rule};
use super::table::{MappingTables, Table};
use crate::systemview::descriptions::event_kind;
use rtoscope_trace::catalogue::{self, ArgumentDef, MarkerAction, MarkerRole, NamedValues};
use rtoscope_trace::{EventKind, ObjectClass};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The number of an event class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClassId(pub(super) u32);

/// A field of a class.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FieldDef {
    pub(crate) name: String,
    pub(crate) field_type: FieldType,
    /// The width of a number: up to 64.
    pub(crate) bits: u8,
}

/// The type of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldType {
    Unsigned,
    Signed,
    /// A number that is displayed in hexadecimal.
    Hex,
    /// A number with names for some values.
    Named(&'static NamedValues),
    /// A text, or what has no number.
    Text,
}

/// The value of a field, of its type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum FieldValue<'a> {
    Unsigned(u64),
    Signed(i64),
    /// Ends at its first NUL.
    Text(&'a [u8]),
}

impl<'a> FieldValue<'a> {
    pub(super) fn number(self) -> Option<i128> {
        match self {
            Self::Unsigned(number) => Some(number.into()),
            Self::Signed(number) => Some(number.into()),
            Self::Text(_) => None,
        }
    }

    pub(super) fn text(self) -> Option<&'a [u8]> {
        let Self::Text(text) = self else {
            return None;
        };
        let end = memchr::memchr(0, text).unwrap_or(text.len());
        Some(text.get(..end).unwrap_or(text))
    }
}

/// A class with its rules.
#[derive(Debug)]
pub(super) struct EventClass {
    /// The rules in order: the first whose conditions hold applies.
    pub(super) rules: Vec<ClassRule>,
    /// The layout of events without a rule.
    pub(super) other: Layout,
}

/// A rule of a class.
#[derive(Debug)]
pub(super) struct ClassRule {
    pub(super) rule: RuleRef,
    conditions: Vec<FieldCondition>,
    /// The places of the fields; [`ABSENT`] if the class does not have one.
    fields: [u16; Role::COUNT],
    pub(super) layout: Layout,
}

/// A rule in its table.
#[derive(Debug, Clone)]
pub(super) struct RuleRef {
    pub(super) table: Arc<Table>,
    number: usize,
}

impl RuleRef {
    pub(super) fn get(&self) -> Option<&Rule> {
        self.table.rules.get(self.number)
    }
}

const ABSENT: u16 = u16::MAX;

/// How the fields of an event become arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) kind: u32,
    pub(super) slots: Vec<Slot>,
}

/// The field of an argument, and what is stored of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) field: u16,
    pub(super) content: SlotContent,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SlotContent {
    /// The number.
    Word,
    /// The position of the text.
    Text,
    /// The position of the number as text: arguments cannot have it.
    Decimal,
    /// The address of what the field with this role names.
    Named(Role),
}

impl ClassRule {
    pub(super) fn applies(&self, values: &[FieldValue<'_>]) -> bool {
        self.conditions
            .iter()
            .all(|condition| condition.holds(values))
    }

    /// The value of the field with a role.
    #[inline]
    pub(super) fn value<'v>(
        &self,
        role: Role,
        values: &[FieldValue<'v>],
    ) -> Option<FieldValue<'v>> {
        values.get(usize::from(self.fields[role as usize])).copied()
    }
}

/// A condition on a field of a class.
#[derive(Debug)]
struct FieldCondition {
    field: u16,
    condition: Condition,
}

impl FieldCondition {
    fn holds(&self, values: &[FieldValue<'_>]) -> bool {
        let Some(value) = values.get(usize::from(self.field)) else {
            return false;
        };
        let is = |expected: &Expected| match expected {
            Expected::Number(number) => value.number() == Some(*number),
            Expected::Text(pattern) => value.text().is_some_and(|text| pattern.matches_bytes(text)),
        };
        match &self.condition {
            Condition::Is(all) => all.iter().any(is),
            Condition::IsNot(all) => !all.iter().any(is),
            Condition::HasBits(bits) => value
                .number()
                .is_some_and(|number| number & i128::from(*bits) != 0),
        }
    }

    /// The condition on a field, with the numbers of the names that its type gives them.
    fn new(field: u16, condition: &Condition, field_type: FieldType) -> Self {
        let mut condition = condition.clone();
        if let (FieldType::Named(names), Condition::Is(all) | Condition::IsNot(all)) =
            (field_type, &mut condition)
        {
            let patterns: Vec<_> = all.iter().filter_map(pattern).cloned().collect();
            let named = names.values.iter();
            let named = named.filter(|(_, name)| patterns.iter().any(|it| it.matches(name)));
            all.extend(named.map(|(number, _)| Expected::Number((*number).into())));
        }
        Self { field, condition }
    }
}

fn pattern(expected: &Expected) -> Option<&NamePattern> {
    match expected {
        Expected::Text(pattern) => Some(pattern),
        Expected::Number(_) => None,
    }
}

/// Resolves classes, and collects the kinds of their events.
#[derive(Debug)]
pub(super) struct ClassResolver<'m> {
    pub(super) tables: &'m MappingTables,
    /// What the recording says of itself.
    pub(super) environment: &'m BTreeMap<String, String>,
    pub(super) kinds: &'m mut Vec<EventKind>,
    /// The component of events without a rule.
    pub(super) component: &'m str,
}

impl ClassResolver<'_> {
    pub(super) fn resolve(&mut self, name: &str, fields: &[FieldDef]) -> EventClass {
        let mut rules = Vec::new();
        let mut layouts: Vec<(Shape, Layout)> = Vec::new();
        let tables = self
            .tables
            .iter()
            .filter(|table| table.is_for(self.environment));
        let tables: Vec<_> = tables.cloned().collect();
        let mut component = None;
        for table in tables {
            for number in 0..table.rules.len() {
                let rule = RuleRef {
                    table: Arc::clone(&table),
                    number,
                };
                let Some((conditions, places)) = rule.get().and_then(|it| fit(it, name, fields))
                else {
                    continue;
                };
                let of_rule = component.get_or_insert_with(|| table.name.clone());
                let Some(shape) = rule.get().map(|it| Shape::new(it, fields, &places)) else {
                    continue;
                };
                let known = layouts.iter().find(|(known, _)| *known == shape);
                let layout = match known {
                    Some((_, layout)) => layout.clone(),
                    None => {
                        let layout = self.add_kind(name, fields, &shape, of_rule);
                        layouts.push((shape, layout.clone()));
                        layout
                    }
                };
                let is_last = conditions.is_empty();
                rules.push(ClassRule {
                    rule,
                    conditions,
                    fields: places,
                    layout,
                });
                if is_last {
                    break;
                }
            }
            if rules.last().is_some_and(|rule| rule.conditions.is_empty()) {
                break;
            }
        }
        let plain = Shape::plain(fields);
        let shared = layouts.into_iter().find(|(shape, _)| shape.needs_no_rule());
        let other = match shared {
            Some((_, layout)) => layout,
            None => {
                let component = component.unwrap_or_else(|| self.component.to_owned());
                match rules.last() {
                    // Every event has a rule.
                    Some(rule) if rule.conditions.is_empty() => rule.layout.clone(),
                    _ => self.add_kind(name, fields, &plain, &component),
                }
            }
        };
        EventClass { rules, other }
    }

    fn add_kind(
        &mut self,
        name: &str,
        fields: &[FieldDef],
        shape: &Shape,
        component: &str,
    ) -> Layout {
        let id = self.kinds.len() as u32 + 1;
        let arguments = shape.slots.iter().filter_map(|slot| {
            let field = fields.get(usize::from(slot.field))?;
            Some(ArgumentDef {
                name: field.name.clone().into(),
                meaning: shape.meaning(*slot, field),
            })
        });
        let mut kind = event_kind(id, name.to_owned(), component, arguments);
        kind.marker.clone_from(&shape.marker);
        self.kinds.push(kind);
        Layout {
            kind: id,
            slots: shape.slots.clone(),
        }
    }
}

type FittingRule = (Vec<FieldCondition>, [u16; Role::COUNT]);

/// The conditions and the places of the fields, if the rule is one for events of this class.
fn fit(rule: &Rule, name: &str, fields: &[FieldDef]) -> Option<FittingRule> {
    rule.events
        .iter()
        .any(|it| it.matches(name))
        .then_some(())?;
    let place = |name: &str| {
        let place = fields.iter().position(|field| field.name == name)?;
        u16::try_from(place).ok().filter(|place| *place != ABSENT)
    };
    let has_all = rule.required.iter().all(|name| place(name).is_some());
    has_all.then_some(())?;
    let conditions = rule.conditions.iter().map(|(name, condition)| {
        let place = place(name)?;
        let field = fields.get(usize::from(place))?;
        Some(FieldCondition::new(place, condition, field.field_type))
    });
    let conditions = conditions.collect::<Option<Vec<_>>>()?;
    let mut places = [ABSENT; Role::COUNT];
    for (role, names) in &rule.fields {
        match names.iter().find_map(|name| place(name)) {
            Some(place) => places[*role as usize] = place,
            None if role.is_identity() => return None,
            None => {}
        }
    }
    Some((conditions, places))
}

/// What distinguishes the kinds of a class.
#[derive(Debug, PartialEq)]
struct Shape {
    slots: Vec<Slot>,
    /// The classes of the objects that fields name.
    objects: Vec<(u16, ObjectClass)>,
    marker: Option<MarkerRole>,
}

/// Number of arguments that can have more than 32 bits.
const WIDE_ARGUMENTS: usize = 4;

impl Shape {
    fn plain(fields: &[FieldDef]) -> Self {
        Self {
            slots: slots(fields, &[]),
            objects: Vec::new(),
            marker: None,
        }
    }

    fn new(rule: &Rule, fields: &[FieldDef], places: &[u16; Role::COUNT]) -> Self {
        let at = |role: Role| {
            let place = places[role as usize];
            (place != ABSENT).then_some(place)
        };
        let roles = [
            (Role::Object, object_class(rule)),
            (Role::Marker, ObjectClass::Marker),
            (Role::Thread, ObjectClass::Thread),
            (Role::Next, ObjectClass::Thread),
            (Role::Context, ObjectClass::Thread),
        ];
        let named = roles
            .iter()
            .filter_map(|(role, class)| Some((*role, at(*role)?, *class)));
        let named: Vec<_> = named.collect();
        let action = match rule.meaning {
            Meaning::MarkerBegin => Some(MarkerAction::Begin),
            Meaning::MarkerEnd => Some(MarkerAction::End),
            Meaning::Marker | Meaning::Counter => Some(MarkerAction::Instant),
            _ => None,
        };
        let value = at(Role::Value).filter(|_| action.is_some());
        let mut first = Vec::new();
        for (role, field, _) in &named {
            let is_text = fields
                .get(usize::from(*field))
                .is_some_and(|field| field.field_type == FieldType::Text);
            let content = match is_text {
                true => SlotContent::Named(*role),
                false => SlotContent::Word,
            };
            let field = *field;
            match role {
                Role::Object | Role::Marker => first.push((true, Slot { field, content })),
                _ => first.push((false, Slot { field, content })),
            }
        }
        let has_marker = at(Role::Marker).is_some();
        if let Some(field) = value {
            let content = SlotContent::Word;
            let place = usize::from(has_marker).min(first.len());
            first.insert(place, (true, Slot { field, content }));
        }
        let name = rule.marker.clone().or_else(|| {
            let is_counter = rule.meaning == Meaning::Counter;
            let value = value.and_then(|value| fields.get(usize::from(value)));
            Some(value.filter(|_| is_counter)?.name.clone())
        });
        Self {
            slots: slots(fields, &first),
            objects: named
                .iter()
                .map(|(_, field, class)| (*field, *class))
                .collect(),
            marker: action.map(|action| MarkerRole {
                action,
                name: name.filter(|_| !has_marker).map(Into::into),
            }),
        }
    }

    /// Whether events without a rule can have it.
    fn needs_no_rule(&self) -> bool {
        let is_stored = |slot: &Slot| !matches!(slot.content, SlotContent::Named(_));
        self.marker.is_none() && self.slots.iter().all(is_stored)
    }

    fn meaning(&self, slot: Slot, field: &FieldDef) -> catalogue::Meaning {
        use catalogue::Meaning;
        let object = self.objects.iter().find(|(of, _)| *of == slot.field);
        match (slot.content, object) {
            (SlotContent::Word | SlotContent::Named(_), Some((_, ObjectClass::Unknown))) => {
                Meaning::AnyObject
            }
            (SlotContent::Word | SlotContent::Named(_), Some((_, class))) => {
                Meaning::Object(*class)
            }
            (SlotContent::Text | SlotContent::Decimal, _) => Meaning::Text,
            (SlotContent::Word | SlotContent::Named(_), None) => match field.field_type {
                FieldType::Signed => Meaning::Signed,
                FieldType::Hex => Meaning::Hex,
                FieldType::Named(names) => Meaning::Named(names),
                FieldType::Unsigned | FieldType::Text => Meaning::Number,
            },
        }
    }
}

/// The class of a rule's objects.
pub(super) fn object_class(rule: &Rule) -> ObjectClass {
    let usual = match rule.meaning {
        Meaning::Lock | Meaning::LockBlocking | Meaning::Unlock => ObjectClass::Mutex,
        _ => ObjectClass::Unknown,
    };
    rule.class.unwrap_or(usual)
}

/// The arguments: those `first` that have to be at the start, those that are named otherwise, and
/// all others, in the order of the fields. Wide numbers are moved to where they fit.
fn slots(fields: &[FieldDef], first: &[(bool, Slot)]) -> Vec<Slot> {
    let at_start = first
        .iter()
        .filter(|(is_first, _)| *is_first)
        .map(|(_, slot)| *slot);
    let mut all: Vec<Slot> = Vec::new();
    for slot in at_start {
        if all.iter().all(|known| known.field != slot.field) {
            all.push(slot);
        }
    }
    let start = all.len();
    for (field, number) in fields.iter().zip(0..ABSENT) {
        if all.iter().any(|slot| slot.field == number) {
            continue;
        }
        let named = first.iter().find(|(_, slot)| slot.field == number);
        let content = match (named, field.field_type) {
            (Some((_, slot)), _) => slot.content,
            (None, FieldType::Text) => SlotContent::Text,
            // In a trace with wide words, these would be taken for negative numbers of 32 bits.
            (None, FieldType::Signed) if field.bits > 32 => SlotContent::Decimal,
            (None, _) => SlotContent::Word,
        };
        all.push(Slot {
            field: number,
            content,
        });
    }
    let is_wide = |slot: &Slot| {
        let field = fields.get(usize::from(slot.field));
        slot.content == SlotContent::Word && field.is_some_and(|field| field.bits > 32)
    };
    // Only the first arguments can be wide.
    if all.iter().skip(WIDE_ARGUMENTS).any(is_wide)
        && let Some(rest) = all.get_mut(start..)
    {
        rest.sort_by_key(|slot| !is_wide(slot));
    }
    for slot in all.iter_mut().skip(WIDE_ARGUMENTS) {
        if is_wide(slot) {
            slot.content = SlotContent::Decimal;
        }
    }
    all
}
