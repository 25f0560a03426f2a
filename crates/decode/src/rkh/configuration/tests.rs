use super::*;
use rtoscope_wire::rkh::Dialect;

const NAT: &str = "# of a firmware\nTRAZER_EN_SENDER=1\nTRAZER_EN_RQ = 1  # shown\n\
    TRAZER_SIZEOF_SIG=2\nTRAZER_SIZEOF_TSTAMP=2\nTRAZER_EN_TSTAMP=1\nTRAZER_EN_NSEQ=0\n\
    #!TRAZER_RQ_EN_GET_LWMARK=1\n#!X_SIZEOF_FUN_POINTER=2\n#!X_NOT_OURS=2\n";

fn message(text: &str, name: &str) -> String {
    parse(text.as_bytes(), name).unwrap_err().to_string()
}

#[test]
fn the_host_tools_own_file_is_read() {
    let given = parse(NAT.as_bytes(), "trazer.cfg").unwrap();
    let expected = StreamConfiguration {
        sender: true,
        signal: FieldWidth::Two,
        timestamp: Some(FieldWidth::Two),
        sequence: false,
        queue_low_water: true,
        function: FieldWidth::Two,
        ..StreamConfiguration::default()
    };
    assert_eq!(given.configuration, expected);
    assert_eq!(given.function_width, Some(FieldWidth::Two));
    assert_eq!(parse(NAT.as_bytes(), "-"), Ok(given));
    let long = format!("#{}\nTRAZER_EN_CHK=0\n", "-".repeat(100_000));
    let given = parse(long.as_bytes(), "trazer.cfg").unwrap();
    assert!(!given.configuration.checksum);
    assert_eq!(given.function_width, None);
}

#[test]
fn what_the_host_tool_names_but_rejects_is_read() {
    let text = "TRAZER_RQ_EN_GET_LWMARK=1\nTRAZER_MP_EN_GET_LWM=1\nTRAZER_SIZEOF_BSIZE=4\n\
        TRAZER_MAX_EPOOL=3\nTRAZER_EN_QUE=1\n";
    let configuration = parse(text.as_bytes(), "trazer.cfg").unwrap().configuration;
    assert!(configuration.queue_low_water && configuration.pool_low_water);
    assert_eq!(configuration.block_size, FieldWidth::Four);
}

#[test]
fn json_and_toml_say_the_same() {
    let json = br#"{"name": "x", "decoder": {"nseq": 1, "tssize": 2, "tstamp": 1, "sig": 4}}"#;
    let toml = b"tssize = 2\nsig = 4\nnseq = true\nrkh = \"3.4.00\"\n";
    let table = b"[decoder]\ntssize = 2\nsig = 4\n";
    let given = parse(json, "x.json").unwrap();
    assert_eq!(given.configuration.timestamp, Some(FieldWidth::Two));
    assert_eq!(given.configuration.signal, FieldWidth::Four);
    assert_eq!(parse(toml, "x.toml"), Ok(given));
    assert_eq!(parse(table, "-"), Ok(given));
    assert_eq!(parse(br#"{"tssize": 2, "sig": "4"}"#, "-"), Ok(given));
    let without = parse(br#"{"tstamp": 0, "tssize": 0}"#, "-").unwrap();
    assert_eq!(without.configuration.timestamp, None);
}

#[test]
fn versions_have_dialects() {
    let dialect = |version: &str| {
        let text = format!("rkh = \"{version}\"\n");
        parse(text.as_bytes(), "x.toml")
            .map(|given| given.configuration.dialect)
            .ok()
    };
    for (version, expected) in [
        ("2.2.1", Dialect::Flat),
        ("2.3", Dialect::V2_3),
        ("2.4", Dialect::V2_3),
        ("2.4.03", Dialect::V2_4_3),
        ("2.4.4", Dialect::V2_4_4),
        ("2.4.06", Dialect::V2_4_5),
        ("v3.4.00", Dialect::V3),
    ] {
        assert_eq!(dialect(version), Some(expected), "{version}");
    }
    for wrong in ["", "4.0", "1.1.3", "2.4.0.3", "x"] {
        assert_eq!(dialect(wrong), None, "{wrong}");
    }
    for dialect in Dialect::ALL {
        let text = format!("rkh = \"{}\"\n", dialect.name());
        let given = parse(text.as_bytes(), "x.toml").unwrap();
        assert_eq!(given.configuration.dialect, dialect);
    }
}

#[test]
fn mistakes_are_said_with_their_line() {
    for (text, name, expected) in [
        (
            "\n# x\nTRAZER_EN_X=1\n",
            "a.cfg",
            "line 3: there is no setting \"TRAZER_EN_X\"",
        ),
        (
            "TRAZER_EN_CHK\n",
            "a.cfg",
            "line 1: \"TRAZER_EN_CHK\" is not a setting, expected KEY = number",
        ),
        (
            "TRAZER_EN_CHK=yes\n",
            "a.cfg",
            "line 1: yes is not a value of TRAZER_EN_CHK, expected a number",
        ),
        ("TRAZER_SIZEOF_SIG=3\n", "a.cfg", "line 1: sig is a size"),
        ("# nothing\n", "a.cfg", "it contains no setting"),
        ("nseq = 1\nsig = 3\n", "a.toml", "line 2: sig is a size"),
        (
            "nseq = 1\nsigs = 1\n",
            "a.toml",
            "line 2: there is no setting \"sigs\"",
        ),
        ("nseq = 1\nsig =\n", "a.toml", "line 2: "),
        (
            "nseq = 1\nsig = 1.5\n",
            "a.toml",
            "line 2: 1.5 is not a value of sig",
        ),
        ("{\"nseq\": 2}", "a.json", "nseq is a switch"),
        ("{\"nseq\": 1,}", "a.json", "line 1: "),
        ("[1]", "a.json", "it contains no setting"),
        ("{\"sig\": -1}", "a.json", "-1 is not a value of sig"),
    ] {
        let message = message(text, name);
        assert!(message.starts_with(expected), "{message}");
    }
    let error = parse(b"a=1\n\xFF\n", "a.cfg").unwrap_err();
    assert_eq!(
        (error.line, error.problem),
        (Some(2), ConfigurationProblem::NotText)
    );
}
