/** Badge of a live trace in its tab. */

import type { LiveTrace } from "../../state/live/live-trace";
import { connectionText } from "./status-text";
import "./live.css";

export function LiveBadge({ live }: { live: LiveTrace }) {
  const state =
    live.outage.value === null ? (live.status.value?.connection.state ?? "waiting") : "away";
  const { word } = connectionText(live.status.value);
  const title = state === "away" ? "The server does not answer" : word;
  return (
    <span class={`live-badge ${state}`} title={title}>
      <span class="live-dot" aria-hidden="true" />
      live
    </span>
  );
}
