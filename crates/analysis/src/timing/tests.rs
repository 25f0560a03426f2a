use super::*;

const FILE: &str = r#"
[[hardware]]
name = "blitter"
kick = 'kind == "kick"'
done_isr = "blit_isr"

[[slots]]
name = "1080p"
anchor = 'kind == "frame"'
cycle = "33.3ms"
slots = [{ subject = "blitter", offset = "0 ticks", length = "1200 ticks" }]
"#;

#[test]
fn a_file_declares_hardware_and_slots() {
    let file = TimingDeclarations::parse(FILE).unwrap();
    let [hardware] = &file.hardware[..] else {
        panic!("{:?}", file.hardware);
    };
    assert_eq!((hardware.name.as_str(), hardware.line), ("blitter", 3));
    assert!(matches!(&hardware.done, DoneSource::Isr(isr) if isr == "blit_isr"));
    let [schedule] = &file.schedules[..] else {
        panic!("{:?}", file.schedules);
    };
    let cycle = rtoscope_trace::Nanoseconds(33_300_000);
    assert_eq!(schedule.cycle, DeclaredDuration::Time(cycle));
    assert_eq!(schedule.slots[0].length, DeclaredDuration::Ticks(1200));
    assert!(TimingDeclarations::parse("").unwrap().hardware.is_empty());
}

#[test]
fn mistakes_have_lines() {
    let error = |from: &str, to: &str| {
        let text = FILE.replace(from, to);
        TimingDeclarations::parse(&text).unwrap_err().to_string()
    };
    assert_eq!(
        error("done_isr = \"blit_isr\"\n", ""),
        "line 3: hardware needs either `done` or `done_isr`"
    );
    assert_eq!(
        error("33.3ms", "33.3"),
        "line 10: expected a duration such as 33.3ms, 500us or 1200 ticks, found \"33.3\""
    );
    assert!(error("kind == \"kick\"", "event ==").starts_with("line 4: "));
    assert!(error("cycle", "cycles").starts_with("line 10: "));
}
