/** Builder of synthetic ThreadX trace buffers for a 32-bit little-endian target. */

const WORD = 4;
const HEADER = 12 * WORD;
const EVENT = 8 * WORD;
/** Size of a registry entry without its name. */
const ENTRY = 4 * WORD;
const IDENTITY = 0x54585442;
const BASE = 0x2000_0000;
const ENDS = [0xaaaaaaaa, 0xbbbbbbbb, 0xcccccccc] as const;
const STACK = 0x2010_0000;
const THREADS_AT = 0x2200_0000;
const THREAD = 1;

/** Event kinds of synthetic traces. */
export const Kind = { resume: 1, suspend: 2, queueSend: 69 } as const;
/** Wait reasons of a suspended thread. */
export const State = { ready: 0, suspended: 3, sleep: 4 } as const;

/** A registry entry. */
interface Entry {
  type: number;
  address: number;
  parameters: [number, number];
  name: Uint8Array;
  priority: number;
}

/** An event as stored in the buffer. */
interface Logged {
  context: number;
  priority: number;
  kind: number;
  stamp: number;
  information: readonly [number, number, number, number];
}

const utf8 = new TextEncoder();

/** Builds a trace. */
export class TraceBuilder {
  private readonly registry: Entry[] = [];
  private readonly events: Logged[] = [];
  private now = 1000;

  /** @param nameSize bytes of a name in the registry, at most 65,535 */
  constructor(private readonly nameSize = 32) {}

  /** Registers a thread and returns its address. */
  thread(name: string, priority = 10): number {
    const number = this.registry.length;
    const address = THREADS_AT + number * 0x100;
    this.registry.push({
      type: THREAD,
      address,
      priority,
      parameters: [STACK + number * 1024, 1024],
      name: utf8.encode(name),
    });
    return address;
  }

  /** Registers an object of another type and returns its address. */
  object(type: number, name: string, parameters: [number, number] = [0, 0]): number {
    const address = this.thread(name);
    Object.assign(this.registry.at(-1) ?? {}, { type, parameters });
    return address;
  }

  /** Logs an event some ticks after the last one. */
  log(context: number, kind: number, information: readonly number[], after = 100): this {
    this.now = (this.now + after) >>> 0;
    const [one = 0, two = 0, three = 0, four = 0] = information;
    const owner = this.registry.find(({ address }) => address === context);
    this.events.push({
      context,
      priority: owner ? (0x80000000 | (owner.priority << 16) | owner.priority) >>> 0 : 0,
      kind,
      stamp: this.now,
      information: [one, two, three, four],
    });
    return this;
  }

  /** Suspends the running thread and runs another one. */
  switch(from: number, to: number, after = 100): this {
    this.log(to, Kind.resume, [to, State.sleep, 0, to], after);
    return this.log(from, Kind.suspend, [from, State.sleep, 0, to], 10);
  }

  /** The bytes of the buffer. */
  build(): Uint8Array<ArrayBuffer> {
    const stride = ENTRY + Math.ceil(this.nameSize / WORD) * WORD;
    const registryEnd = HEADER + this.registry.length * stride;
    const end = registryEnd + this.events.length * EVENT;
    const bytes = new Uint8Array(end);
    const view = new DataView(bytes.buffer);
    const words = (at: number, values: readonly number[]) =>
      values.forEach((value, index) => {
        view.setUint32(at + index * WORD, value >>> 0, true);
      });
    words(0, [
      IDENTITY,
      0xffffffff,
      BASE,
      BASE + HEADER,
      this.nameSize << 16,
      BASE + registryEnd,
      // Exactly full: the oldest entry is the first.
      BASE + registryEnd,
      BASE + end,
      BASE + registryEnd,
      ...ENDS,
    ]);
    this.registry.forEach(({ type, address, parameters, name, priority }, index) => {
      const at = HEADER + index * stride;
      bytes.set([0, type, type === THREAD ? 0x80 | (priority >> 8) : 0, priority & 0xff], at);
      words(at + WORD, [address, ...parameters]);
      bytes.set(name.subarray(0, this.nameSize - 1), at + ENTRY);
    });
    this.events.forEach(({ context, priority, kind, stamp, information }, index) => {
      words(registryEnd + index * EVENT, [context, priority, kind, stamp, ...information]);
    });
    return bytes;
  }
}
