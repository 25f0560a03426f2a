/** Decoder of the binary lane answer; crates/session/src/lanes documents the format. */

/** Marks the absence of a context, object or resource. */
export const NONE = 0xffffffff;
const NOT_LISTED = 0xffffffff;
const MAGIC = 0x334c5452;

/** Event numbers; floating point where a long recording exceeds 32 bits. */
export type EventNumbers = Uint32Array | Float64Array;

/** Single bars. Positions are pixels of the queried window. */
export interface ListedBars {
  listed: true;
  start: Float32Array;
  end: Float32Array;
  event: EventNumbers;
  subject: Uint32Array;
  class: Uint8Array;
  /** Texts of wide bars by their places. */
  labels: ReadonlyMap<number, string>;
}

/** Bars by pixel, where there are too many to list. */
export interface BinnedBars {
  listed: false;
  /** Class with the largest share of the pixel. */
  class: Uint8Array;
  /** Share of the pixel during which it runs, 0 to 255. */
  busy: Uint8Array;
  /** Cores only: share of the pixel during which interrupts run. */
  isr: Uint8Array | null;
}

/** Single events. */
export interface ListedEvents {
  listed: true;
  x: Float32Array;
  event: EventNumbers;
  /** Position among the overview's kinds. */
  kind: Uint32Array;
}

/** Steps of a density for each doubling of the number of events. */
const STEPS_PER_DOUBLING = 7.9;

/** Binary logarithm of the number of events of a density greater than zero, 0 to 32. */
export function doublingsOf(density: number): number {
  return (density - 1) / STEPS_PER_DOUBLING;
}

/** Density of events in each pixel, on a logarithmic scale: {@link doublingsOf} decodes it. */
export interface BinnedEvents {
  listed: false;
  density: Uint8Array;
}

/** Contents of one lane. */
export interface LaneContents {
  lane: number;
  bars: ListedBars | BinnedBars;
  events: ListedEvents | BinnedEvents;
  /** 1 for each pixel with a search hit; `null` without a search. */
  hits: Uint8Array | null;
}

/** Context switches of the cores. */
export interface Switches {
  x: Float32Array;
  from: Uint32Array;
  to: Uint32Array;
  event: EventNumbers;
}

/** From the event that woke a thread to its dispatch. */
export interface Wakes {
  x0: Float32Array;
  x1: Float32Array;
  waker: Uint32Array;
  thread: Uint32Array;
  cause: EventNumbers;
  effect: EventNumbers;
}

/** Priority inversions. */
export interface Inversions {
  x0: Float32Array;
  x1: Float32Array;
  number: Uint32Array;
  blocked: Uint32Array;
  owner: Uint32Array;
  /** 0 no, 1 yes, 2 unknown. */
  unbounded: Uint32Array;
}

/**
 * Inversions that are too close to each other to list: the sum of the parts of each pixel during
 * which they last, 255 for the whole pixel and more.
 */
export interface InversionShares {
  /** The blocked thread or the owner of the mutex; {@link NONE} for all together. */
  context: number;
  bounded: Uint8Array;
  unbounded: Uint8Array;
}

/** Positions where events are missing. */
export interface Gaps {
  x: Float32Array;
  event: EventNumbers;
}

/** Contents of the lanes in a window. A list is `null` if it would be too long. */
export interface LanesAnswer {
  width: number;
  start: number;
  end: number;
  lanes: LaneContents[];
  switches: Switches | null;
  wakes: Wakes | null;
  inversions: Inversions | null;
  gaps: Gaps | null;
  inversionShares: InversionShares[];
  /** 1 for each pixel with a search hit; `null` without a search. */
  hits: Uint8Array | null;
  /** Size of the answer in bytes. */
  bytes: number;
}

const UTF_8 = new TextDecoder();

class Reader {
  private at = 0;
  private readonly view: DataView;
  /** Number of the event from which events count. */
  base = 0;

  constructor(private readonly buffer: ArrayBuffer) {
    this.view = new DataView(buffer);
  }

  word(): number {
    const word = this.view.getUint32(this.at, true);
    this.at += 4;
    return word;
  }

  double(): number {
    const double = this.view.getFloat64(this.at, true);
    this.at += 8;
    return double;
  }

  words(count: number): Uint32Array {
    const words = new Uint32Array(this.buffer, this.at, count);
    this.at += 4 * count;
    return words;
  }

