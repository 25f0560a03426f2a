/** Progress of traces that are being opened. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { openings, type TraceOpening } from "../state/viewer";
import "./opening-list.css";

/** Whole seconds since the component was mounted. */
function useSeconds(): number {
  const seconds = useSignal(0);
  useEffect(() => {
    const timer = setInterval(() => {
      seconds.value += 1;
    }, 1000);
    return () => clearInterval(timer);
  }, []);
  return seconds.value;
}

/** Text of the current phase. */
export function phaseText({ name, sent }: TraceOpening): string {
  if (name === "") return "Connecting to rtoscope…";
  return sent === null ? `Analysing ${name}…` : `Uploading ${name}: ${Math.floor(sent * 100)} %`;
}

function Row({ opening }: { opening: TraceOpening }) {
  const seconds = useSeconds();
  const { sent } = opening;
  return (
    <li>
      <span class="phase">{phaseText(opening)}</span>
      <progress
        aria-label={phaseText(opening)}
        max={1}
        {...(sent === null ? {} : { value: sent })}
      />
      <span class="muted seconds">{seconds > 0 && `${seconds} s`}</span>
    </li>
  );
}

export function OpeningList() {
  return (
    <ul class="opening-list" aria-label="Opening">
      {openings.value.map((opening, at) => (
        <Row key={at} opening={opening} />
      ))}
    </ul>
  );
}

/** Shown instead of a trace. */
export function OpeningPage() {
  return (
    <main class="start" aria-busy="true">
      <div class="start-card">
        <h1>rtoscope</h1>
        <OpeningList />
        <p class="muted">Keys pressed now take effect once the trace is open.</p>
      </div>
    </main>
  );
}
