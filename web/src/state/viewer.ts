/** Open traces and the active one. */

import { batch, computed, type Signal, signal, untracked } from "@preact/signals";
import { backend } from "../session/backend";
import * as server from "../session/client";
import { ServerUnreachable } from "../session/connection";
import type { OpeningProgress } from "../session/wire";
import { messageOf } from "./format";
import { LiveTrace } from "./live/live-trace";
import { followProgress } from "./opening-progress";
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
  /** Progress on the server; `null` if unknown. */
  progress: OpeningProgress | null;
}

/** Traces that are being opened, in tab order. */
export const openings = signal<readonly Signal<TraceOpening>[]>([]);
/** Last error, for a temporary notice. */
export const notice = signal<string | null>(null);

/** Shows an error to the user. */
export function showError(error: unknown): void {
  if (error instanceof DOMException && error.name === "AbortError") return;
  // The connection banner is shown instead.
  if (error instanceof ServerUnreachable) return;
  notice.value = messageOf(error);
}

/** Loads the overview of a trace; `show` is called with the progress until it is open. */
export async function loadTrace(
  listed: server.OpenTrace,
  show: (progress: OpeningProgress) => void = () => undefined,
): Promise<TraceState> {
  if (listed.live === true) return startLive(listed);
  const client = server.sessionClient(listed.id);
  const opened = client.query({ query: "overview" });
  void followProgress(listed.id, opened, show);
  const overview = await opened;
  const state = new TraceState(listed.id, overview, client);
  await state.refreshNotes();
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

const opening = (name: string, sent: number | null) =>
  signal<TraceOpening>({ name, sent, progress: null });

/** Shows the progress on the server in a row. */
const progressIn = (row: Signal<TraceOpening>) => (progress: OpeningProgress) => {
  row.value = { ...row.peek(), progress };
};

/** Opens the traces that the server has. */
export async function connect(): Promise<void> {
  openings.value = [opening("", null)];
  try {
    const listed = await server.listTraces();
    const shown = listed.map((one) => ({ one, row: opening(one.name, null) }));
    openings.value = shown.map(({ row }) => row);
    const settled = await Promise.allSettled(
      shown.map(({ one, row }) => loadTrace(one, progressIn(row))),
    );
    const states = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    for (const one of settled) if (one.status === "rejected") showError(one.reason);
    batch(() => {
      traces.value = states;
      activeId.value = states[0]?.id ?? null;
    });
  } finally {
    openings.value = [];
  }
}

/** Opens dropped or chosen files, each in a tab. */
export async function openFiles(files: readonly File[]): Promise<void> {
  const recordings = (await backend().standalone?.recordingsOf(files)) ?? files;
  for (const file of recordings) {
    await openWith(opening(file.name, 0), (row) =>
      server.openFile(file, (part) => {
        row.value = { ...row.peek(), sent: part < 1 ? part : null };
      }),
    );
  }
}

/** Opens a recording that was opened before. */
export async function openRecent({ id, name }: server.RecentRecording): Promise<void> {
  await openWith(opening(name, null), () => server.openRecent(id));
}

/** Opens a trace in a tab; `row` shows the progress. */
async function openWith(
  row: Signal<TraceOpening>,
  open: (row: Signal<TraceOpening>) => Promise<server.OpenTrace>,
): Promise<void> {
  openings.value = [...openings.peek(), row];
  try {
    const listed = await open(row);
    const state = await loadTrace(listed, progressIn(row));
    batch(() => {
      traces.value = [...traces.value, state];
      activeId.value = state.id;
    });
  } catch (error) {
    showError(error);
  } finally {
    openings.value = openings.peek().filter((one) => one !== row);
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
