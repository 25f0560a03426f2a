//! Valid sequences, and errors for invalid ones.

use super::*;

fn shown(text: &str) -> String {
    mistake(&trace(&request()), text).to_string()
}

#[test]
fn sequences_are_parsed() {
    let text = "\
        ignore MP QUE*\n\
        only ao=server # a comment\n\
        never \"SM STATE\" nxtst=busy\n\
        3x SM.TRN sst=idle ...\n\
        within 200 ticks\n\
        ...\n\
        never SMA.*\n\
        SM.STATE ...\n\
        ...\n";
    let sequence = parse(text);
    let counts: Vec<_> = sequence.steps.iter().map(|step| step.count).collect();
    assert_eq!(counts, [3, 1]);
    assert_eq!((sequence.only.len(), sequence.never.len()), (1, 1));
    let last = &sequence.steps[1].before;
    assert!(last.any && last.within.is_some() && last.never.len() == 1);
    assert!(sequence.after_last.any);
    assert_eq!(Sequence::parse("x\nSM.TRN y", 40).unwrap_err().line, 41);
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
            "line 1: nothing is expected; expected a line such as `SM.TRN sst=idle`, or `...` if any records may occur\n  \n  ^",
        ),
        (
            "ignore MP\n# x",
            "line 2: nothing is expected; expected a line such as `SM.TRN sst=idle`, or `...` if any records may occur\n  # x\n  ^",
        ),
        (
            "after SM.TRN\nSM.STATE\nnever SMA",
            "line 3: `never` after the last expectation needs `until`: an occurrence ends with its last expectation\n  never SMA\n        ^^^",
        ),
        (
            "SM.TRN\nonly ao=server",
            "line 2: `only` applies to a whole occurrence; expected it before the first expectation\n  only ao=server\n  ^^^^",
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
    let text = mistake(&trace, "\"S?.TRN\"").to_string();
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
    assert!(mistake(&trace, "4096 sst=1").to_string().contains(problem));
}
