import { describe, expect, it } from "vitest";
import { NONE, readLanes } from "./lanes";

/** Writes the format that crates/session/src/lanes documents. */
class Writer {
  private readonly bytes: number[] = [];

  word(...values: number[]): this {
    for (const value of values) this.put(4, (view) => view.setUint32(0, value, true));
    return this;
  }

  float(...values: number[]): this {
    for (const value of values) this.put(4, (view) => view.setFloat32(0, value, true));
    return this;
  }

  double(...values: number[]): this {
    for (const value of values) this.put(8, (view) => view.setFloat64(0, value, true));
    return this;
  }

  byte(...values: number[]): this {
    this.bytes.push(...values);
    while (this.bytes.length % 4 !== 0) this.bytes.push(0xee);
    return this;
  }

  /** A layer, value by value. */
  layer(...values: number[]): this {
    return this.word(0).byte(...values);
  }

  short(...values: number[]): this {
    for (const value of values) this.put(2, (view) => view.setUint16(0, value, true));
    return this.byte();
  }

  finish(): ArrayBuffer {
    return new Uint8Array(this.bytes).buffer;
  }

  private put(size: number, write: (view: DataView) => void): void {
    const buffer = new ArrayBuffer(size);
    write(new DataView(buffer));
    this.bytes.push(...new Uint8Array(buffer));
  }
}

const MAGIC = 0x334c5452;
const MANY = 0xffffffff;

const head = (
  lanes: number,
  [switches, wakes, inversions, gaps]: [number, number, number, number],
  [shares, hits]: [number, number] = [0, 0],
  base = 0,
) =>
  new Writer()
    .word(MAGIC, 5)
    .double(-10.5, 1e15, base)
    .word(lanes, switches, wakes, inversions, gaps, shares, hits);

describe("lane answers", () => {
  it("have single bars and events", () => {
    const answer = readLanes(
      head(1, [0, 0, 0, 0])
        .word(7, 3, 2, 0)
        .float(-1, 1.5, 4)
        .float(1.5, 4, 6)
        .word(10, 11, 12)
        .word(NONE, 3, 4)
        .byte(2, 3, 17)
        .word(2, 0, 2, 2, 3)
        .byte(...new TextEncoder().encode("µspi"))
        .float(0.5, 2.25)
        .word(10, 11)
        .word(4, 5)
        .finish(),
    );
    expect(answer).toMatchObject({ width: 5, start: -10.5, end: 1e15 });
    const [lane] = answer.lanes;
    expect(lane?.lane).toBe(7);
    if (!lane?.bars.listed || !lane.events.listed) throw new Error("expected lists");
    expect([...lane.bars.start]).toEqual([-1, 1.5, 4]);
    expect([...lane.bars.end]).toEqual([1.5, 4, 6]);
    expect([...lane.bars.event]).toEqual([10, 11, 12]);
    expect([...lane.bars.subject]).toEqual([NONE, 3, 4]);
    // Three bytes and one byte of padding that is not read.
    expect([...lane.bars.class]).toEqual([2, 3, 17]);
    expect([...lane.bars.labels]).toEqual([
      [0, "µ"],
      [2, "spi"],
    ]);
    expect([...lane.events.x]).toEqual([0.5, 2.25]);
    expect([...lane.events.kind]).toEqual([4, 5]);
  });

  it("have shares and counts by pixel, with a third layer for cores only", () => {
    const answer = readLanes(
      head(2, [0, 0, 0, 0])
        .word(0, MANY, MANY, 3)
        .layer(20, 21, 23, 23, 1)
        .layer(255, 128, 0, 0, 0)
        .layer(0, 128, 0, 0, 0)
        .layer(255, 1, 0, 0, 2)
        .word(1, MANY, 0, 2)
        .word(3)
        .short(2, 2, 1)
        .byte(3, 2, 0)
        .layer(9, 8, 7, 6, 5)
        .finish(),
    );
    const [core, thread] = answer.lanes;
    if (core?.bars.listed !== false || thread?.bars.listed !== false)
      throw new Error("expected pixels");
    expect([...(core.bars.isr ?? [])]).toEqual([0, 128, 0, 0, 0]);
    expect(core.events).toEqual({ listed: false, density: new Uint8Array([255, 1, 0, 0, 2]) });
    expect(thread.bars.isr).toBeNull();
    // Run-length encoded.
    expect([...thread.bars.class]).toEqual([3, 3, 2, 2, 0]);
    expect([...thread.bars.busy]).toEqual([9, 8, 7, 6, 5]);
    expect(thread.events.listed).toBe(true);
  });

  it("have event numbers of the whole recording", () => {
    const base = 5_000_000_000;
    const answer = readLanes(
      head(1, [0, 0, 0, 1], [0, 0], base)
        .word(7, 1, 1, 0)
        .float(-1, 1.5)
        .word(10, NONE)
        .byte(2)
        .word(0)
        .float(0.5)
        .word(11, 4)
        .float(4)
        .word(12)
        .finish(),
    );
    const { bars, events } = answer.lanes[0] ?? {};
    expect(bars?.listed && [...bars.event]).toEqual([base + 10]);
    expect(events?.listed && [...events.event]).toEqual([base + 11]);
    expect([...(answer.gaps?.event ?? [])]).toEqual([base + 12]);
  });

  it("have items across lanes, and omit lists that are too long", () => {
    const answer = readLanes(
      head(0, [1, 1, MANY, 2])
        .float(3)
        .word(1, 2, 30)
        .float(1, 2)
        .word(NONE, 5, 6, 7)
        .float(4, 5)
        .word(40, 50)
        .finish(),
    );
    expect(answer.switches).toMatchObject({
      event: new Uint32Array([30]),
      to: new Uint32Array([2]),
    });
    expect(answer.wakes?.waker[0]).toBe(NONE);
    expect(answer.wakes?.effect[0]).toBe(7);
    expect(answer.inversions).toBeNull();
    expect([...(answer.gaps?.event ?? [])]).toEqual([40, 50]);
  });

  it("have shares of inversions, and search hits", () => {
    const answer = readLanes(
      head(1, [0, 0, 0, 0], [2, 1])
        .word(0, 0, 0, 0)
        .word(0)
        .layer(0, 1, 0, 0, 1)
        .word(NONE)
        .layer(1, 2, 3, 4, 5)
        .layer(0, 0, 0, 0, 9)
        .word(6)
        .layer(1, 2, 3, 4, 5)
        .layer(0, 0, 0, 0, 0)
        .layer(0, 1, 0, 1, 1)
        .finish(),
    );
    expect([...(answer.lanes[0]?.hits ?? [])]).toEqual([0, 1, 0, 0, 1]);
    expect(answer.inversionShares.map(({ context }) => context)).toEqual([NONE, 6]);
    expect([...(answer.inversionShares[0]?.unbounded ?? [])]).toEqual([0, 0, 0, 0, 9]);
    expect([...(answer.hits ?? [])]).toEqual([0, 1, 0, 1, 1]);
  });

  it("are not copied", () => {
    const buffer = head(1, [0, 0, 0, 0]).word(0, 0, 1, 0, 0).float(1).word(2).word(3).finish();
    const { events } = readLanes(buffer).lanes[0] ?? {};
    expect(events?.listed && events.x.buffer).toBe(buffer);
  });

  it("are rejected if they are malformed or truncated", () => {
    expect(() => readLanes(new Writer().word(1, 2, 3).finish())).toThrow("not a lane answer");
    expect(() => readLanes(head(1, [0, 0, 0, 0]).word(0, 1000, 0, 0).finish())).toThrow(
      "Invalid typed array length",
    );
  });
});
