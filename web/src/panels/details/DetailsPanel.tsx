/** Details of the selected event. */

import { CommandButton } from "../../shell/CommandButton";
import { countText } from "../../state/format";
import type { TraceState } from "../../state/trace";
import { eventKind } from "../event-kind";
import { KindIcon } from "../legend/KindIcon";
import { useAnswer } from "../useAnswer";
import { EventDetailsView } from "./EventDetailsView";
import "../panel.css";
import "./details.css";

export function DetailsPanel({ trace }: { trace: TraceState }) {
  const selected = trace.selected.value;
  const { answer, error } = useAnswer(
    trace,
    selected && { query: "event", event: selected.event },
    trace.frequencyHz.value,
  );
  if (selected === null) {
    return (
      <div class="panel">
        <p class="nothing">Select an event in the timeline or in a table to see its details.</p>
        <p class="nothing">
          <kbd>←</kbd> <kbd>→</kbd> step through events, <kbd>Enter</kbd> pins the details.
        </p>
      </div>
    );
  }
  const kind = answer && eventKind(trace.overview, answer.kind);
  return (
    <div class="panel">
      {error !== null && <p class="problem">{error}</p>}
      {answer && (
        <>
          <header class="event-title">
            {kind && <KindIcon kind={kind} />}
            <h2>{answer.name}</h2>
            <span class="muted">event {countText(answer.event)}</span>
            <span class="event-buttons">
              <CommandButton id="previous-event" />
              <CommandButton id="next-event" />
              <CommandButton id="path" />
              <CommandButton id="pin" />
              <CommandButton id="bookmark" />
            </span>
          </header>
          <EventDetailsView trace={trace} details={answer} />
        </>
      )}
    </div>
  );
}
