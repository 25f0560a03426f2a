//! Compresses blocks of packets on worker threads.

use super::message::Message;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// `Trace.packet`.
const PACKET: u32 = 1;
/// `TracePacket.compressed_packets`: a trace, compressed by zlib.
const COMPRESSED: u32 = 50;
/// The maximum number of worker threads: more would wait for the thread that writes
/// the packets.
const MAX_WORKERS: usize = 3;
/// The zlib compression level. Most of the export's time is compression: level 5 makes blocks
/// 18 % smaller and takes almost twice as long, level 1 makes them 29 % larger and takes a quarter
/// less, because packets of slices and of kernel events alternate.
const COMPRESSION_LEVEL: u32 = 2;

/// Compresses blocks of packets and writes them in order.
pub(super) struct BlockCompressor<W: Write> {
    output: W,
    /// The worker threads. Each block goes to a new worker until the maximum is
    /// reached, then to the workers in turn.
    workers: Vec<CompressionWorker>,
    max_workers: usize,
    /// The worker for the next block.
    next_worker: usize,
}

/// A worker thread. It ends when its channel closes.
struct CompressionWorker {
    blocks: SyncSender<Vec<u8>>,
    /// Each block as a packet, and its buffer for reuse.
    packets: Receiver<io::Result<[Vec<u8>; 2]>>,
    is_busy: bool,
}

impl<W: Write> BlockCompressor<W> {
    pub(super) fn new(output: W) -> Self {
        let max_workers = match rtoscope_trace::parallel::threads() {
            1 => 0,
            threads => threads.min(MAX_WORKERS),
        };
        Self {
            output,
            workers: Vec::new(),
            max_workers,
            next_worker: 0,
        }
    }

    /// Queues a block, and returns the buffer of an earlier one for reuse.
    pub(super) fn push(&mut self, mut block: Vec<u8>) -> io::Result<Vec<u8>> {
        if self.max_workers == 0 {
            self.output.write_all(&compress(&block)?)?;
            block.clear();
            return Ok(block);
        }
        if self.workers.len() < self.max_workers {
            self.workers.push(CompressionWorker::start()?);
            self.next_worker = self.workers.len() - 1;
        }
        let free = self.write_compressed()?;
        let Some(worker) = self.workers.get_mut(self.next_worker) else {
            return Ok(free);
        };
        worker.blocks.send(block).map_err(|_| worker_ended())?;
        worker.is_busy = true;
        self.next_worker = (self.next_worker + 1) % self.max_workers;
        Ok(free)
    }

    /// Writes the pending blocks and the last one, and returns the output.
    pub(super) fn finish(mut self, last: &[u8]) -> io::Result<W> {
        for _ in 0..self.workers.len() {
            self.next_worker %= self.workers.len();
            self.write_compressed()?;
            self.next_worker += 1;
        }
        if !last.is_empty() {
            self.output.write_all(&compress(last)?)?;
        }
        self.output.flush()?;
        Ok(self.output)
    }

    /// Writes the compressed block of the next worker, if it has one, and returns
    /// its buffer.
    fn write_compressed(&mut self) -> io::Result<Vec<u8>> {
        let worker = self.workers.get_mut(self.next_worker);
        let Some(worker) = worker.filter(|worker| worker.is_busy) else {
            return Ok(Vec::new());
        };
        worker.is_busy = false;
        let [packet, mut block] = worker.packets.recv().map_err(|_| worker_ended())??;
        self.output.write_all(&packet)?;
        block.clear();
        Ok(block)
    }
}

impl CompressionWorker {
    fn start() -> io::Result<Self> {
        let (blocks, tasks) = sync_channel::<Vec<u8>>(1);
        let (done, packets) = sync_channel(1);
        thread::Builder::new()
            .name("compress".to_owned())
            .spawn(move || {
                for block in tasks {
                    let packet = compress(&block).map(|packet| [packet, block]);
                    if done.send(packet).is_err() {
                        break;
                    }
                }
            })?;
        Ok(Self {
            blocks,
            packets,
            is_busy: false,
        })
    }
}

/// Builds a packet of compressed packets.
fn compress(block: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(COMPRESSION_LEVEL));
    encoder.write_all(block)?;
    let compressed = encoder.finish()?;
    let mut whole = Message::default();
    let packet = whole.open(PACKET);
    whole.bytes(COMPRESSED, &compressed);
    whole.close(packet);
    Ok(whole.0)
}

fn worker_ended() -> io::Error {
    io::Error::other("a compression thread has ended")
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::ZlibDecoder;
    use std::io::Read;

    #[test]
    fn blocks_keep_their_order() {
        for count in 0..9_u8 {
            let mut blocks = BlockCompressor::new(Vec::new());
            let mut expected = Vec::new();
            for number in 0..count {
                let block = vec![number; 1000 * usize::from(count - number)];
                expected.extend(&block);
                assert!(blocks.push(block).unwrap().is_empty());
            }
            expected.extend([99; 5]);
            let output = blocks.finish(&[99; 5]).unwrap();
            let mut rest = output.as_slice();
            let mut all = Vec::new();
            while !rest.is_empty() {
                let zlib = rest.iter().position(|byte| *byte == 0x78).unwrap();
                let mut decoder = ZlibDecoder::new(&rest[zlib..]);
                decoder.read_to_end(&mut all).unwrap();
                rest = &rest[zlib + decoder.total_in() as usize..];
            }
            assert_eq!(all, expected);
        }
    }
}
