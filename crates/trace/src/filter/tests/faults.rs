//! Error messages for invalid filters.

use super::super::{Filter, FilterProblem, parser};
use super::{passing, trace};

/// The error's text and its part of the expression.
fn fault(text: &str) -> (String, String) {
    let trace = trace();
    let bound = Filter::parse(text).and_then(|filter| filter.bind(&trace).map(|_| ()));
    let error = bound.expect_err(text);
    let about = text.get(error.span()).unwrap_or_default().to_owned();
    (error.problem().to_string(), about)
}

#[test]
fn syntax_errors_state_what_was_expected() {
    let cases = [
        (
            "",
            "expected a field such as `kind`, `not` or `(`, found the end",
            "",
        ),
        (
            "core",
            "expected an operator such as `==`, found the end",
            "",
        ),
        ("core | 1", "expected `||`, found `|`", "|"),
        ("core == ", "expected a number, found the end", ""),
        ("core == x", "expected a number, found `x`", "x"),
        ("core == '1'", "expected a number, found `'1'`", "'1'"),
        (
            "core == 1ms",
            "expected a number without a unit, found `1ms`",
            "1ms",
        ),
        (
            "time & 1ms",
            "expected a number without a unit, found `1ms`",
            "1ms",
        ),
        (
            "core == 1 core",
            "expected `and`, `or` or the end, found `core`",
            "core",
        ),
        (
            "(core == 1",
            "expected `and`, `or` or `)`, found the end",
            "",
        ),
        ("core in 1", "expected `..` or `..=`, found the end", ""),
        ("core in (1 2)", "expected `,` or `)`, found `2`", "2"),
        (
            "context in idle",
            "expected `(` and names, found `idle`",
            "idle",
        ),
        ("kind == and", "expected a value, found `and`", "and"),
        (
            "kind == tx_*",
            "expected a name without wildcards, or `~` before it, found `tx_*`",
            "tx_*",
        ),
        (
            "core ~ 1",
            "`core` cannot be compared with `~`, which requires names",
            "~",
        ),
        (
            "kind < x",
            "`kind` cannot be compared with `<`, which requires numbers",
            "<",
        ),
        (
            "arg. == 1",
            "expected the name of an argument, found `==`",
            "==",
        ),
        ("kind == 'x", "expected a closing ', found the end", "'"),
    ];
    for (text, problem, about) in cases {
        assert_eq!(
            fault(text),
            (problem.to_owned(), about.to_owned()),
            "{text}"
        );
    }
}

#[test]
fn unknown_names_equal_nothing_in_a_growing_trace() {
    let trace = trace();
    let passing = |text: &str| -> (Vec<u32>, Vec<String>) {
        let filter = Filter::parse(text).unwrap();
        let mut unknown = Vec::new();
        let bound = filter.bind_partial(&trace, &mut unknown).unwrap();
        let passing = bound.matching().map(|event| event.0).collect();
        (passing, unknown.iter().map(ToString::to_string).collect())
    };
    let unknown = "no context is called `noone`";
    for (text, expected, unknown) in [
        ("context == noone or event < 2", vec![0, 1], vec![unknown]),
        ("context != noone", vec![0, 1, 2, 3, 4, 5], vec![unknown]),
        ("context in (noone, idle)", vec![2], vec![unknown]),
        ("context == idle", vec![2], vec![]),
        // Only events that have objects at all.
        (
            "object != zz",
            vec![0, 1, 3, 5],
            vec!["no object is called `zz`"],
        ),
        (
            "not object == zz and event > 3",
            vec![4, 5],
            vec!["no object is called `zz`"],
        ),
        ("arg.zz != 3", vec![], vec!["no argument is called `zz`"]),
    ] {
        let unknown = unknown.into_iter().map(str::to_owned).collect();
        assert_eq!(passing(text), (expected, unknown), "{text}");
    }
    let wrong = Filter::parse("context == noone and core == x");
    assert!(wrong.is_err());
}

#[test]
fn unknown_names_suggest_similar_ones() {
    let cases = [
        (
            "prioritty == 1",
            "no field is called `prioritty`; did you mean priority?",
            "prioritty",
        ),
        (
            "thread == ui",
            "no field is called `thread`; did you mean context?",
            "thread",
        ),
        (
            "context == worker1",
            "no context is called `worker1`; did you mean \"worker 1\"?",
            "worker1",
        ),
        (
            "core == 1 and kind != tx_queue_sent",
            "no kind is called `tx_queue_sent`; did you mean tx_queue_send?",
            "tx_queue_sent",
        ),
        (
            "component in (threadx, thredx)",
            "no component is called `thredx`; did you mean threadx?",
            "thredx",
        ),
        (
            "class == event_flags",
            "no object class is called `event_flags`; did you mean event-flags?",
            "event_flags",
        ),
        (
            "object == 'rx qeue'",
            "no object is called `rx qeue`; did you mean \"rx queue\"?",
            "'rx qeue'",
        ),
        (
            "arg.wait_options == 1",
            "no argument is called `wait_options`; did you mean wait_option?",
            "arg.wait_options",
        ),
        (
            "arg.wait_option == tx_wait_for_ever",
            "no value of this argument is called `tx_wait_for_ever`; did you mean TX_WAIT_FOREVER?",
            "tx_wait_for_ever",
        ),
        (
            "context == \"idle\"",
            "no context is called `idle`; did you mean idle or \"(idle)\"?",
            "\"idle\"",
        ),
    ];
    for (text, problem, about) in cases {
        assert_eq!(
            fault(text),
            (problem.to_owned(), about.to_owned()),
            "{text}"
        );
    }
}

#[test]
fn nesting_and_length_are_limited() {
    let nested = |depth| "(".repeat(depth) + "core == 1" + &")".repeat(depth);
    assert_eq!(passing(&nested(parser::MAX_DEPTH)), [1, 3]);
    let error = Filter::parse(&nested(parser::MAX_DEPTH + 1)).unwrap_err();
    assert_eq!(error.column(), parser::MAX_DEPTH);
    for opening in ["(", "!", "not ", "!("] {
        let error = Filter::parse(&opening.repeat(4000)).unwrap_err();
        let too_deep = FilterProblem::TooDeep {
            limit: parser::MAX_DEPTH,
        };
        assert_eq!(error.problem(), &too_deep);
    }
    let chain = vec!["core == 1"; 1000].join(" or ");
    assert_eq!(passing(&chain), [1, 3]);
    let error = Filter::parse(&"x ".repeat(parser::MAX_FILTER_LEN)).unwrap_err();
    assert!(matches!(error.problem(), FilterProblem::TooLong { .. }));
}
