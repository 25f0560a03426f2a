/** Detects that the server is unreachable, and reconnects. */

import { batch } from "@preact/signals";
import { ApiError, listTraces, type OpenTrace } from "../session/client";
import { connection, type ServerHealth, serverHealth } from "../session/connection";
import type { TraceState } from "../state/trace";
import { active, activeId, loadTrace, notice, showError, traces } from "../state/viewer";
import { locationOf, restoreLocation } from "./address";
import { decodeLocation } from "./view-location";

/** Interval of health checks in milliseconds, */
const CHECK_INTERVAL = 2000;
/** and the first one after the connection was lost. */
const FIRST_RETRY = 250;

/** Starts health checks; returns a function that stops them. */
export function followServer(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let before: ServerHealth | null = null;
  let retry = FIRST_RETRY;
  let isOver = false;

  const look = async (): Promise<void> => {
    const now = await serverHealth();
    const isOther = before !== null && now.instance !== before.instance;
    if (connection.peek() !== "open" || isOther) await reconnect(isOther);
    else if (before !== null && now.commands !== before.commands)
      for (const trace of traces.peek()) void trace.refresh().catch(showError);
    before = now;
    connection.value = "open";
  };
  const turn = async (): Promise<void> => {
    clearTimeout(timer);
    try {
      // A hidden page does not need to know.
      if (!document.hidden) await look();
    } catch (error) {
      if (error instanceof ApiError) connection.value = "refused";
      else if (connection.peek() === "open") showError(error);
    }
    if (isOver) return;
    clearTimeout(timer);
    const isLost = connection.peek() !== "open";
    timer = setTimeout(() => void turn(), isLost ? retry : CHECK_INTERVAL);
    retry = isLost ? Math.min(retry * 2, CHECK_INTERVAL) : FIRST_RETRY;
  };

  const onVisible = () => {
    if (!document.hidden) void turn();
  };
  document.addEventListener("visibilitychange", onVisible);
  const stop = connection.subscribe((state) => {
    if (state !== "lost") return;
    clearTimeout(timer);
    timer = setTimeout(() => void turn(), FIRST_RETRY);
  });
  void turn();
  return () => {
    isOver = true;
    clearTimeout(timer);
    stop();
    document.removeEventListener("visibilitychange", onVisible);
  };
}

/** Updates the open traces from the server. `isOther`: another server process answers. */
export async function reconnect(isOther: boolean): Promise<void> {
  const listed = await listTraces();
  const before = traces.peek();
  const shown = active.peek();
  // A page that never reached the server has its location in the address only.
  const spot = shown === null ? decodeLocation(location.hash) : locationOf(shown);
  const states = await Promise.all(listed.map((one) => refreshedState(one, before, isOther)));
  const gone = before.filter((trace) => !states.includes(trace));
  for (const { live } of gone) live?.stop();
  batch(() => {
    for (const trace of states) if (before.includes(trace)) trace.reloads.value += 1;
    traces.value = states;
    if (!states.some(({ id }) => id === activeId.peek())) activeId.value = states[0]?.id ?? null;
  });
  const isKept = states.some((trace) => trace === active.peek() && before.includes(trace));
  if (!isKept) void restoreLocation(spot);
  const names = new Set(states.map(({ overview }) => overview.name));
  const missing = gone
    .filter(({ overview }) => !names.has(overview.name))
    .map(({ overview }) => overview.name);
  if (missing.length > 0) notice.value = `${missing.join(", ")}: no longer open in rtoscope.`;
}

/** State of a listed trace: the current one if the trace is unchanged. */
async function refreshedState(
  listed: OpenTrace,
  before: readonly TraceState[],
  isOther: boolean,
): Promise<TraceState> {
  const shown = before.find(
    ({ id, overview }) => id === listed.id && overview.name === listed.name,
  );
  if (shown === undefined || (shown.live !== null) !== (listed.live === true))
    return loadTrace(listed);
  // A live trace reconnects by itself, unless the server process changed.
  if (shown.live !== null) return isOther ? loadTrace(listed) : shown;
  const overview = await shown.client.query({ query: "overview" });
  if (JSON.stringify(overview) !== JSON.stringify(shown.overview)) return loadTrace(listed);
  await shown.refreshNotes();
  return shown;
}
