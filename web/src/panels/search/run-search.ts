/** Running and clearing searches. */

import { batch, signal, useSignalEffect } from "@preact/signals";
import { ApiError } from "../../session/client";
import type { Search } from "../../session/wire";
import { limits } from "../../state/interval";
import { settings } from "../../state/settings";
import type { TraceState } from "../../state/trace";
import { showError } from "../../state/viewer";

const MAX_RECENT = 12;

/** Incremented to focus the filter field. */
export const focusRequests = signal(0);

/** Focuses the filter field once it is shown. */
export function focusSearch(): void {
  focusRequests.value += 1;
}

function remember(filter: string): void {
  const others = settings.recentSearches.peek().filter((one) => one !== filter);
  settings.recentSearches.value = [filter, ...others].slice(0, MAX_RECENT);
}

/** The search of a trace that began last. Results of earlier ones may arrive after it. */
const latest = new WeakMap<TraceState, Search>();

/** Searches by a filter, and makes next and previous step by its hits. */
export async function runSearch(trace: TraceState, filter: string): Promise<void> {
  const search = { filter };
  latest.set(trace, search);
  const isLatest = () => latest.get(trace) === search;
  try {
    const total = await count(trace, search);
    if (!isLatest()) return;
    batch(() => {
      trace.searchResult.value = { search, total, error: null };
      trace.stepMode.value = { mode: "search", search };
    });
    remember(filter);
  } catch (error) {
    if (!isLatest()) return;
    if (!(error instanceof ApiError)) {
      showError(error);
      return;
    }
    batch(() => {
      trace.searchResult.value = { search, total: 0, error: error.message };
      if (trace.stepMode.peek().mode === "search") trace.stepMode.value = { mode: "event" };
    });
  }
}

async function count(trace: TraceState, search: Search): Promise<number> {
  const window = { axis: "index", ...limits(trace.extent.peek(), "index") } as const;
  return (await trace.client.query({ query: "search", search, window, width: 1 })).total;
}

/** Counts the hits again when the trace is updated. */
export function useRecount(trace: TraceState): void {
  useSignalEffect(() => {
    const searched = trace.searchResult.peek();
    if (trace.dataVersion.value === 0 || searched === null || searched.error !== null) return;
    count(trace, searched.search).then((total) => {
      if (trace.searchResult.peek() === searched) trace.searchResult.value = { ...searched, total };
    }, showError);
  });
}

/** Number of hits before an event, which is the event's index among the hits. */
export async function hitsBefore(
  trace: TraceState,
  search: Search,
  event: number,
): Promise<number> {
  const { start } = limits(trace.extent.peek(), "index");
  if (event <= start) return 0;
  const window = { axis: "index", start, end: event } as const;
  const { counts } = await trace.client.query({ query: "search", search, window, width: 1 });
  return counts[0] ?? 0;
}

/** Forgets the problem of a filter that is being corrected. */
export function clearProblem(trace: TraceState): void {
  if (trace.searchResult.peek()?.error) trace.searchResult.value = null;
}

/** Clears the search. */
export function clearSearch(trace: TraceState): void {
  latest.delete(trace);
  batch(() => {
    trace.searchResult.value = null;
    if (trace.stepMode.peek().mode === "search") trace.stepMode.value = { mode: "event" };
  });
}
