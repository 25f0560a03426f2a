import { describe, expect, it } from "vitest";
import type { Post } from "../session/wire";
import { type ArrowInput, arrowNear, arrowsOf, pointOn } from "./arrows";
import type { PlacedRow } from "./layout";
import { Scale } from "./transform";

const placed = (context: number): PlacedRow => ({
  row: { kind: "lane", lane: context, level: 1, group: null, attached: false, expanded: null },
  index: context,
  pinned: false,
  y: context * 50,
  height: 30,
  split: false,
  flat: false,
});
const post = (changes: Partial<Post> = {}): Post => ({
  event: 10,
  time: 100,
  sender_context: 0,
  sender_name: "a",
  receiver: 2,
  signal: 5,
  signal_name: "GO",
  front: false,
  recalled: false,
  step_event: 12,
  step_time: 140,
  ...changes,
});
const places = (posts: Post[], changes: Partial<ArrowInput> = {}): ArrowInput => ({
  axis: "time",
  scale: new Scale(0, 1000, 1000),
  height: 400,
  posts,
  rowOfContext: (context) => (context < 8 ? placed(context) : null),
  ...changes,
});
const ends = (of: ArrowInput) =>
  arrowsOf(of).map(({ curve: [x0, y0, , , , , x1, y1] }) => [x0, y0, x1, y1]);

describe("an arrow", () => {
  it("goes from the middle of the sender's lane to the edge of the receiver's, from post to step", () => {
    expect(ends(places([post()]))).toEqual([[100, 14.5, 140, 101]]);
    expect(ends(places([post({ sender_context: 3, receiver: 1 })]))).toEqual([
      [100, 164.5, 140, 79],
    ]);
    expect(arrowsOf(places([post({ sender_context: 3, receiver: 1 })]))[0]?.down).toBe(false);
  });

  it("is in the middle of an event's slot in the sequential view", () => {
    expect(ends(places([post()], { axis: "index", scale: new Scale(0, 100, 1000) }))).toEqual([
      [105, 14.5, 125, 101],
    ]);
  });

  it("ends where it starts if the step is unknown", () => {
    expect(ends(places([post({ step_event: null, step_time: null })]))).toEqual([
      [100, 14.5, 100, 101],
    ]);
  });

  it("is a loop above the lane for an event posted to oneself", () => {
    const [arrow] = arrowsOf(places([post({ sender_context: 2, step_time: 100 })]));
    expect(arrow?.curve[1]).toBe(101);
    expect(arrow?.curve[7]).toBe(101);
    expect(arrow && pointOn(arrow.curve, 0.5)[1]).toBeLessThan(95);
  });

  it("starts above the receiver's lane if the sender has no lane", () => {
    for (const from of [null, 9]) {
      const [arrow] = arrowsOf(places([post({ sender_context: from })]));
      expect(arrow).toMatchObject({ outside: true, down: true });
      expect(arrow?.curve[1]).toBeLessThan(101);
    }
  });

  it("is omitted outside the view", () => {
    expect(
      arrowsOf(
        places([
          post({ receiver: 9 }),
          post({ time: -500, step_time: -200 }),
          post({ time: 1500, step_time: 1600 }),
        ]),
      ),
    ).toEqual([]);
    expect(arrowsOf(places([post({ time: -500, step_time: 1600 })]))).toHaveLength(1);
    expect(arrowsOf(places([post({ sender_context: 6, receiver: 7 })], { height: 100 }))).toEqual(
      [],
    );
  });
});

describe("pointing", () => {
  it("finds the nearest arrow", () => {
    const arrows = arrowsOf(places([post(), post({ event: 11, time: 200, step_time: 240 })]));
    expect(arrowNear(arrows, 100, 20, 4)?.post.event).toBe(10);
    expect(arrowNear(arrows, 241, 99, 4)?.post.event).toBe(11);
    expect(arrowNear(arrows, 170, 60, 4)).toBeNull();
  });

  it("follows the curve, not the line between its ends", () => {
    const arrows = arrowsOf(places([post({ step_time: 300 })]));
    const [x, y] = arrows[0] ? pointOn(arrows[0].curve, 0.2) : [0, 0];
    expect(arrowNear(arrows, x, y, 2)).not.toBeNull();
    expect(arrowNear(arrows, 140, 14.5 + 0.2 * 86.5, 2)).toBeNull();
  });
});
