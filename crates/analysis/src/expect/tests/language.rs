//! Valid specs, and errors for invalid ones.

use super::*;

fn shown(text: &str) -> String {
    spec_error(&trace(&request()), text).to_string()
}

#[test]
fn a_spec_is_read() {
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
fn every_line_ending_is_one() {
    let trace = trace(&request());
    for text in ["\u{feff}...\n", "...\r\n", "# x\r\n\r\n ... # y"] {
        passes(&trace, text);
    }
}

#[test]
fn mistakes_are_placed() {
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
            "line 1: the line ends here; expected a name\n  test\n      ^",
        ),
        (
            "test a b\n...",
            "line 1: `b` cannot stand here; expected the end of the line\n  test a b\n         ^",
        ),
        (
            "test a=b\n...",
            "line 1: `b` cannot stand here; expected a name\n  test a=b\n         ^",
        ),
        (
            "test a\nonly MP\ntest b\n...",
            "line 1: the test expects nothing; expected an expectation, or `...` if any records may come\n  test a\n  ^^^^",
        ),
        (
            "SM.TRN\nonly ao=server",
            "line 2: `only` holds for a whole test; expected it in front of the test's first expectation\n  only ao=server\n  ^^^^",
        ),
        (
            "from SM.TRN\nafter SM.TRN\n...",
            "line 2: `after` cannot stand here; expected one `after` or `from`\n  after SM.TRN\n  ^^^^^",
        ),
        (
            "until SM.TRN\nuntil SM.TRN\n...",
            "line 2: `until` cannot stand here; expected one `until`\n  until SM.TRN\n  ^^^^^",
        ),
        (
            "ignore\n...",
            "line 1: the line ends here; expected names of kinds or groups\n  ignore\n        ^",
        ),
        (
            "ignore MP ao=1\n...",
            "line 1: `ao=1` cannot stand here; expected names of kinds or groups\n  ignore MP ao=1\n            ^^^^",
        ),
        (
            "never",
            "line 1: the line ends here; expected the name of a kind or a group\n  never\n       ^",
        ),
        (
            "never ...",
            "line 1: `...` cannot stand here; expected an argument such as `ao=server`\n  never ...\n        ^^^",
        ),
        (
            "within 5",
            "line 1: `5` cannot stand here; expected a time such as `5ms` or `200 ticks`\n  within 5\n         ^",
        ),
        (
            "within 5 min",
            "line 1: `5 min` cannot stand here; expected a time such as `5ms` or `200 ticks`\n  within 5 min\n         ^^^^^",
        ),
        (
            "within 5 ticks\nwithin 5 ticks",
            "line 2: `within 5 ticks` cannot stand here; expected one `within` in front of an expectation\n  within 5 ticks\n  ^^^^^^^^^^^^^^",
        ),
        (
            "SM.TRN\nwithin 1 tick\n...",
            "line 2: no expectation follows this time; expected the expectation that it is for\n  within 1 tick\n  ^^^^^^^^^^^^^",
        ),
        (
            "0x SM.TRN",
            "line 1: `0x` cannot stand here; expected a number from `1x` to `4294967295x`\n  0x SM.TRN\n  ^^",
        ),
        (
            "3x",
            "line 1: the line ends here; expected the name of a kind or a group\n  3x\n    ^",
        ),
        (
            "ao=server",
            "line 1: `ao=server` cannot stand here; expected the name of a kind or a group in front of the arguments\n  ao=server\n  ^^^^^^^^^",
        ),
        (
            "SM.TRN ao",
            "line 1: `ao` cannot stand here; expected an argument such as `ao=server`\n  SM.TRN ao\n         ^^",
        ),
        (
            "SM.TRN ... ao=server",
            "line 1: `...` cannot stand here; expected an argument such as `ao=server`\n  SM.TRN ... ao=server\n         ^^^",
        ),
        (
            "SM.TRN =x",
            "line 1: something is missing here; expected a name\n  SM.TRN =x\n         ^",
        ),
        (
            "... SM.TRN",
            "line 1: `SM.TRN` cannot stand here; expected the end of the line\n  ... SM.TRN\n      ^^^^^^",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(shown(text), expected, "{text}");
    }
    let long = format!("SM.TRN {}", "x".repeat(70_000));
    assert!(shown(&long).starts_with("line 1: the line has 70007 bytes; expected at most 65536"));
}

