/** Graphviz in a worker: large graphs take long. */

import { instance } from "@viz-js/viz";

/** Request with a DOT graph. */
export interface RenderRequest {
  number: number;
  dot: string;
}

/** The image or an error. */
export type RenderResult = { number: number } & ({ svg: string } | { error: string });

const graphviz = instance();

self.addEventListener("message", ({ data: { number, dot } }: MessageEvent<RenderRequest>) => {
  graphviz
    .then((viz) => {
      const rendered = viz.render(dot, { format: "svg", engine: "dot" });
      answer(
        rendered.status === "success"
          ? { number, svg: rendered.output }
          : { number, error: rendered.errors.map(({ message }) => message).join("; ") },
      );
    })
    .catch((error: unknown) => {
      answer({ number, error: error instanceof Error ? error.message : String(error) });
    });
});

function answer(answered: RenderResult): void {
  self.postMessage(answered);
}
