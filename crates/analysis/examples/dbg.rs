//! d
use rtoscope_analysis::{Schedule, schedule::*};
use rtoscope_decode::threadx;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let source = rtoscope_decode::source::Source::open(&path).unwrap();
    let opened = rtoscope_decode::open(source.input(), Default::default()).unwrap();
    let rec = opened.decode(&threadx::Options::default()).unwrap();
    let trace = &rec.trace;
    let mut it = threadx::Interpreter::new(trace);
    let s = Schedule::of(trace, &mut it);
    println!("{path} span {} events {}", s.span, trace.events.len());
    for c in &s.cores {
        let mut tot = std::collections::BTreeMap::new();
        let mut sum = 0;
        for (sl, end) in c.iter() {
            let key = match sl.who.executing() {
                Executing::Thread(t) => trace.context_name(t),
                Executing::Isr(a) => format!("isr {:?}", s.activations[a.index()].number),
                o => format!("{o:?}"),
            };
            *tot.entry(key).or_insert(0u64) += end.0 - sl.start.0;
            sum += end.0 - sl.start.0;
        }
        println!("core {} sum {sum} {}: {tot:?}", c.core, sum == s.span.0);
    }
    let mut d = std::collections::BTreeMap::new();
    let mut causes = std::collections::BTreeMap::new();
    for x in &s.dispatches {
        *d.entry(trace.context_name(x.thread)).or_insert(0) += 1;
        *causes.entry(format!("{:?}", x.cause)).or_insert(0) += 1;
    }
    println!("dispatches {} {d:?}", s.dispatches.len());
    println!(
        "switches {} causes {causes:?}",
        s.dispatches.iter().filter(|d| d.is_switch()).count()
    );
    let mut isr = std::collections::BTreeMap::new();
    for a in &s.activations {
        *isr.entry((a.number, a.depth, a.is_whole())).or_insert(0) += 1;
    }
    println!("isrs {isr:?}");
    for i in &s.inversions {
        println!(
            "inv {} by {} owners {:?} get {:?} {:?}..{:?} {:?} unb {:?} {:?}",
            trace.context_name(i.blocked),
            i.blocked_priority,
            i.owners
                .iter()
                .map(|o| trace.context_name(*o))
                .collect::<Vec<_>>(),
            i.get.map(|e| e.0),
            i.first.map(|e| e.0),
            i.last.map(|e| e.0),
            i.ending,
            i.unbounded(),
            i.culprits
                .iter()
                .map(|c| trace.context_name(c.thread))
                .collect::<Vec<_>>()
        );
    }
    let mut dis = std::collections::BTreeMap::new();
    for d in &s.displacements {
        *dis.entry(format!("{:?}", d.cause)).or_insert(0) += 1;
    }
    println!("preempt {dis:?}");
    println!("holds {} transfers {}", s.holds.len(), s.transfers.len());
    if std::env::args().nth(2).is_some() {
        for x in &s.dispatches {
            println!(
                "  {} @{} {} <- {} {:?} core {}",
                x.event,
                x.time,
                trace.context_name(x.thread),
                trace.context_name(x.before),
                x.cause,
                x.core
            );
        }
    }
}
