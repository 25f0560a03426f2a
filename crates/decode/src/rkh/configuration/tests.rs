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
    let same = |text: &[u8], name| parse(text, name).unwrap().configuration == given.configuration;
    assert!(same(toml, "x.toml"));
    assert_eq!(given.given, ["nseq", "tstamp", "tssize", "sig"]);
    assert!(same(table, "-"));
    assert!(same(br#"{"tssize": 2, "sig": "4"}"#, "-"));
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

/// As in a port's and a project's header, with the conditions that both may have.
const HEADER: &[u8] = b"\
/* Configuration of RKH. #define RKH_CFG_FWK_SIZEOF_EVT 32u */
#ifndef __RKHCFG_H__
#define __RKHCFG_H__
#include \"rkhdef.h\"
#define WIDE            (BYTE * 2u) // bits
#define BYTE            8u
#define RKH_CFG_TRC_NSEQ_EN     RKH_ENABLED
#define RKH_CFG_TRC_CHK_EN      RKH_DISABLED
#define RKH_CFG_TRC_TSTAMP_EN \\
        RKH_ENABLED
#define RKH_CFGPORT_TRC_SIZEOF_TSTAMP 16u /* two
    bytes */
#if defined(BYTE) && RKH_CFG_TRC_NSEQ_EN == RKH_ENABLED
# define RKH_CFG_FWK_SIZEOF_EVT  WIDE
#elif 1
# error \"no\"
#else
# define RKH_CFG_FWK_SIZEOF_EVT  8
#endif
#if 0
# if 1
#  define RKH_CFG_TMR_SIZEOF_NTIMER 8
# else
#  define RKH_CFG_TMR_SIZEOF_NTIMER 8
# endif
#else
# define RKH_CFG_TMR_SIZEOF_NTIMER 32
#endif
#define RKH_CFG_QUE_GET_LWMARK_EN 1
#define RKH_CFG_FWK_MAX_SMA 4
#endif
";

#[test]
fn a_firmwares_header_is_read() {
    for name in ["rkhcfg.h", "-"] {
        let parsed = parse(HEADER, name).unwrap();
        let expected = StreamConfiguration {
            checksum: false,
            timestamp: Some(FieldWidth::Two),
            signal: FieldWidth::Two,
            timer_ticks: FieldWidth::Four,
            queue_low_water: true,
            ..StreamConfiguration::default()
        };
        assert_eq!(parsed.configuration, expected);
        assert_eq!(parsed.function_width, None);
        let given = ["nseq", "tstamp", "tssize", "chk", "sig", "ntimer", "quelwm"];
        assert_eq!(parsed.given, given);
    }
}

#[test]
fn impossible_headers_are_rejected_with_their_lines() {
    let error = |text: &str| parse(text.as_bytes(), "rkhcfg.h").unwrap_err().to_string();
    assert_eq!(
        error("\n#define RKH_CFG_FWK_SIZEOF_EVT 24u\n"),
        "line 2: 24 is not a value of RKH_CFG_FWK_SIZEOF_EVT, expected 8, 16 or 32 bits"
    );
    assert_eq!(
        error("#define RKH_CFG_TRC_NSEQ_EN ON\n"),
        "line 1: ON is not a value of RKH_CFG_TRC_NSEQ_EN, expected a number"
    );
    assert!(error("#if f(x)\n#endif\n").starts_with("line 1: "));
    assert!(error("#endif\n").starts_with("line 1: "));
    assert_eq!(
        error("#define OTHER 1\n"),
        "it contains no setting of a stream"
    );
}

/// What a compiler makes of `-g3`, in all forms of macro sections.
#[test]
fn macros_of_an_elf_file_are_read() {
    let expected = parse(HEADER, "rkhcfg.h").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let header = folder.path().join("rkhcfg.h");
    let text = String::from_utf8_lossy(HEADER).replace("#include \"rkhdef.h\"", "");
    let source = folder.path().join("main.c");
    std::fs::write(&header, text).unwrap();
    std::fs::write(
        &source,
        "#define RKH_DISABLED 0u\n#define RKH_ENABLED 1u\n#include \"rkhcfg.h\"\nint x;\n",
    )
    .unwrap();
    let compile = |options: &[&str], name: &str| {
        let output = folder.path().join(name);
        let mut gcc = std::process::Command::new("gcc");
        gcc.arg("-w")
            .args(options)
            .arg(&source)
            .arg("-o")
            .arg(&output);
        let compiled = gcc.status().is_ok_and(|status| status.success());
        compiled.then(|| std::fs::read(output).unwrap())
    };
    for options in [
        &["-g3", "-gdwarf-5"][..],
        &["-g3", "-gdwarf-4"],
        &["-g3", "-gdwarf-4", "-gstrict-dwarf"],
    ] {
        // Linked, because references in object files are not relocated.
        let options = [options, &["-nostdlib", "-shared", "-fPIC"]].concat();
        let Some(elf) = compile(&options, "main.so") else {
            // Without a compiler.
            return;
        };
        assert_eq!(read(&elf, "main.so").as_ref(), Ok(&expected), "{options:?}");
    }
    let without = compile(&["-g", "-nostdlib", "-shared", "-fPIC"], "plain.so").unwrap();
    let error = read(&without, "plain.so").unwrap_err().to_string();
    assert!(error.contains("-g3"), "{error}");
}
