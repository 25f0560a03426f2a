// @vitest-environment jsdom

import { describe, expect, it } from "vitest";
import { contrast, readableOn } from "../colour";
import { halves, lowerColour } from "./icons";
import { Batch, Shapes } from "./shapes";
import { escapeXml, SvgSurface } from "./svg";

describe("shapes", () => {
  it("grow and are reused", () => {
    const shapes = new Shapes();
    for (let index = 0; index < 1000; index += 1) shapes.rectangle(index, 1, 2, 3);
    expect(shapes.length).toBe(4000);
    expect([...shapes.data.subarray(3996, 4000)]).toEqual([999, 1, 2, 3]);
    const { data } = shapes;
    shapes.clear();
    shapes.line(5, 6, 7, 8);
    expect(shapes.data).toBe(data);
    expect([...shapes.data.subarray(0, shapes.length)]).toEqual([5, 6, 7, 8]);
  });

  it("are drawn once per colour", () => {
    const batch = new Batch();
    batch.of("red").rectangle(0, 0, 1, 1);
    batch.of("blue").rectangle(1, 0, 1, 1);
    batch.of("red").rectangle(2, 0, 1, 1);
    const drawn: [string, number][] = [];
    batch.flush((colour, shapes) => drawn.push([colour, shapes.length]));
    expect(drawn).toEqual([
      ["red", 8],
      ["blue", 4],
    ]);
    batch.flush(() => {
      throw new Error("expected no shapes");
    });
  });
});

describe("icons", () => {
  it("have the first letter above and the others below", () => {
    const [upper, lower] = halves({ letters: "QSX", colour: "#ffff80", lower_colour: "#001996" });
    expect(upper).toMatchObject({ letters: "Q", colour: "#ffff80", letterColour: "#000000" });
    expect(lower).toMatchObject({ letters: "SX", colour: "#001996", letterColour: "#ffffff" });
  });

  it("have one colour where the catalogue has no second", () => {
    expect(lowerColour({ colour: "#ff64c8", lower_colour: "#000000" })).toBe("#ff64c8");
    expect(lowerColour({ colour: "#ff64c8", lower_colour: "#00ff00" })).toBe("#00ff00");
  });

  it("are readable on any colour", () => {
    expect(readableOn("#000000")).toBe("#ffffff");
    expect(readableOn("#ffffff")).toBe("#000000");
    for (let value = 0; value < 4096; value += 1) {
      const digits = value.toString(16).padStart(3, "0");
      const colour = `#${[...digits].map((digit) => digit + digit).join("")}`;
      expect(contrast(readableOn(colour), colour)).toBeGreaterThanOrEqual(4.5);
    }
  });
});

describe("SVG", () => {
  const kinds = [
    {
      id: 1,
      name: "k",
      component: "c",
      letters: "<&",
      colour: "#ff0000",
      lower_colour: "#00ff00",
      arguments: [null, null, null, null] as [null, null, null, null],
      events: 1,
    },
  ];

  it("escapes text", () => {
    expect(escapeXml(`<b a="1">&'`)).toBe("&lt;b a=&quot;1&quot;&gt;&amp;&#39;");
    expect(escapeXml("a\u0000b\ud800c😀")).toBe("a\ufffdb\ufffdc😀");
  });

  it("is well formed for any name", () => {
    const surface = new SvgSurface(100, 50, kinds);
    const shapes = () => {
      const one = new Shapes();
      one.rectangle(1, 2, 3, 4);
      return one;
    };
    surface.within({ x: 1, y: 1, width: 50, height: 50 }, () => {
      surface.fill("#123456", shapes());
      surface.hatch("#654321", shapes());
      surface.stroke("rgb(1 2 3 / 4%)", 1, shapes(), [2, 2]);
    });
    surface.text("</text><script>alert(1)</script>\u0007", 5, 5, { colour: '"><x', size: 11 });
    surface.icon(0, { x: 0, y: 0, width: 16, height: 24 });
    const text = surface.finish();
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
    expect(parsed.querySelector("parsererror")).toBeNull();
    expect(parsed.querySelector("script")).toBeNull();
    expect([...parsed.querySelectorAll("text")].map((element) => element.textContent)).toEqual([
      "</text><script>alert(1)</script>\ufffd",
      "<",
      "&",
    ]);
    expect(parsed.querySelector("g path")?.getAttribute("d")).toBe("M1 2h3v4h-3z");
  });
});
