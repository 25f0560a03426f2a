/** Short reference of the filter language. */

import { useSignal } from "@preact/signals";
import { Button } from "../../shell/controls";

const TEXTS: readonly [string, string][] = [
  ["mutex", "events that show this word: in kind, context, object, argument …"],
  ['queue "task 1"', "both, in any place"],
  ["0x20000100", "an address or value"],
];
const FIELDS: readonly [string, string][] = [
  ["event", "event number"],
  ["time", "ticks since the first event, or 1.5ms, 20us …"],
  ["timestamp", "the timestamp as recorded"],
  ["core", "core number"],
  ["context", "name or address of the running context; interrupt, initialize, idle"],
  ["interrupted", "the context that the interrupt interrupted"],
  ["kind", "name, symbol or number of the event kind"],
  ["component", "software component of the event kind, e.g. filex"],
  ["object", "name or address of an object among the arguments"],
  ["class", "class of the object, e.g. queue"],
  ["priority, threshold", "of the running thread"],
  ["info1 … info4", "arguments by position"],
  ["arg.name", "an argument by name, with _ for spaces"],
];
const TESTS: readonly [string, string][] = [
  ["== != < <= > >=", "compare"],
  ["~ !~", 'matches a pattern: context ~ "work*"'],
  ["in (a, b)", "any of these"],
  ["in 1..5, in 1..=5", "a range, excluding or including its end"],
  ["& 0x10", "any of the bits is set"],
  ["and or not ( )", "combine"],
];

export function FilterHelp() {
  const isOpen = useSignal(false);
  const list = (rows: readonly [string, string][]) => (
    <dl class="facts">
      {rows.map(([term, text]) => (
        <div key={term} class="help-row">
          <dt>
            <code>{term}</code>
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
  return (
    <>
      <Button popovertarget="filter-help" aria-label="Filter help">
        Help
      </Button>
      <div
        id="filter-help"
        class="filter-help"
        popover="auto"
        role="dialog"
        aria-label="Filters"
        data-open={isOpen.value ? "" : undefined}
        onToggle={(event) => {
          isOpen.value = event.newState === "open";
        }}
      >
        <h3>Words</h3>
        {list(TEXTS)}
        <h3>Fields</h3>
        {list(FIELDS)}
        <h3>Operators</h3>
        {list(TESTS)}
        <p class="muted">
          Example: <code>kind ~ queue and time in 1ms..2ms and not core == 0</code>
        </p>
      </div>
    </>
  );
}
