/** What a live recording without events waits for, in place of its picture. */

import type { LiveTrace } from "../../state/live/live-trace";
import { connectionText } from "./status-text";
import "./live.css";

export function LiveHint({ live }: { live: LiveTrace }) {
  if (live.trace.overview.events > 0) return null;
  const status = live.status.value;
  const { word, text } = connectionText(status);
  const isOver = status?.connection.state === "ended" || status?.connection.state === "failed";
  return (
    <p class="live-hint">
      <b>
        {word} {text}
      </b>
      <span>
        {isOver
          ? "The recording has no events."
          : "Events appear here as soon as the target sends them."}
      </span>
    </p>
  );
}
