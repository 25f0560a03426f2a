/** Graphs rendered by Graphviz. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { messageOf } from "../../state/format";
import { renderDot } from "./graphviz";
import { type SafeSvg, safeSvg } from "./safe-svg";
import { GRAPH_FONT } from "./styles";

/** A rendered graph. */
export interface RenderedGraph {
  picture: SafeSvg | null;
  /** As rendered by Graphviz, for a file. */
  text: string;
  error: string | null;
}

/** Renders a graph; `null` until it is rendered. */
export function useRenderedGraph(dot: string | undefined): RenderedGraph | null {
  const drawn = useSignal<RenderedGraph | null>(null);
  useEffect(() => {
    if (!dot) {
      drawn.value = null;
      return undefined;
    }
    let isOver = false;
    renderDot(dot)
      .then((text) => {
        if (isOver) return;
        const picture = safeSvg(text);
        // These are Graphviz's names of nodes and edges.
        for (const title of picture.svg.querySelectorAll("title")) title.remove();
        matchFontWidth(picture.svg);
        drawn.value = { picture, text, error: null };
      })
      .catch((error: unknown) => {
        if (isOver) return;
        drawn.value = {
          picture: null,
          text: "",
          error: messageOf(error),
        };
      });
    return () => {
      isOver = true;
    };
  }, [dot]);
  return drawn.value;
}

/** Says what an element of a diagram is. */
export function setTitle(element: Element, text: string): void {
  const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
  title.textContent = text;
  element.prepend(title);
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
/**
 * Width of these letters in Helvetica, in thousandths of the font size, from Adobe's font metrics.
 */
const HELVETICA = 12_726;

let wider: number | null = null;

/** Width of the available font relative to the one that Graphviz assumes. */
function widthRelativeToHelvetica(): number {
  if (wider === null) {
    const context = document.createElement("canvas").getContext("2d");
    if (context === null) return 1;
    context.font = `100px ${GRAPH_FONT}`;
    wider = context.measureText(LETTERS).width / (HELVETICA / 10);
  }
  return wider;
}

/** Scales text to the widths that Graphviz assumes, whatever font is available. */
function matchFontWidth(svg: SVGSVGElement): void {
  const wider = widthRelativeToHelvetica();
  if (wider <= 1) return;
  for (const text of svg.querySelectorAll("text")) {
    const size = Number(text.getAttribute("font-size"));
    if (size > 0) text.setAttribute("font-size", (size / wider).toFixed(2));
  }
}
