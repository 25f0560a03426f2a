/** A stream of RKH that does not end: what was recorded once, over and over, with the numbers and times of
 * records going on. */

import { readFileSync } from "node:fs";
import { ACTIVE } from "./traces";

const FLAG = 0x7e;
const ESCAPE = 0x7d;
const ESCAPED = 0x20;
/** Identifier, sequence number, and a time of four bytes. */
const HEADER = 6;
const GROUP_BITS = 5;
/** Names and the configuration are in this group. */
const FRAMEWORK = 5;

/** Unescaped frames of a recording. */
function framesOf(stream: Uint8Array): Uint8Array[] {
  const frames: number[][] = [[]];
  let isEscaped = false;
  for (const byte of stream) {
    if (byte === FLAG) frames.push([]);
    else if (byte === ESCAPE) isEscaped = true;
    else {
      frames.at(-1)?.push(isEscaped ? byte ^ ESCAPED : byte);
      isEscaped = false;
    }
  }
  return frames.filter((frame) => frame.length > 0).map((frame) => Uint8Array.from(frame));
}

function timeOf(frame: Uint8Array): number {
  return new DataView(frame.buffer, frame.byteOffset).getUint32(2, true);
}

/** Four active objects that post events to each other without end. */
export class RkhStream {
  private readonly preface: Uint8Array[];
  private readonly body: Uint8Array[];
  private readonly length: number;
  private next = 0;
  private sequence = 0;
  private isBegun = false;

  constructor(path = ACTIVE) {
    const frames = framesOf(readFileSync(path));
    const first = frames.findIndex((frame) => (frame[0] ?? 0) >> GROUP_BITS !== FRAMEWORK);
    this.preface = frames.slice(0, first);
    this.body = frames.slice(first).filter((frame) => (frame[0] ?? 0) >> GROUP_BITS !== FRAMEWORK);
    const [start, end] = [this.body[0], this.body.at(-1)];
    this.length = start && end ? timeOf(end) - timeOf(start) + 1 : 1;
  }

  /** Number of records in the repeated body. */
  get round(): number {
    return this.body.length;
  }

  /** Returns further records; all names precede the first one. */
  take(count: number): Uint8Array {
    const bytes: number[] = [];
    if (!this.isBegun) {
      this.isBegun = true;
      bytes.push(FLAG);
      for (const frame of this.preface) this.put(bytes, frame, null);
    }
    for (let taken = 0; taken < count; taken += 1) {
      const frame = this.body[this.next % this.body.length];
      if (frame === undefined) break;
      const round = Math.floor(this.next / this.body.length);
      this.put(bytes, frame, timeOf(frame) + round * this.length);
      this.next += 1;
    }
    return Uint8Array.from(bytes);
  }

  /** Skips records, as a slow line does. */
  lose(count: number): void {
    this.next += count;
    this.sequence += count;
  }

  private put(bytes: number[], frame: Uint8Array, time: number | null): void {
    const sent = frame.slice();
    const hasHeader = frame[0] !== 0xac;
    if (hasHeader) {
      sent[1] = this.sequence & 0xff;
      this.sequence += 1;
      if (time !== null && sent.length > HEADER) new DataView(sent.buffer).setUint32(2, time, true);
      const sum = sent.subarray(0, -1).reduce((all, byte) => all + byte, 0);
      sent[sent.length - 1] = -sum & 0xff;
    }
    for (const byte of sent) {
      if (byte === FLAG || byte === ESCAPE) bytes.push(ESCAPE, byte ^ ESCAPED);
      else bytes.push(byte);
    }
    bytes.push(FLAG);
  }
}
