/** Texts about a live recording. */

import type { ConnectionState, LiveStatus } from "../../session/wire";
import { plural } from "../../state/format";

/** Words for connection states. */
const STATE_TEXTS: Record<ConnectionState, string> = {
  waiting: "Waiting",
  connected: "Connected",
  lost: "Lost",
  ended: "Ended",
  failed: "Failed",
};

/** State of the connection as a word and a sentence. */
export function connectionText(status: LiveStatus | null): { word: string; text: string } {
  if (status === null) return { word: "Waiting", text: "for the server" };
  const { state, text } = status.connection;
  if (state === "waiting" && text !== "") return { word: "Waiting", text: `for ${text}` };
  return {
    word: STATE_TEXTS[state],
    text: state === "ended" && text === "" ? "end of the recording" : text,
  };
}

const UNITS = ["B", "kB", "MB", "GB", "TB"];

/** An amount of bytes: `512 B`, `1.5 kB`. */
export function bytesText(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? Math.round(value) : value.toPrecision(3)} ${UNITS[unit]}`;
}

/** Losses of the recording; empty if there are none. */
export function lossesText({ missing, gaps, invalid_frames: bad }: LiveStatus): string {
  return [
    ...(missing > 0 ? [`${plural(missing, "event")} missing`] : []),
    ...(gaps > 0 ? [plural(gaps, "gap")] : []),
    ...(bad > 0 ? [`${plural(bad, "invalid frame")}`] : []),
  ].join(", ");
}
