// @vitest-environment jsdom

import { describe, expect, it } from "vitest";
import { safeSvg } from "./safe-svg";

const svg = (content: string, attributes = 'width="80" height="40"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${content}</svg>`;

describe("an image", () => {
  it("has its style sheet and its size extracted", () => {
    const {
      svg: root,
      sheet,
      width,
      height,
    } = safeSvg(
      svg(
        '<style>.a{fill:red}</style><g data-event="7"><title>7 &lt;b&gt;</title><rect class="a"/></g>',
      ),
    );
    expect(root.ownerDocument).toBe(document);
    expect(root.querySelector("style")).toBeNull();
    expect(root.querySelector("[data-event='7'] title")?.textContent).toBe("7 <b>");
    expect(sheet).toBe(".a{fill:red}");
    expect([width, height]).toEqual([80, 40]);
  });

  it("of Graphviz has its size in points and a document type declaration", () => {
    const text = `<?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
      ${svg('<g id="graph0" class="graph"/>', 'width="72pt" height="36pt"')}`;
    expect(safeSvg(text)).toMatchObject({ width: 96, height: 48 });
  });

  it("without a size gets the size of its coordinates", () => {
    expect(safeSvg(svg("", 'viewBox="0 0 120 60"'))).toMatchObject({ width: 120, height: 60 });
    expect(safeSvg(svg("", 'width="100%"'))).toMatchObject({ width: 300, height: 300 });
  });

  it("may refer to its own parts", () => {
    expect(() =>
      safeSvg(svg('<defs><clipPath id="c"><rect/></clipPath></defs><g clip-path="url(#c)"/>')),
    ).not.toThrow();
  });
});

describe("an image is rejected", () => {
  const cases = {
    "that is not SVG": "<html xmlns='http://www.w3.org/1999/xhtml'/>",
    "that is not well-formed": "<svg xmlns='http://www.w3.org/2000/svg'><g></svg>",
    "with a script": svg("<script>alert(1)</script>"),
    "with a script of another namespace": svg(
      '<script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script>',
    ),
    "with HTML elements": svg(
      "<foreignObject><b xmlns='http://www.w3.org/1999/xhtml'>x</b></foreignObject>",
    ),
    "with an image": svg('<image href="http://example.org/x.png"/>'),
    "with a link": svg('<a xlink:href="javascript:alert(1)"><text>x</text></a>'),
    "that uses another file": svg('<use href="other.svg#a"/>'),
    "with an animation": svg(
      '<rect><animate attributeName="href" to="javascript:alert(1)"/></rect>',
    ),
    "with an event handler": svg('<rect onclick="alert(1)"/>'),
    "with an event handler at its root": svg("", 'onload="alert(1)"'),
    "with an event handler in capitals": svg('<rect ONCLICK="alert(1)"/>'),
    "with an inline style": svg('<rect style="fill:url(http://example.org/x)"/>'),
    "that fills with another file": svg('<rect fill="url(http://example.org/x#a)"/>'),
    "whose style sheet imports another": svg("<style>@import 'http://example.org/x.css';</style>"),
    "with a style sheet of an unexpected form": svg("<style type='text/css'>.a{fill:red}</style>"),
    "whose style sheet hides a URL": svg(
      "<style>.a{background:&#117;rl(http://example.org/x)}</style>",
    ),
    "whose style sheet loads an image": svg(
      "<style>.a{background:URL( http://example.org/x )}</style>",
    ),
  };
  for (const [what, text] of Object.entries(cases)) {
    it(what, () => {
      expect(() => safeSvg(text)).toThrow(/^The image/);
    });
  }
});
