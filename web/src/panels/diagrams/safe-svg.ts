/** Sanitises SVG from the session and Graphviz. */

/** An image and its style sheet. */
export interface SafeSvg {
  svg: SVGSVGElement;
  sheet: string;
  /** Natural size in pixels. */
  width: number;
  height: number;
}

const SVG = "http://www.w3.org/2000/svg";

/** Elements used by diagrams: none that acts, loads or embeds other content. */
const ELEMENTS = new Set([
  "svg",
  "g",
  "defs",
  "title",
  "desc",
  "path",
  "rect",
  "circle",
  "ellipse",
  "line",
  "polyline",
  "polygon",
  "text",
  "tspan",
  "marker",
  "clipPath",
  "pattern",
  "linearGradient",
  "radialGradient",
  "stop",
]);

const STYLE = /<style>([\s\S]*?)<\/style>/g;

/** A length in pixels; Graphviz writes points. */
const LENGTH = /^(\d+(?:\.\d+)?)(px|pt)?$/;
const PIXELS_A_POINT = 96 / 72;
/** Default size. */
const DEFAULT_SIZE = 300;

/**
 * Parses and checks an image.
 *
 * @throws if it is not SVG, or has anything that a diagram does not need.
 */
export function safeSvg(text: string): SafeSvg {
  // The page's policy forbids style sheets within documents, even those that are only parsed.
  let sheet = "";
  const drawing = text.replace(STYLE, (_, rules: string) => {
    sheet += rules;
    return "";
  });
  if (/[<&]|@import|url\s*\(/i.test(sheet))
    throw new Error("The image's style sheet loads external content.");
  const parsed = new DOMParser().parseFromString(drawing, "image/svg+xml");
  const root = parsed.documentElement;
  if (
    root.namespaceURI !== SVG ||
    root.localName !== "svg" ||
    parsed.querySelector("parsererror")
  ) {
    throw new Error("The image is not well-formed SVG.");
  }
  for (const element of [root, ...root.querySelectorAll("*")]) checkElement(element);
  // Import the parsed root into this document.
  const svg = document.importNode(root, true) as unknown as SVGSVGElement;
  return { svg, sheet, width: lengthOf(root, "width", 2), height: lengthOf(root, "height", 3) };
}

function checkElement(element: Element): void {
  if (element.namespaceURI !== SVG || !ELEMENTS.has(element.localName)) {
    throw new Error(`The image has a forbidden element: ${element.localName}.`);
  }
  for (const { localName, value } of element.attributes) {
    const refers = localName === "href" || /url\s*\(/i.test(value);
    const isInside = value.startsWith("#") || /^url\(#[\w-]+\)$/.test(value);
    if (/^on/i.test(localName) || localName === "style" || (refers && !isInside)) {
      throw new Error(`The image has a forbidden attribute: ${localName}.`);
    }
  }
}

function lengthOf(root: Element, attribute: "width" | "height", place: 2 | 3): number {
  const [, number, unit] = LENGTH.exec(root.getAttribute(attribute)?.trim() ?? "") ?? [];
  if (number !== undefined) return Number(number) * (unit === "pt" ? PIXELS_A_POINT : 1);
  const box = Number(
    root
      .getAttribute("viewBox")
      ?.trim()
      .split(/[\s,]+/)[place],
  );
  return box > 0 ? box : DEFAULT_SIZE;
}
