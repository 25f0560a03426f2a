/** Renders graphs with Graphviz, which is loaded on first use. */

import type { Answered, Asked } from "./graphviz.worker";

/** Timeout in milliseconds: a graph that takes longer is too large to read anyway. */
const PATIENCE = 15_000;

interface Waiting {
  resolve: (svg: string) => void;
  reject: (error: Error) => void;
  timer: ReturnType<typeof setTimeout>;
}

let worker: Worker | null = null;
let count = 0;
const waiting = new Map<number, Waiting>();

/** Renders a DOT graph as SVG. */
export function laidOut(dot: string): Promise<string> {
  worker ??= start();
  const own = worker;
  count += 1;
  const asked: Asked = { number: count, dot };
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => giveUp("The state machine is too large to render: save it as DOT."),
      PATIENCE,
    );
    waiting.set(asked.number, { resolve, reject, timer });
    own.postMessage(asked);
  });
}

function start(): Worker {
  const started = new Worker(new URL("./graphviz.worker.ts", import.meta.url), { type: "module" });
  started.addEventListener("message", ({ data }: MessageEvent<Answered>) => {
    const asker = waiting.get(data.number);
    if (asker === undefined) return;
    waiting.delete(data.number);
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
  for (const { reject, timer } of waiting.values()) {
    clearTimeout(timer);
    reject(new Error(why));
  }
  waiting.clear();
}
