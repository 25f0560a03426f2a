/** Renders graphs with Graphviz, which is loaded on first use. */

import type { RenderRequest, RenderResult } from "./graphviz.worker";
import GraphvizWorker from "./graphviz.worker?worker";

/** Timeout in milliseconds: a graph that takes longer is too large to read anyway. */
const TIMEOUT = 15_000;

interface PendingRequest {
  resolve: (svg: string) => void;
  reject: (error: Error) => void;
  timer: ReturnType<typeof setTimeout>;
}

let worker: Worker | null = null;
let count = 0;
const pending = new Map<number, PendingRequest>();

/** Renders a DOT graph as SVG. */
export function renderDot(dot: string): Promise<string> {
  worker ??= start();
  const own = worker;
  count += 1;
  const asked: RenderRequest = { number: count, dot };
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => giveUp("The graph is too large to render: save it as DOT."),
      TIMEOUT,
    );
    pending.set(asked.number, { resolve, reject, timer });
    own.postMessage(asked);
  });
}

function start(): Worker {
  const started = new GraphvizWorker();
  started.addEventListener("message", ({ data }: MessageEvent<RenderResult>) => {
    const asker = pending.get(data.number);
    if (asker === undefined) return;
    pending.delete(data.number);
    clearTimeout(asker.timer);
    if ("svg" in data) asker.resolve(data.svg);
    else asker.reject(new Error(`Graphviz: ${data.error}`));
  });
  started.addEventListener("error", ({ message }) => giveUp(`Cannot load Graphviz: ${message}`));
  return started;
}

/** Terminates the worker, which may never answer, and rejects all pending requests. */
function giveUp(why: string): void {
  worker?.terminate();
  worker = null;
  for (const { reject, timer } of pending.values()) {
    clearTimeout(timer);
    reject(new Error(why));
  }
  pending.clear();
}
