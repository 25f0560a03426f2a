//! Valid specs, and errors for invalid ones.

use super::*;

fn shown(text: &str) -> String {
    spec_error(&trace(&request()), text).to_string()
}

#[test]
fn specs_are_parsed() {
    let text = "\
        # for all\n\
        ignore MP QUE*\n\
        test first # a comment\n\
        only ao=server\n\
        never \"SM STATE\" nxtst=busy\n\
        3x SM.TRN sst=idle ...\n\
        within 200 ticks\n\
        ...\n\
        never SMA.*\n\
        SM.STATE ...\n\
        test 'the second'\n\
        ...\n";
    let spec = spec(text);
    assert_eq!(spec.tests(), 2);
    assert_eq!(spec.text(), text);
    let [first, second] = spec.tests.as_slice() else {
        panic!();
    };
    assert_eq!((first.line, first.name.as_deref()), (3, Some("first")));
    assert_eq!(second.name.as_deref(), Some("the second"));
    assert_eq!(
        first
            .steps
            .iter()
            .map(|step| step.count)
            .collect::<Vec<_>>(),
        [3, 1]
    );
    assert_eq!((first.header.only.len(), first.header.never.len()), (1, 1));
    let last = &first.steps[1].before;
    assert!(last.any && last.within.is_some() && last.never.len() == 1);
    assert!(second.after_last.any);
}

#[test]
fn all_line_endings_are_accepted() {
    let trace = trace(&request());
    for text in ["\u{feff}...\n", "...\r\n", "# x\r\n\r\n ... # y"] {
        passes(&trace, text);
    }
}

