//! Properties of all texts and all filters.

use super::super::ast::{
    Comparator, Comparison, Expression, FieldCondition, FilterField, FilterValue, Literal,
    argument_name,
};
use super::super::span::Span;
use super::super::{Filter, parser};
use super::trace;
use crate::{EventIndex, Name};
use proptest::prelude::*;

fn value(literal: Literal) -> FilterValue {
    let span = Span::default();
    FilterValue { literal, span }
}

fn name() -> impl Strategy<Value = FilterValue> {
    let reserved =
        |word: &String| !["and", "or", "not", "in"].contains(&word.to_lowercase().as_str());
    prop_oneof![
        "[a-zA-Z0-9_ü-]{1,6}(\\.[a-z]{1,2})?"
            .prop_filter("reserved", reserved)
            .prop_map(|word| value(Literal::Word(word))),
        proptest::collection::vec(any::<u8>(), 0..8)
            .prop_map(|bytes| value(Literal::Quoted(Name::new(&bytes)))),
        "\\PC{0,6}".prop_map(|text| value(Literal::Quoted(Name::new(text.as_bytes())))),
    ]
}

fn number() -> impl Strategy<Value = FilterValue> {
    let word = prop_oneof!["[0-9]{1,9}", "0x[0-9a-f]{1,16}", "[0-9][0-9_]{0,4}"];
    word.prop_map(|word| value(Literal::Word(word)))
}

fn test() -> impl Strategy<Value = Expression> {
    use Comparator::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, Like, NotEqual, Unlike};
    let argument = prop_oneof!["[a-z_.]{1,6}", "\\PC{0,5}"];
    let argument = argument.prop_map(|name| FilterField::Argument(argument_name(&name)));
    let fields = |names: &'static [&'static str]| {
        proptest::sample::select(names).prop_map(|name| FilterField::from_name(name).unwrap())
    };
    let numeric = fields(&[
        "event",
        "time",
        "timestamp",
        "core",
        "priority",
        "threshold",
        "info3",
        "number",
    ]);
    let named = fields(&[
        "context",
        "interrupted",
        "kind",
        "component",
        "object",
        "class",
    ]);
    let orders = vec![Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual];
    let names = vec![Equal, NotEqual, Like, Unlike];
    let number_condition = prop_oneof![
        (proptest::sample::select(orders), number())
            .prop_map(|(comparator, value)| FieldCondition::Compare(comparator, value)),
        (number(), number(), any::<bool>()).prop_map(|(start, end, inclusive)| {
            FieldCondition::Range {
                start,
                end,
                inclusive,
            }
        }),
        proptest::collection::vec(number(), 1..4).prop_map(FieldCondition::Among),
        number().prop_map(FieldCondition::Bits),
    ];
    let name_condition = prop_oneof![
        (proptest::sample::select(names), name())
            .prop_map(|(comparator, value)| FieldCondition::Compare(comparator, value)),
        proptest::collection::vec(name(), 1..4).prop_map(FieldCondition::Among),
        "[a-z*?]{1,5}"
            .prop_filter("reserved", |word| !["or", "in", "and", "not"]
                .contains(&word.as_str()))
            .prop_map(|word| FieldCondition::Compare(Like, value(Literal::Word(word)))),
    ]
    .boxed();
    let pairs = prop_oneof![
        (prop_oneof![numeric, argument.clone()], number_condition),
        (prop_oneof![named, argument], name_condition),
    ];
    let comparison = pairs.prop_map(|(field, condition)| {
        let span = Span::default();
        Expression::Comparison(Comparison {
            field,
            span,
            condition,
        })
    });
    prop_oneof![4 => comparison, 1 => text()]
}

/// A text; the names of fields are quoted.
fn text() -> impl Strategy<Value = Expression> {
    let is_field = |value: &FilterValue| {
        let word = value.literal.word().map(str::to_lowercase);
        word.is_some_and(|word| FilterField::from_name(&word).is_some() || word.starts_with("arg."))
    };
    let text = name().prop_filter("a field", move |value| !is_field(value));
    text.prop_map(Expression::Text)
}

fn expression() -> impl Strategy<Value = Expression> {
    test().prop_recursive(6, 40, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 2..5).prop_map(Expression::All),
            proptest::collection::vec(inner.clone(), 2..5).prop_map(Expression::Any),
            inner.prop_map(|inner| Expression::Not(Box::new(inner))),
        ]
    })
}

/// Text made of tokens of the language, in random order.
fn pieces() -> impl Strategy<Value = String> {
    let pieces: &[&str] = &[
        "kind",
        "core",
        "time",
        "object",
        "context",
        "arg.wait_option",
        "arg.",
        "==",
        "!=",
        "<",
        "~",
        "!~",
        "&",
        "in",
        "(",
        ")",
        ",",
        "..",
        "..=",
        "and",
        "||",
        "not",
        "!",
        "1",
        "0x10",
        "1.5ms",
        "idle",
        "tx_*",
        "'a b'",
        "\"",
        "\\",
        "tx_queue_send",
        "é",
        " ",
        "=",
    ];
    let list = proptest::collection::vec(proptest::sample::select(pieces), 0..20);
    list.prop_map(|list| list.join(" "))
}

proptest! {
    #[test]
    fn displayed_filters_parse_back(expression in expression()) {
        let text = expression.to_string();
        let again = parser::parse(&text);
        let again = again.map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(again, expression);
    }

    #[test]
    fn no_text_panics(text in prop_oneof![any::<String>(), "\\PC{0,40}", pieces()]) {
        let trace = trace();
        match Filter::parse(&text) {
            Ok(filter) => {
                prop_assert_eq!(&Filter::parse(&filter.to_string()), &Ok(filter.clone()));
                match filter.bind(&trace) {
                    Ok(bound) => prop_assert!(bound.matching().count() <= 6),
                    Err(error) => prop_assert!(text.get(error.span()).is_some()),
                }
            }
            Err(error) => {
                prop_assert!(text.get(error.span()).is_some());
                prop_assert!(error.to_string().lines().count() == 3);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// For any filter that binds, `not` selects the other events.
    #[test]
    fn not_selects_the_other_events(expression in expression()) {
        let trace = trace();
        let filter = Filter::parse(&expression.to_string()).unwrap();
        let opposite = Filter::parse(&format!("not ({expression})")).unwrap();
        if let (Ok(filter), Ok(opposite)) = (filter.bind(&trace), opposite.bind(&trace)) {
            for index in (0..6).map(EventIndex) {
                prop_assert_ne!(filter.matches(index), opposite.matches(index));
            }
        }
    }
}
