//! Work that one thread produces and another consumes.

use std::sync::mpsc::{channel, sync_channel};
use std::thread;

/// Maximum number of batches in the channel.
const MAX_PENDING_BATCHES: usize = 8;

/// Replaces the content of batches until `produce` returns `false`, and consumes them in
/// order. Uses two threads with the feature `parallel`, if the platform has threads.
pub(crate) fn run<B: Default + Send>(
    mut produce: impl FnMut(&mut B) -> bool + Send,
    mut consume: impl FnMut(&B),
) {
    if !cfg!(feature = "parallel") || !run_on_two_threads(&mut produce, &mut consume) {
        run_on_one_thread(produce, consume);
    }
}

/// The same on the caller's thread.
pub(crate) fn run_on_one_thread<B: Default>(
    mut produce: impl FnMut(&mut B) -> bool,
    mut consume: impl FnMut(&B),
) {
    let mut batch = B::default();
    while produce(&mut batch) {
        consume(&batch);
    }
}

/// Returns `false`, having done nothing, if no thread can be started.
fn run_on_two_threads<B: Default + Send>(
    produce: &mut (impl FnMut(&mut B) -> bool + Send),
    consume: &mut impl FnMut(&B),
) -> bool {
    let (sender, batches) = sync_channel(MAX_PENDING_BATCHES);
    let (used, free) = channel::<B>();
    thread::scope(|scope| {
        let producer = thread::Builder::new().spawn_scoped(scope, move || {
            loop {
                let mut batch = free.try_recv().unwrap_or_default();
                if !produce(&mut batch) || sender.send(batch).is_err() {
                    break;
                }
            }
        });
        let Ok(producer) = producer else {
            return false;
        };
        for batch in batches {
            consume(&batch);
            // At the end the producer no longer takes batches back.
            let _ = used.send(batch);
        }
        if let Err(panic) = producer.join() {
            std::panic::resume_unwind(panic);
        }
        true
    })
}
