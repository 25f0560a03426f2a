/** Form for the filters of intervals. */

import { useSignal } from "@preact/signals";
import type { IntervalFilters } from "../../session/wire";
import { Button, Options, Suggested } from "../../shell/controls";
import { REPEATED } from "../../state/intervals";
import type { TraceState } from "../../state/trace";
import { notice, showError } from "../../state/viewer";
import { suggestions } from "../search/suggestions";
import { rangeFilters } from "./range-filters";

const EFFECTS: Record<(typeof REPEATED)[number], string> = {
  restart: "restarts it",
  first: "is ignored",
  nested: "opens another one within",
};

/** Filters are no prose. */
const PLAIN = { spellcheck: false, autocomplete: "off" } as const;

interface FormProps {
  trace: TraceState;
  problem: string | null;
  submit: (filters: IntervalFilters) => void;
}

/** Names of the arguments of the trace's events, as filters spell them. */
function argumentNames({ overview }: TraceState): string[] {
  const names = overview.kinds.flatMap((kind) => kind.arguments);
  const written = names.flatMap((name) =>
    name === null ? [] : name.toLowerCase().replaceAll(" ", "_"),
  );
  return ["thread", "object", ...new Set(written)];
}

export function IntervalForm({ trace, problem, submit }: FormProps) {
  const last = trace.intervals.peek().at(-1)?.filters;
  const fields = useSignal<IntervalFilters>(
    last ?? { from: "", to: "", by: "", repeated: "restart" },
  );
  const set = (part: Partial<IntervalFilters>) => {
    fields.value = { ...fields.peek(), ...part };
  };
  // Of the fields at the call, which may be newer than those last rendered.
  const filled = (): IntervalFilters => {
    const { from, to, by, repeated } = fields.value;
    return { from: from.trim(), to: to.trim(), by: by.trim(), repeated };
  };
  const isComplete = () => filled().from !== "" && filled().to !== "";
  const takeRange = async () => {
    const range = trace.range.peek();
    if (range === null) return;
    try {
      const found = await rangeFilters(trace, range);
      if (found === null) notice.value = "The range has fewer than two events.";
      else set(found);
    } catch (error) {
      showError(error);
    }
  };
  const filter = (side: "from" | "to", label: string, placeholder: string) => (
    <Suggested
      label={label}
      list={`interval-${side}-suggestions`}
      suggestions={suggestions(fields.value[side], trace.overview).map((one) => ({
        value: one.filter,
        label: one.label,
      }))}
      placeholder={placeholder}
      value={fields.value[side]}
      change={(value) => set({ [side]: value })}
      attributes={{
        ...PLAIN,
        class: "mono",
        "aria-invalid": problem?.startsWith(`${side}:`) ?? false,
      }}
    />
  );
  return (
    <form
      class="interval-form"
      aria-label="New intervals"
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete()) submit(filled());
      }}
    >
      {filter("from", "From", 'kind == "ISR enter"')}
      {filter("to", "To the next", "tx_queue_send worker")}
      <Suggested
        label="With the same"
        list="interval-pairings"
        suggestions={argumentNames(trace).map((value) => ({ value }))}
        placeholder="thread, object or an argument; any"
        value={fields.value.by}
        change={(value) => set({ by: value })}
        attributes={PLAIN}
      />
      <label>
        A start while one is open
        <select
          value={fields.value.repeated}
          onChange={({ currentTarget }) => set({ repeated: currentTarget.value })}
        >
          <Options of={REPEATED.map((effect) => [effect, EFFECTS[effect]])} />
        </select>
      </label>
      <div class="row">
        <button type="submit" class="main" disabled={!isComplete()}>
          Measure
        </button>
        <Button
          title="Filters for the first and the last event of the dragged range"
          disabled={trace.range.value === null}
          onClick={() => void takeRange()}
        >
          Take from range
        </Button>
      </div>
    </form>
  );
}
