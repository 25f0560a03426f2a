/** Graphs rendered by Graphviz. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { widthRelativeToHelvetica } from "./graph-font";
import { renderDot } from "./graphviz";
import { type SafeSvg, safeSvg } from "./safe-svg";

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
        matchFontWidth(picture.svg);
        drawn.value = { picture, text, error: null };
      })
      .catch((error: unknown) => {
        if (isOver) return;
        drawn.value = {
          picture: null,
          text: "",
          error: error instanceof Error ? error.message : String(error),
        };
      });
    return () => {
      isOver = true;
    };
  }, [dot]);
  return drawn.value;
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
