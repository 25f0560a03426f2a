import { describe, expect, it } from "vitest";
import { decodeLocation, encodeLocation, type ViewLocation } from "./view-location";

describe("the address", () => {
  it("has all parts of a location", () => {
    const spot: ViewLocation = {
      trace: 2,
      name: "a & b=c#d.trx",
      recording: "1x9k",
      axis: "index",
      from: -1.25,
      to: 812_345.5,
      event: 17,
      a: { time: 9_007_199_254_740, event: 3 },
      b: { time: 0, event: 0 },
      pinned: [4, 1],
      search: 'context ~ "wörk*" & x',
      lanes: "hide=3-5&filter=a%26b",
      compare: [2, 0],
      align: [
        { time: 5, event: 1 },
        { time: 70, event: 2 },
      ],
      unlinked: true,
      side: "reports",
      bottom: "",
    };
    expect(decodeLocation(`#${encodeLocation(spot)}`)).toEqual(spot);
  });

  it("is empty for an empty location", () => {
    expect(encodeLocation({})).toBe("");
    expect(decodeLocation("")).toEqual({});
    expect(decodeLocation("#")).toEqual({});
  });

  it("ignores invalid parts", () => {
    const wrong =
      "#trace=-1&axis=sideways&from=x&to=5&event=1e9&a=5&b=1.2.3&pinned=a.b&search=&compare=1.1&align=1.2.3&side=%3Cb%3E";
    expect(decodeLocation(wrong)).toEqual({ side: "<b>" });
    expect(decodeLocation("#from=9&to=9")).toEqual({});
    expect(decodeLocation("#from=10&to=9")).toEqual({});
    expect(decodeLocation("#from=Infinity&to=NaN")).toEqual({});
    expect(decodeLocation("#%E0%A4%A")).toEqual({});
  });

  it("limits and deduplicates pinned events", () => {
    const many = Array.from({ length: 1000 }, (_, event) => event).join(".");
    expect(decodeLocation(`#pinned=${many}`).pinned).toHaveLength(16);
    expect(decodeLocation("#pinned=3.3.x.4").pinned).toEqual([3, 4]);
  });

  it("keeps positions to the tick", () => {
    expect(
      decodeLocation(`#${encodeLocation({ from: 123_456_789_012, to: 123_456_789_013 })}`),
    ).toEqual({
      from: 123_456_789_012,
      to: 123_456_789_013,
    });
  });
});
