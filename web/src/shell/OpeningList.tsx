/** Progress of traces that are being opened. */

import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { OpeningPhase, OpeningProgress } from "../session/wire";
import { countText, decimalText, plural } from "../state/format";
import { fractionDone } from "../state/opening-progress";
import { openings, type TraceOpening } from "../state/viewer";
import { DensityStrip } from "./DensityStrip";
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
function phaseText({ name, sent, progress }: TraceOpening): string {
  if (name === "") return "Connecting to rtoscope…";
  if (sent !== null) return `Uploading ${name}: ${Math.floor(sent * 100)} %`;
  const part = progress === null ? null : fractionDone(progress);
  const phase = PHASES[progress?.phase ?? "analysis"];
  return part === null ? `${phase} ${name}…` : `${phase} ${name}: ${Math.floor(part * 100)} %`;
}

const PHASES: Record<OpeningPhase, string> = {
  reading: "Reading",
  decoding: "Decoding",
  analysis: "Analysing",
  indexing: "Indexing",
};

/** What the current phase has processed: `144.0 of 320.0 MB`, `4 000 of 10 000 events`. */
function amountText({ phase, done, total }: OpeningProgress): string {
  if (total === null) return "";
  if (phase === "analysis") return `${countText(done)} of ${plural(total, "event")}`;
  const megabytes = (bytes: number) => decimalText(bytes / 1e6);
  return `${megabytes(done)} of ${megabytes(total)} MB`;
}

function Row({ row, hasStrip }: { row: Signal<TraceOpening>; hasStrip: boolean }) {
  const seconds = useSeconds();
  const { sent, progress } = row.value;
  const part = sent ?? (progress === null ? null : fractionDone(progress));
  const text = phaseText(row.value);
  return (
    <li>
      <span class="phase">{text}</span>
      <progress aria-label={text} max={1} {...(part === null ? {} : { value: part })} />
      <span class="muted seconds">{seconds > 0 && `${seconds} s`}</span>
      {hasStrip && progress !== null && (
        <>
          <span class="muted amount">{amountText(progress)}</span>
          <DensityStrip progress={progress} />
        </>
      )}
    </li>
  );
}

/** `hasStrips`: also shows the events so far. */
export function OpeningList({ hasStrips = false }: { hasStrips?: boolean }) {
  return (
    <ul class="opening-list" aria-label="Opening">
      {openings.value.map((row, at) => (
        <Row key={at} row={row} hasStrip={hasStrips} />
      ))}
    </ul>
  );
}

/** Shown instead of a trace. */
export function OpeningPage() {
  return (
    <main class="start" aria-busy="true">
      <div class="start-card opening-card">
        <p class="title">rtoscope</p>
        <OpeningList hasStrips />
        <p class="muted">Keys pressed now take effect once the trace is open.</p>
      </div>
    </main>
  );
}
