/** The traces that are open, and which of them is shown. */

import { batch, computed, signal, untracked } from "@preact/signals";
import { Unreachable } from "../session/connection";
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
/** A trace on its way to the page. */
export interface Opening {
  /** Its name; empty while the server is asked which traces it has. */
  name: string;
  /** The part of the file that is sent, 0 to 1; `null` once the server has it and reads it. */
  sent: number | null;
}

/** The traces that are on their way, in the order of their tabs. */
export const openings = signal<readonly Opening[]>([]);
/** What went wrong last, for a message that goes away. */
export const notice = signal<string | null>(null);

/** Tells the user what went wrong. */
export function report(error: unknown): void {
  if (error instanceof DOMException && error.name === "AbortError") return;
  // The banner says so, for as long as it lasts.
  if (error instanceof Unreachable) return;
  notice.value = error instanceof Error ? error.message : String(error);
}

/** Asks the server what a trace is. */
export async function load(listed: server.Listed): Promise<TraceState> {
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
  openings.value = [{ name: "", sent: null }];
  try {
    const listed = await server.list();
    openings.value = listed.map(({ name }) => ({ name, sent: null }));
    const states = await Promise.all(listed.map(load));
    batch(() => {
      traces.value = states;
      activeId.value = states[0]?.id ?? null;
    });
  } finally {
    openings.value = [];
  }
}

/** Opens files that were dropped or chosen, each in a tab. */
export async function openFiles(files: Iterable<File>): Promise<void> {
  for (const file of files) {
    let shown: Opening | null = null;
    const show = (next: Opening | null) => {
      const others = openings.peek().filter((one) => one !== shown);
      openings.value = next === null ? others : [...others, next];
      shown = next;
    };
    show({ name: file.name, sent: 0 });
    try {
      const listed = await server.open(file, (part) => {
        show({ name: file.name, sent: part < 1 ? part : null });
      });
      const state = await load(listed);
      batch(() => {
        traces.value = [...traces.value, state];
        activeId.value = state.id;
      });
    } catch (error) {
      report(error);
    } finally {
      show(null);
    }
  }
}

/** Closes a tab. */
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
