//! Schedules of recordings with gaps, against those of the complete ones.

use super::*;

/// The slices of a core, without activation numbers, which depend on earlier
/// events.
fn executed(schedule: &Schedule, slices: &CoreSlices) -> Vec<(u64, u64, String)> {
    let named = |running| match running {
        RunningContext::Isr(id) => format!(
            "ISR {:?}",
            schedule.activations.get(id.index()).unwrap().number
        ),
        other => format!("{other:?}"),
    };
    let mut all: Vec<(u64, u64, String)> = Vec::new();
    for (slice, end) in slices.iter() {
        let who = named(slice.running.running_context());
        match all.last_mut() {
            Some(last) if last.2 == who => last.1 = end.0,
            _ => all.push((slice.start.0, end.0, who)),
        }
    }
    all
}

/// The intersections of the slices of both, with the contexts of each.
fn side_by_side(
    one: &[(u64, u64, String)],
    other: &[(u64, u64, String)],
) -> Vec<(u64, u64, String, String)> {
    let mut parts = Vec::new();
    let mut rest = other;
    for (start, end, who) in one {
        // Slices are in order and do not overlap.
        rest = &rest[rest.partition_point(|(_, end, _)| end <= start)..];
        for (other_start, other_end, other_who) in rest {
            let (from, to) = (*start.max(other_start), *end.min(other_end));
            if from >= to {
                break;
            }
            parts.push((from, to, who.clone(), other_who.clone()));
        }
    }
    parts
}

#[test]
fn only_time_across_gaps_becomes_unknown() {
    let mut random = RandomNumbers(99);
    let mut gaps = 0;
    for file in files() {
        let mut trace = file.trace();
        if trace.cores.len() > 1 || trace.events.len() < 20 {
            continue;
        }
        let whole = schedule(&trace);
        let known = executed(&whole, &whole.cores[0]);
        for _ in 0..12 {
            let index = 1 + random.below(trace.events.len() - 1);
            let [from, to] = [index - 1, index].map(|index| event(&trace, index).time.0);
            // After a gap it is not known which ISRs an interrupt has
            // interrupted. A gap within a tick has no duration.
            if event(&trace, index).context <= Contexts::IDLE || from == to {
                continue;
            }
            gaps += 1;
            trace.gaps = vec![gap(index as u32)];
            let parted = schedule(&trace);
            check_slices(&file.name, &trace, &parted);
            let found = executed(&parted, &parted.cores[0]);
            for (start, end, was, is) in side_by_side(&known, &found) {
                let what = format!("{} before event {index}: {start} to {end}", file.name);
                if from <= start && end <= to {
                    assert_eq!(is, "Unknown", "in the gap of {what}");
                } else {
                    assert!(start >= to || end <= from, "across the gap of {what}");
                    assert_eq!(is, was, "beside the gap of {what}");
                }
            }
        }
        check(&file.name, &analyze(&trace), &Scope::default());
    }
    assert!(gaps > 150, "{gaps} gaps");
}

#[test]
fn no_context_is_known_across_a_gap_on_any_core() {
    let mut trace = file("smp32_cores").trace();
    let count = trace.events.len() as u32;
    for index in (1..count).step_by(97) {
        trace.gaps = vec![gap(index)];
        let schedule = schedule(&trace);
        check_slices("smp32_cores", &trace, &schedule);
        let index = index as usize;
        let [from, to] = [index - 1, index].map(|index| event(&trace, index).time.0);
        for slices in &schedule.cores {
            for (slice, end) in slices.iter() {
                let crosses = slice.start.0 < to && from < end.0;
                let unknown = slice.running.running_context() == RunningContext::Unknown;
                assert!(!crosses || unknown, "core {} at {index}", slices.core);
            }
        }
        for intervals in &schedule.threads {
            let before = |time| intervals.partition_point(|it| it.start.0 <= time);
            let mut states = intervals.range(before(from).max(1) - 1..before(to.max(1) - 1));
            let known =
                states.find(|it| it.state != rtoscope_analysis::schedule::ThreadState::Unknown);
            assert!(from == to || known.is_none(), "{known:?} before {index}");
        }
    }
    check("smp32_cores", &analyze(&trace), &Scope::default());
}

#[test]
fn schedules_with_gaps_agree_with_the_complete_one() {
    let hex = fs::read_to_string(testdata("threadx/derived_cm3_short.hex")).unwrap();
    let lines: Vec<&str> = hex.lines().collect();
    let trace = decode(hex.as_bytes()).unwrap();
    let whole = schedule(&trace);
    let truth = executed(&whole, &whole.cores[0]);
    let mut random = RandomNumbers(5);
    let mut lost = 0;
    for _ in 0..70 {
        // The ring follows the header and the registry.
        let line = lines.len() / 20 + random.below(lines.len() * 9 / 10);
        let mut rest = lines.clone();
        rest.remove(line);
        let Ok(damaged) = decode(rest.join("\n").as_bytes()) else {
            continue;
        };
        let [gap] = damaged.gaps[..] else { continue };
        lost += 1;
        let at = gap.next_event.index();
        // Times count from the first event, which is still there.
        assert!(
            damaged
                .events
                .times()
                .take(at)
                .eq(trace.events.times().take(at))
        );
        assert_eq!(damaged.events.span(), trace.events.span());
        let parted = schedule(&damaged);
        check_slices("a gap", &damaged, &parted);
        let found = executed(&parted, &parted.cores[0]);
        let [from, to] = [at - 1, at].map(|index| event(&damaged, index).time.0);
        for (start, end, is, was) in side_by_side(&found, &truth) {
            if from <= start && end <= to {
                assert_eq!(is, "Unknown", "{start} to {end}, line {line}");
            } else if is != "Unknown" && !is.starts_with("ISR") {
                assert_eq!(is, was, "{start} to {end}, line {line}");
            }
        }
        let document = check("a gap", &analyze(&damaged), &Scope::default());
        let health = document.health.unwrap();
        assert_eq!(health.gaps.len(), 1);
        assert_eq!(health.gaps[0].before_event, gap.next_event.0);
    }
    assert!(lost >= 20, "{lost} of them lost events");
}

/// States contradict each other only if the target's filter suppressed records.
#[test]
fn complete_recordings_do_not_contradict_themselves() {
    for file in files() {
        let schedule = schedule(&file.trace());
        if schedule.unrecorded == 0 {
            assert_eq!(schedule.contradictions, [], "{}", file.name);
        }
    }
}