#[test]
fn names_that_nothing_has_are_mistakes() {
    let cases = [
        (
            "SM.TRM",
            "line 1: no kind of event and no group is called `SM.TRM`; did you mean SM.TRN?\n  SM.TRM\n  ^^^^^^",
        ),
        (
            "ignore fvk\n...",
            "line 1: no kind of event and no group is called `fvk`; did you mean fwk?\n  ignore fvk\n         ^^^",
        ),
        (
            "ZZ.*",
            "line 1: no kind of event and no group is called `ZZ.*`; expected a name that `rtoscope catalogue` lists\n  ZZ.*\n  ^^^^",
        ),
        (
            "SM.TRN src=idle",
            "line 1: `SM.TRN` has no argument `src`; expected ao, sst, tst, context\n  SM.TRN src=idle\n         ^^^",
        ),
        (
            "SM.TRN sst=* sst=*",
            "line 1: there are no more than 1 arguments `sst`; expected ao, sst, tst, context\n  SM.TRN sst=* sst=*\n               ^^^",
        ),
        (
            "only sigg=1\n...",
            "line 1: no kind of event has an argument `sigg`; did you mean sig?\n  only sigg=1\n       ^^^^",
        ),
        (
            "only sst=* nfree=1\n...",
            "line 1: no kind of event has all these arguments; expected arguments that are of one kind\n  only sst=* nfree=1\n       ^^^^^^^^^^^^^",
        ),
        (
            "SM.TRN sst=idel",
            "line 1: nothing that `sst` can be is called `idel`; did you mean idle?\n  SM.TRN sst=idel\n             ^^^^",
        ),
        (
            "SM.EXE_ACT type=entri",
            "line 1: nothing that `type` can be is called `entri`; did you mean entry?\n  SM.EXE_ACT type=entri\n                  ^^^^^",
        ),
        (
            "SM.TRN context=servr",
            "line 1: nothing that `context` can be is called `servr`; did you mean server?\n  SM.TRN context=servr\n                 ^^^^^",
        ),
        (
            "SM.TRN sst=server",
            "line 1: nothing that `sst` can be is called `server`; expected a name as the trace shows it, a number or a pattern\n  SM.TRN sst=server\n             ^^^^^^",
        ),
        (
            "USR.0 u16=x",
            "line 1: nothing that `u16` can be is called `x`; expected a name as the trace shows it, a number or a pattern\n  USR.0 u16=x\n            ^",
        ),
        (
            "USR.0 u17=1",
            "line 1: `USR.0` has no argument `u17`; expected i8, u8, i16, u16, i32, u32, x32, str, mem, obj, fun, sig, context\n  USR.0 u17=1\n        ^^^",
        ),
        (
            "within 1ms\nSM.TRN",
            "line 1: the frequency of the trace's clock is not known; expected a number of ticks, or a frequency that is given\n  within 1ms\n  ^^^^^^^^^^",
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
    assert!(text.starts_with("line 1: no kind of event and no group is called `S?.TRN`"));
}

#[test]
fn unknown_kinds_go_by_number() {
    let trace = trace(&[scripted_event(4096, &[1, 2, 3, 4])]);
    passes(&trace, "4096 info1=1 info2=0x2 context=server");
    passes(&trace, "event.4096 info4=4");
    passes(&trace, "unknown");
    // They need not occur.
    let (kind, ..) = place(&trace, "4095 info1=1");
    assert_eq!(kind, DifferenceKind::Other);
    let problem = "`4096` has no argument `sst`; expected info1, info2, info3, info4, context";
    assert!(
        spec_error(&trace, "4096 sst=1")
            .to_string()
            .contains(problem)
    );
}