#[test]
fn mistakes_have_spans() {
    let cases = [
        (
            "",
            "line 1: there is no test; expected a line such as `SM.TRN sst=idle`\n  \n  ^",
        ),
        (
            "ignore MP\n# x",
            "line 2: there is no test; expected a line such as `SM.TRN sst=idle`\n  # x\n  ^",
        ),
        (
            "test",
            "line 1: expected a name, found the end\n  test\n      ^",
        ),
        (
            "test a b\n...",
            "line 1: expected the end of the line, found `b`\n  test a b\n         ^",
        ),
        (
            "test a=b\n...",
            "line 1: expected the end of the line, found `=`\n  test a=b\n        ^",
        ),
        (
            "test a\nonly MP\ntest b\n...",
            "line 1: the test has no expectations; expected an expectation, or `...` if any records may occur\n  test a\n  ^^^^",
        ),
        (
            "SM.TRN\nonly ao=server",
            "line 2: `only` applies to a whole test; expected it before the test's first expectation\n  only ao=server\n  ^^^^",
        ),
        (
            "from SM.TRN\nafter SM.TRN\n...",
            "line 2: expected one `after` or `from`, found `after`\n  after SM.TRN\n  ^^^^^",
        ),
        (
            "until SM.TRN\nuntil SM.TRN\n...",
            "line 2: expected one `until`, found `until`\n  until SM.TRN\n  ^^^^^",
        ),
        (
            "ignore\n...",
            "line 1: expected names of kinds or groups, found the end\n  ignore\n        ^",
        ),
        (
            "ignore MP ao=1\n...",
            "line 1: expected names of kinds or groups, found `=`\n  ignore MP ao=1\n              ^",
        ),
        (
            "never",
            "line 1: expected the name of a kind or a group, found the end\n  never\n       ^",
        ),
        (
            "never ...",
            "line 1: expected the name of a kind or a group, found `...`\n  never ...\n        ^^^",
        ),
        (
            "within 5",
            "line 1: expected a time such as `5ms` or `200 ticks`, found `5`\n  within 5\n         ^",
        ),
        (
            "within 5 min",
            "line 1: expected a time such as `5ms` or `200 ticks`, found `5 min`\n  within 5 min\n         ^^^^^",
        ),
        (
            "within 5 ticks\nwithin 5 ticks",
            "line 2: expected one `within` before an expectation, found `within 5 ticks`\n  within 5 ticks\n  ^^^^^^^^^^^^^^",
        ),
        (
            "SM.TRN\nwithin 1 tick\n...",
            "line 2: no expectation follows this time; expected an expectation after it\n  within 1 tick\n  ^^^^^^^^^^^^^",
        ),
        (
            "0x SM.TRN",
            "line 1: expected a number from `1x` to `4294967295x`, found `0x`\n  0x SM.TRN\n  ^^",
        ),
        (
            "3x",
            "line 1: expected the name of a kind or a group, found the end\n  3x\n    ^",
        ),
        (
            "ao=server",
            "line 1: expected the name of a kind or a group before the arguments, found `ao=server`\n  ao=server\n  ^^^^^^^^^",
        ),
        (
            "SM.TRN ao",
            "line 1: expected an argument such as `ao=server`, or the end of the line, found `ao`\n  SM.TRN ao\n         ^^",
        ),
        (
            "SM.TRN ... ao=server",
            "line 1: expected an argument such as `ao=server`, or the end of the line, found `ao`\n  SM.TRN ... ao=server\n             ^^",
        ),
        (
            "SM.TRN =x",
            "line 1: expected the name of a kind or a group before the arguments, found `SM.TRN =x`\n  SM.TRN =x\n  ^^^^^^^^^",
        ),
        (
            "... SM.TRN",
            "line 1: expected the end of the line, found `SM.TRN`\n  ... SM.TRN\n      ^^^^^^",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(shown(text), expected, "{text}");
    }
    let long = format!("SM.TRN {}", "x".repeat(70_000));
    assert!(shown(&long).starts_with("line 1: expected at most 16384 bytes, found 70007"));
}

#[test]
fn unknown_names_are_mistakes() {
    let cases = [
        (
            "SM.TRM",
            "line 1: no kind or group is called `SM.TRM`; did you mean SM.TRN?\n  SM.TRM\n  ^^^^^^",
        ),
        (
            "ignore fvk\n...",
            "line 1: no kind or group is called `fvk`; did you mean fwk?\n  ignore fvk\n         ^^^",
        ),
        (
            "ZZ.*",
            "line 1: no kind or group is called `ZZ.*`\n  ZZ.*\n  ^^^^",
        ),
        (
            "SM.TRN src=idle",
            "line 1: no argument is called `src`; did you mean ao or sst or tst?\n  SM.TRN src=idle\n         ^^^",
        ),
        (
            "SM.TRN sst=* sst=*",
            "line 1: no further argument is called `sst`; did you mean tst?\n  SM.TRN sst=* sst=*\n               ^^^",
        ),
        (
            "only sigg=1\n...",
            "line 1: no argument is called `sigg`; did you mean sig?\n  only sigg=1\n       ^^^^",
        ),
        (
            "only sst=* nfree=1\n...",
            "line 1: no kind has all these arguments; expected arguments of one kind\n  only sst=* nfree=1\n       ^^^^^^^^^^^^^",
        ),
        (
            "SM.TRN sst=idel",
            "line 1: no value of this argument is called `idel`; did you mean idle?\n  SM.TRN sst=idel\n             ^^^^",
        ),
        (
            "SM.EXE_ACT type=entri",
            "line 1: no value of this argument is called `entri`; did you mean entry?\n  SM.EXE_ACT type=entri\n                  ^^^^^",
        ),
        (
            "SM.TRN context=servr",
            "line 1: no context is called `servr`; did you mean server?\n  SM.TRN context=servr\n                 ^^^^^",
        ),
        (
            "SM.TRN sst=server",
            "line 1: no value of this argument is called `server`\n  SM.TRN sst=server\n             ^^^^^^",
        ),
        (
            "USR.0 u16=x",
            "line 1: no value of this argument is called `x`\n  USR.0 u16=x\n            ^",
        ),
        (
            "USR.0 u17=1",
            "line 1: no argument is called `u17`; did you mean u16?\n  USR.0 u17=1\n        ^^^",
        ),
        (
            "within 1ms\nSM.TRN",
            "line 1: the clock frequency is unknown; expected a number of ticks\n  within 1ms\n  ^^^^^^^^^^",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn kinds_have_several_names() {
    let trace = trace(&[scripted_event(TRN, &[SERVER, IDLE, BUSY])]);
    for name in [
        "SM.TRN",
        "sm.trn",
        "\"SM TRN\"",
        "'sm trn'",
        "RKH_TE_SM_TRN",
        "SM.T*",
        "*TRN",
        "S?.TRN",
        "98",
        "0x62",
        "sm",
        "SM",
    ] {
        passes(&trace, name);
    }
    let text = spec_error(&trace, "\"S?.TRN\"").to_string();
    assert!(text.starts_with("line 1: no kind or group is called `S?.TRN`"));
}

#[test]
fn unknown_kinds_have_numbers() {
    let trace = trace(&[scripted_event(4096, &[1, 2, 3, 4])]);
    passes(&trace, "4096 info1=1 info2=0x2 context=server");
    passes(&trace, "event.4096 info4=4");
    passes(&trace, "unknown info2>1 core=0");
    // They need not occur.
    let (kind, ..) = position(&trace, "4095 info1=1");
    assert_eq!(kind, DifferenceKind::Other);
    let problem = "no argument is called `sst`";
    assert!(
        spec_error(&trace, "4096 sst=1")
            .to_string()
            .contains(problem)
    );
}
