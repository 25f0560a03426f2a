import { describe, expect, it } from "vitest";
import { truncate } from "./text";

const surface = { measure: (text: string) => [...text].length * 10 };
const style = { colour: "", size: 11 };
const truncated = (text: string, room: number) => truncate(surface, text, style, room);

describe("truncated text", () => {
  it("is unchanged if it fits", () => {
    expect(truncated("idle", 40)).toBe("idle");
  });
  it("ends with an ellipsis", () => {
    expect(truncated("waiting", 50)).toBe("wait…");
  });
  it("is empty if too little would be left", () => {
    expect(truncated("waiting", 30)).toBe("wa…");
    expect(truncated("waiting", 29)).toBe("");
    expect(truncated("waiting", -5)).toBe("");
  });
  it("is cut between characters", () => {
    expect(truncated("😀😀😀😀😀", 40)).toBe("😀😀😀…");
  });
});
