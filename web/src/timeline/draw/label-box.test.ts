import { describe, expect, it } from "vitest";
import { isFree } from "./label-box";

describe("labels", () => {
  const box = { left: 10, right: 30, top: 5, bottom: 18 };

  it("are free beside, above and below others", () => {
    for (const move of [
      { left: 31, right: 50 },
      { left: -10, right: 9 },
      { top: -20, bottom: 4 },
      { top: 19, bottom: 30 },
    ])
      expect(isFree({ ...box, ...move }, [box])).toBe(true);
    expect(isFree(box, [])).toBe(true);
  });

  it("are not free if they cover one", () => {
    const far = { left: 100, right: 120, top: 5, bottom: 18 };
    expect(isFree({ ...box, left: 29, right: 60 }, [far, box])).toBe(false);
    expect(isFree({ ...box, top: 17, bottom: 40 }, [box, far])).toBe(false);
  });
});
