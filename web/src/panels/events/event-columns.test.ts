import { describe, expect, it } from "vitest";
import { fakeTrace } from "../fixture";
import { eventColumns, eventGrid } from "./event-columns";

describe("columns of events", () => {
  const trace = fakeTrace({});

  it("leave room for the longest number and time", () => {
    const { template, minWidth } = eventGrid(eventColumns(trace, true), {});
    expect(template).toBe("6ch 11ch minmax(64px, 1.1fr) minmax(90px, 1.4fr)");
    expect(minWidth).toBe("calc(6ch + 11ch + 64px + 90px + 50px)");
  });

  it("have the widths that the user chose", () => {
    const { template, minWidth } = eventGrid(eventColumns(trace, false), { Kind: 200, Time: 40 });
    expect(template).toBe("6ch 40px 15ch minmax(64px, 1.1fr) 200px minmax(100px, 3fr)");
    expect(minWidth).toBe("calc(6ch + 40px + 15ch + 64px + 200px + 100px + 70px)");
  });
});
