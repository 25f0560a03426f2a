/** An object and the events that refer to it. */

import { Fragment } from "preact";
import { Icon } from "../../shell/Icon";
import { plural } from "../../state/format";
import { step } from "../../state/navigation";
import type { TraceState } from "../../state/trace";
import { VirtualTable } from "../events/VirtualTable";
import { hasMessages } from "../graphs/graph-sources";
import { addGraph } from "../graphs/selected-graphs";
import { useAnswer } from "../useAnswer";
import { parameterText } from "./parameter-text";
import "../panel.css";

interface ObjectHistoryProps {
  trace: TraceState;
  object: number;
  close: () => void;
}

export function ObjectHistory({ trace, object, close }: ObjectHistoryProps) {
  const known = trace.overview.objects[object];
  const { answer, error } = useAnswer(trace, { query: "history", object, offset: 0, limit: 1 });
  const by = { mode: "object", object } as const;
  const level = trace.overview.levels.find((one) => one.object === object);
  if (!known) return null;
  return (
    <div class="panel full object-history">
      <div class="row">
        <button type="button" class="plain" aria-label="Back to all objects" onClick={close}>
          <Icon name="previous" /> All objects
        </button>
        <h2>{known.name}</h2>
        <span class="muted">
          {known.class}
          {known.deleted && ", deleted"}
        </span>
      </div>
      <dl class="facts">
        <dt>Address</dt>
        <dd class="mono">{known.address}</dd>
        {known.parameters.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{parameterText(name, value)}</dd>
          </Fragment>
        ))}
      </dl>
      <div class="row">
        <button type="button" onClick={() => void step(trace, "previous", by)}>
          Previous
        </button>
        <button type="button" onClick={() => void step(trace, "next", by)}>
          Next
        </button>
        <button
          type="button"
          aria-pressed={
            trace.stepMode.value.mode === "object" && trace.stepMode.value.object === object
          }
          onClick={() => {
            trace.stepMode.value = by;
          }}
        >
          Step by this object
        </button>
        {level && (
          <button
            type="button"
            onClick={() => addGraph(trace, { kind: "level", resource: level.resource })}
          >
            Show level graph
          </button>
        )}
        {level && hasMessages(level) && (
          <button
            type="button"
            onClick={() => addGraph(trace, { kind: "messages", resource: level.resource })}
          >
            Show messages
          </button>
        )}
      </div>
      {error !== null && <p class="problem">{error}</p>}
      {answer && (
        <>
          <h3>{answer.total === 0 ? "No event refers to it." : plural(answer.total, "event")}</h3>
          <div class="list-place">
            <VirtualTable
              trace={trace}
              label={`History of ${known.name}`}
              total={answer.total}
              source={`history-${object}`}
              version={trace.dataVersion.value}
              fetch={(from, count, signal) =>
                trace.client.query({ query: "history", object, offset: from, limit: count }, signal)
              }
            />
          </div>
        </>
      )}
    </div>
  );
}