  events(count: number): EventNumbers {
    const own = this.words(count);
    return this.base === 0 ? own : Float64Array.from(own, (event) => event + this.base);
  }

  floats(count: number): Float32Array {
    const floats = new Float32Array(this.buffer, this.at, count);
    this.at += 4 * count;
    return floats;
  }

  /** A value for each pixel, plain or run-length encoded. */
  layer(width: number): Uint8Array {
    const runs = this.word();
    if (runs === 0) return this.bytes(width);
    const lengths = new Uint16Array(this.buffer, this.at, runs);
    this.at += (2 * runs + 3) & ~3;
    const values = this.bytes(runs);
    const layer = new Uint8Array(width);
    let start = 0;
    for (let run = 0; run < runs; run += 1) {
      const end = start + (lengths[run] ?? 0);
      layer.fill(values[run] ?? 0, start, end);
      start = end;
    }
    return layer;
  }

  /** Texts by number. */
  labels(): Map<number, string> {
    const count = this.word();
    const numbers = this.words(count);
    const lengths = this.words(count);
    const texts = this.bytes(lengths.reduce((sum, length) => sum + length, 0));
    const labels = new Map<number, string>();
    let end = 0;
    numbers.forEach((number, at) => {
      const start = end;
      end += lengths[at] ?? 0;
      labels.set(number, UTF_8.decode(texts.subarray(start, end)));
    });
    return labels;
  }

  bytes(count: number): Uint8Array {
    const bytes = new Uint8Array(this.buffer, this.at, count);
    this.at += (count + 3) & ~3;
    return bytes;
  }
}

function readLane(reader: Reader, width: number, isSearched: boolean): LaneContents {
  const lane = reader.word();
  const bars = reader.word();
  const events = reader.word();
  const layers = reader.word();
  return {
    lane,
    bars:
      bars === NOT_LISTED
        ? {
            listed: false,
            class: reader.layer(width),
            busy: reader.layer(width),
            isr: layers > 2 ? reader.layer(width) : null,
          }
        : {
            listed: true,
            start: reader.floats(bars),
            end: reader.floats(bars),
            event: reader.events(bars),
            subject: reader.words(bars),
            class: reader.bytes(bars),
            labels: reader.labels(),
          },
    events:
      events === NOT_LISTED
        ? { listed: false, density: reader.layer(width) }
        : {
            listed: true,
            x: reader.floats(events),
            event: reader.events(events),
            kind: reader.words(events),
          },
    hits: isSearched ? reader.layer(width) : null,
  };
}

/**
 * Decodes an answer. Columns are views of the buffer; only run-length encoded layers are expanded.
 */
export function readLanes(buffer: ArrayBuffer): LanesAnswer {
  const reader = new Reader(buffer);
  if (reader.word() !== MAGIC) throw new Error("not a lane answer");
  const width = reader.word();
  const from = reader.double();
  const to = reader.double();
  reader.base = reader.double();
  const count = reader.word();
  const [switches, wakes, inversions, gaps] = [
    reader.word(),
    reader.word(),
    reader.word(),
    reader.word(),
  ];
  const shares = reader.word();
  const isSearched = reader.word() === 1;
  const lanes: LaneContents[] = [];
  for (let number = 0; number < count; number += 1) lanes.push(readLane(reader, width, isSearched));
  const readList = <T>(many: number, read: (count: number) => T): T | null =>
    many === NOT_LISTED ? null : read(many);
  return {
    width,
    start: from,
    end: to,
    lanes,
    switches: readList(switches, (n) => ({
      x: reader.floats(n),
      from: reader.words(n),
      to: reader.words(n),
      event: reader.events(n),
    })),
    wakes: readList(wakes, (n) => ({
      x0: reader.floats(n),
      x1: reader.floats(n),
      waker: reader.words(n),
      thread: reader.words(n),
      cause: reader.events(n),
      effect: reader.events(n),
    })),
    inversions: readList(inversions, (n) => ({
      x0: reader.floats(n),
      x1: reader.floats(n),
      number: reader.words(n),
      blocked: reader.words(n),
      owner: reader.words(n),
      unbounded: reader.words(n),
    })),
    gaps: readList(gaps, (n) => ({ x: reader.floats(n), event: reader.events(n) })),
    inversionShares: Array.from({ length: shares }, () => ({
      context: reader.word(),
      bounded: reader.layer(width),
      unbounded: reader.layer(width),
    })),
    hits: isSearched ? reader.layer(width) : null,
    bytes: buffer.byteLength,
  };
}
