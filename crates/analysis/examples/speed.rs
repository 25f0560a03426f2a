//! d
use rtoscope_analysis::{Schedule, Census, Scope};
use rtoscope_decode::threadx;
use std::time::Instant;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let source = rtoscope_decode::source::Source::open(&path).unwrap(); let opened = rtoscope_decode::open(source.input(), Default::default()).unwrap();
    let rec = opened.decode(&threadx::Options::default()).unwrap();
    let trace = &rec.trace;
    for _ in 0..std::env::args().nth(2).map_or(3, |n| n.parse().unwrap()) {
    let t = Instant::now();
    let mut it = threadx::Interpreter::new(trace);
    let s = Schedule::of(trace, &mut it);
    let a = t.elapsed(); let t = Instant::now();
    let c = Census::of(trace, &Scope::default());
    let b = t.elapsed();
    let mut n = 0u64; let t = Instant::now();
    use rtoscope_trace::Interpret;
    let mut it = threadx::Interpreter::new(trace);
    trace.events.visit(0..trace.events.len(), |e| if !matches!(it.act(&e), rtoscope_trace::Act::None) { n += 1; });
    println!("schedule {a:?} census {b:?} acts only {:?} n {n} slices {} stretches {} dispatches {} act {} holds {} transfers {} ev {}", t.elapsed(), s.cores.iter().map(|c| c.all.len()).sum::<usize>(), s.threads.iter().map(Vec::len).sum::<usize>(), s.dispatches.len(), s.activations.len(), s.holds.len(), s.transfers.len(), c.events);
    }
}
