/** Search by value: a form that composes a filter expression. */

import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { Button, Suggested, set as setSignal } from "../../shell/controls";
import type { TraceState } from "../../state/trace";
import { compose, EMPTY, type ValueFields } from "./compose-filter";
import { filterName } from "./suggestions";

interface ValueFormProps {
  trace: TraceState;
  search: (filter: string) => void;
}

/** Maximum number of suggested names. */
const MAX_SUGGESTIONS = 1000;
const NAMES = [
  { field: "context", title: "Context", placeholder: "any" },
  { field: "kind", title: "Event kind", placeholder: "any name or number" },
  { field: "object", title: "Object", placeholder: "any" },
] as const;
const INFO = [0, 1, 2, 3] as const;

export function ValueForm({ trace, search }: ValueFormProps) {
  const form = useSignal<ValueFields>(EMPTY);
  const id = useId();
  const set = (changes: Partial<ValueFields>) => {
    form.value = { ...form.peek(), ...changes };
  };
  const { contexts, kinds, objects } = trace.overview;
  const names = {
    context: contexts.slice(0, MAX_SUGGESTIONS).map(filterName),
    kind: kinds.map(({ name }) => name),
    object: objects.slice(0, MAX_SUGGESTIONS).map(({ name }) => name),
  };
  const filter = compose(form.value);
  const kind = kinds.find(({ name }) => name === form.value.kind);
  return (
    <form
      class="value-form"
      aria-label="Search by value"
      onSubmit={(event) => {
        event.preventDefault();
        // Not that of the last rendering, which may be older than the fields.
        search(compose(form.peek()));
      }}
    >
      {NAMES.map(({ field, title, placeholder }) => (
        <Suggested
          key={field}
          label={title}
          list={`${id}-${field}`}
          suggestions={names[field].map((value) => ({ value }))}
          value={form.value[field]}
          placeholder={placeholder}
          change={(value) => set({ [field]: value })}
        />
      ))}
      <div class="infos">
        {INFO.map((at) => (
          <label key={at}>
            Argument {at + 1}
            {kind?.arguments[at] != null && <span class="muted"> {kind.arguments[at]}</span>}
            <input
              class="mono"
              value={form.value.info[at]}
              placeholder="0x10 or 1-5"
              spellcheck={false}
              onInput={(event) => {
                const info: [string, string, string, string] = [...form.peek().info];
                info[at] = event.currentTarget.value;
                set({ info });
              }}
            />
          </label>
        ))}
      </div>
      <div class="row" role="radiogroup" aria-label="Match">
        {([true, false] as const).map((all) => (
          <label key={String(all)} class="inline">
            <input
              type="radio"
              name={`${id}-match`}
              checked={form.value.all === all}
              onChange={() => set({ all })}
            />{" "}
            {all ? "Match all fields" : "Match any field"}
          </label>
        ))}
      </div>
      {filter !== "" && <code class="composed">{filter}</code>}
      <div class="row">
        <button type="submit" class="main" disabled={filter === ""}>
          Search by value
        </button>
        <Button onClick={setSignal(form, EMPTY)}>Clear</Button>
      </div>
    </form>
  );
}
