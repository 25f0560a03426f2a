/** An object and the events that refer to it. */

import { Button, set } from "../../shell/controls";
import { Icon } from "../../shell/Icon";
import { parameterText, plural } from "../../state/format";
import { step } from "../../state/navigation";
import type { TraceState } from "../../state/trace";
import { VirtualTable } from "../events/VirtualTable";
import { type Fact, FactList } from "../FactList";
import { hasMessages } from "../graphs/graph-sources";
import { addGraph } from "../graphs/selected-graphs";
import { useAnswer } from "../useAnswer";
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
        <Button class="plain" aria-label="Back to all objects" onClick={close}>
          <Icon name="previous" /> All objects
        </Button>
        <h2>{known.name}</h2>
        <span class="muted">
          {known.class}
          {known.deleted && ", deleted"}
        </span>
      </div>
      <FactList
        facts={[
          ["Address", known.address, "mono"],
          ...known.parameters.map(([name, value]): Fact => [name, parameterText(name, value)]),
        ]}
      />
      <div class="row">
        <Button onClick={() => void step(trace, "previous", by)}>Previous</Button>
        <Button onClick={() => void step(trace, "next", by)}>Next</Button>
        <Button
          aria-pressed={
            trace.stepMode.value.mode === "object" && trace.stepMode.value.object === object
          }
          onClick={set(trace.stepMode, by)}
        >
          Step by this object
        </Button>
        {level && (
          <Button onClick={() => addGraph(trace, { kind: "level", resource: level.resource })}>
            Show level graph
          </Button>
        )}
        {level && hasMessages(level) && (
          <Button onClick={() => addGraph(trace, { kind: "messages", resource: level.resource })}>
            Show messages
          </Button>
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
