import { describe, expect, it } from "vitest";
import { safeSvg } from "./safe-svg";

const svg = (content: string, attributes = 'width="80" height="40"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${content}</svg>`;

describe("a picture", () => {
  it("comes with its style sheet apart, and its size", () => {
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

  it("of Graphviz has its size in points, with a type of document before it", () => {
    const text = `<?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
      ${svg('<g id="graph0" class="graph"/>', 'width="72pt" height="36pt"')}`;
    expect(safeSvg(text)).toMatchObject({ width: 96, height: 48 });
  });

  it("without a size is as large as its coordinates", () => {
    expect(safeSvg(svg("", 'viewBox="0 0 120 60"'))).toMatchObject({ width: 120, height: 60 });
    expect(safeSvg(svg("", 'width="100%"'))).toMatchObject({ width: 300, height: 300 });
  });

  it("may refer to its own parts", () => {
    expect(() =>
      safeSvg(svg('<defs><clipPath id="c"><rect/></clipPath></defs><g clip-path="url(#c)"/>')),
    ).not.toThrow();
  });
});

describe("a picture is refused", () => {
  const cases = {
    "that is none": "<html xmlns='http://www.w3.org/1999/xhtml'/>",
    "that is not well-formed": "<svg xmlns='http://www.w3.org/2000/svg'><g></svg>",
    "with a script": svg("<script>alert(1)</script>"),
    "with a script of another language": svg(
      '<script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script>',
    ),
    "with elements of a page": svg(
      "<foreignObject><b xmlns='http://www.w3.org/1999/xhtml'>x</b></foreignObject>",
    ),
    "with an image": svg('<image href="http://example.org/x.png"/>'),
    "with a link": svg('<a xlink:href="javascript:alert(1)"><text>x</text></a>'),
    "that uses another file": svg('<use href="other.svg#a"/>'),
    "that moves by itself": svg(
      '<rect><animate attributeName="href" to="javascript:alert(1)"/></rect>',
    ),
    "with a handler": svg('<rect onclick="alert(1)"/>'),
    "with a handler at its root": svg("", 'onload="alert(1)"'),
    "with a handler in capitals": svg('<rect ONCLICK="alert(1)"/>'),
    "with a style at an element": svg('<rect style="fill:url(http://example.org/x)"/>'),
    "that fills with another file": svg('<rect fill="url(http://example.org/x#a)"/>'),
    "whose style sheet loads another": svg("<style>@import 'http://example.org/x.css';</style>"),
    "with a style sheet that is not known as one": svg(
      "<style type='text/css'>.a{fill:red}</style>",
    ),
    "whose style sheet hides what it loads": svg(
      "<style>.a{background:&#117;rl(http://example.org/x)}</style>",
    ),
    "whose style sheet loads an image": svg(
      "<style>.a{background:URL( http://example.org/x )}</style>",
    ),
  };
  for (const [what, text] of Object.entries(cases)) {
    it(what, () => {
      expect(() => safeSvg(text)).toThrow(/^The picture/);
    });
  }
});
