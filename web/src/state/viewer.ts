/** Open traces and the active one. */

import { batch, computed, signal, untracked } from "@preact/signals";
import * as server from "../session/client";
import { ServerUnreachable } from "../session/connection";
import { LiveTrace } from "./live/live-trace";
import { TraceState } from "./trace";

/** Open traces, in tab order. */
export const traces = signal<TraceState[]>([]);
/** Id of the active trace. */
export const activeId = signal<number | null>(null);
/** The active trace. */
export const active = computed(
  () => traces.value.find((trace) => trace.id === activeId.value) ?? null,
);
/** A trace that is being opened. */
export interface TraceOpening {
  /** File name; empty while the server is asked for its traces. */
  name: string;
  /** Fraction of the file that is uploaded, 0 to 1; `null` while the server reads it. */
  sent: number | null;
}

/** Traces that are being opened, in tab order. */
export const openings = signal<readonly TraceOpening[]>([]);
/** Last error, for a temporary notice. */
export const notice = signal<string | null>(null);

/** Shows an error to the user. */
export function showError(error: unknown): void {
  if (error instanceof DOMException && error.name === "AbortError") return;
  // The connection banner is shown instead.
  if (error instanceof ServerUnreachable) return;
  notice.value = error instanceof Error ? error.message : String(error);
}

/** Loads the overview of a trace. */
export async function loadTrace(listed: server.OpenTrace): Promise<TraceState> {
  if (listed.live === true) return startLive(listed);
  const client = server.sessionClient(listed.id);
  const overview = await client.query({ query: "overview" });
  const state = new TraceState(listed.id, overview, client);
  state.bookmarks.value = await client.query({ query: "bookmarks" });
  return state;
}

/** Whether a trace is visible. */
const isVisible = (id: number) => activeId.peek() === id && !document.hidden;

function startLive({ id, name }: server.OpenTrace): TraceState {
  const live = new LiveTrace(id, name, () => isVisible(id));
  live.start();
  return live.trace;
}

/** Reports visibility changes to live traces; returns a function that stops this. */
export function followVisibility(): () => void {
  const look = () => active.peek()?.live?.onVisibilityChange();
  document.addEventListener("visibilitychange", look);
  const stop = activeId.subscribe(() => untracked(look));
  return () => {
    stop();
    document.removeEventListener("visibilitychange", look);
  };
}

/** Opens the traces that the server has. */
export async function connect(): Promise<void> {
  openings.value = [{ name: "", sent: null }];
  try {
    const listed = await server.listTraces();
    openings.value = listed.map(({ name }) => ({ name, sent: null }));
    const states = await Promise.all(listed.map(loadTrace));
    batch(() => {
      traces.value = states;
      activeId.value = states[0]?.id ?? null;
    });
  } finally {
    openings.value = [];
  }
}

/** Opens dropped or chosen files, each in a tab. */
export async function openFiles(files: Iterable<File>): Promise<void> {
  for (const file of files) {
    let shown: TraceOpening | null = null;
    const show = (next: TraceOpening | null) => {
      const others = openings.peek().filter((one) => one !== shown);
      openings.value = next === null ? others : [...others, next];
      shown = next;
    };
    show({ name: file.name, sent: 0 });
    try {
      const listed = await server.openFile(file, (part) => {
        show({ name: file.name, sent: part < 1 ? part : null });
      });
      const state = await loadTrace(listed);
      batch(() => {
        traces.value = [...traces.value, state];
        activeId.value = state.id;
      });
    } catch (error) {
      showError(error);
    } finally {
      show(null);
    }
  }
}

/** Closes a trace. */
export async function closeTrace(id: number): Promise<void> {
  await server.close(id);
  traces
    .peek()
    .find((trace) => trace.id === id)
    ?.live?.stop();
  batch(() => {
    traces.value = traces.value.filter((trace) => trace.id !== id);
    if (activeId.value === id) activeId.value = traces.value.at(-1)?.id ?? null;
  });
}
