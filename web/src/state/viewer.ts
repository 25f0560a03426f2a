/** The traces that are open, and which of them is shown. */

import { batch, computed, signal, untracked } from "@preact/signals";
import * as server from "../session/door";
import { LiveTrace } from "./live/live-trace";
import { TraceState } from "./trace";

/** The open traces, in the order of their tabs. */
export const traces = signal<TraceState[]>([]);
/** The id of the one that is shown. */
export const activeId = signal<number | null>(null);
/** The one that is shown. */
export const active = computed(
  () => traces.value.find((trace) => trace.id === activeId.value) ?? null,
);
/** What went wrong last, for a message that goes away. */
export const notice = signal<string | null>(null);

/** Tells the user what went wrong. */
export function report(error: unknown): void {
  if (error instanceof DOMException && error.name === "AbortError") return;
  notice.value = error instanceof Error ? error.message : String(error);
}

async function load(listed: server.Listed): Promise<TraceState> {
  if (listed.live === true) return record(listed);
  const door = server.door(listed.id);
  const overview = await door.ask({ ask: "overview" });
  const state = new TraceState(listed.id, overview, door);
  state.bookmarks.value = await door.ask({ ask: "bookmarks" });
  return state;
}

/** Whether somebody sees a trace. */
const isSeen = (id: number) => activeId.peek() === id && !document.hidden;

function record({ id, name }: server.Listed): TraceState {
  const live = new LiveTrace(id, name, () => isSeen(id));
  live.start();
  return live.trace;
}

/** Follows which of the live traces is seen; gives what ends that. */
export function followAttention(): () => void {
  const look = () => active.peek()?.live?.look();
  document.addEventListener("visibilitychange", look);
  const stop = activeId.subscribe(() => untracked(look));
  return () => {
    stop();
    document.removeEventListener("visibilitychange", look);
  };
}

/** Opens what the server has. */
export async function connect(): Promise<void> {
  const states = await Promise.all((await server.list()).map(load));
  batch(() => {
    traces.value = states;
    activeId.value = states[0]?.id ?? null;
  });
}

/** Opens files that were dropped or chosen, each in a tab. */
export async function openFiles(files: Iterable<File>): Promise<void> {
  for (const file of files) {
    try {
      const state = await load(await server.open(file));
      batch(() => {
        traces.value = [...traces.value, state];
        activeId.value = state.id;
      });
    } catch (error) {
      report(error);
    }
  }
}

/** Closes a tab. */
export async function closeTrace(id: number): Promise<void> {
  await server.close(id);
  traces.peek().find((trace) => trace.id === id)?.live?.stop();
  batch(() => {
    traces.value = traces.value.filter((trace) => trace.id !== id);
    if (activeId.value === id) activeId.value = traces.value.at(-1)?.id ?? null;
  });
}
