import { describe, expect, it } from "vitest";
import { fitted } from "./text";

const surface = { measure: (text: string) => [...text].length * 10 };
const style = { colour: "", size: 11 };
const fit = (text: string, room: number) => fitted(surface, text, style, room);

describe("a text in little room", () => {
  it("stays whole if it fits", () => {
    expect(fit("idle", 40)).toBe("idle");
  });
  it("ends with an ellipsis where it is cut", () => {
    expect(fit("waiting", 50)).toBe("wait…");
  });
  it("is left out where too little would be left", () => {
    expect(fit("waiting", 30)).toBe("wa…");
    expect(fit("waiting", 29)).toBe("");
    expect(fit("waiting", -5)).toBe("");
  });
  it("is cut between characters", () => {
    expect(fit("😀😀😀😀😀", 40)).toBe("😀😀😀…");
  });
});
