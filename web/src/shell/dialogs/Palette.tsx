/** Command palette: finds commands, threads, objects, reports and bookmarks by a few letters. */

import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { active } from "../../state/viewer";
import { set } from "../controls";
import { Dialog } from "./Dialog";
import { rank } from "./fuzzy";
import { Keys } from "./KeyHelp";
import { closeDialog } from "./open-dialog";
import { type PaletteEntry, paletteEntries } from "./palette-entries";

const MAX_MATCHES = 60;

function Highlighted({ text, positions }: { text: string; positions: readonly number[] }) {
  const marked = new Set(positions);
  return (
    <>
      {Array.from(text, (letter, at) => (marked.has(at) ? <mark key={at}>{letter}</mark> : letter))}
    </>
  );
}

export function Palette() {
  const typed = useSignal("");
  const at = useSignal(0);
  const list = useRef<HTMLDivElement>(null);
  const all = useComputed(() => paletteEntries(active.value));
  const found = useComputed(() => rank(all.value, typed.value, (one) => one.title, MAX_MATCHES));
  const run = (one: PaletteEntry | undefined) => {
    if (!one) return;
    closeDialog();
    // The command must not find this dialog still open.
    queueMicrotask(one.run);
  };
  const move = (by: number) => {
    const count = found.value.length;
    if (count > 0) at.value = (at.value + by + count) % count;
  };
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView?.({ block: "nearest" });
  }, [at.value]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "PageDown") at.value = Math.min(at.value + 10, found.value.length - 1);
    else if (event.key === "PageUp") at.value = Math.max(at.value - 10, 0);
    else if (event.key === "Enter") run(found.value[at.value]?.one);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Find" kind="find" bare>
      <input
        class="palette-input"
        autofocus
        role="combobox"
        aria-expanded="true"
        spellcheck={false}
        aria-controls="palette-list"
        aria-label="Find a command, thread, object or report"
        aria-activedescendant={`palette-${at.value}`}
        placeholder="Command, thread, object, report…"
        value={typed.value}
        onKeyDown={onKeyDown}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          at.value = 0;
        }}
      />
      {found.value.length === 0 && <p class="palette-none muted">No matches.</p>}
      <div class="palette-list" id="palette-list" role="listbox" aria-label="Matches" ref={list}>
        {found.value.map(({ one, positions }, number) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox handles Enter for its active option
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the combobox, see aria-activedescendant
          <div
            key={number}
            id={`palette-${number}`}
            role="option"
            aria-selected={number === at.value}
            onClick={() => run(one)}
            onPointerMove={set(at, number)}
          >
            <span class="what">
              <Highlighted text={one.title} positions={positions} />
            </span>
            <span class="group">{one.group}</span>
            <Keys names={one.keys.slice(0, 1)} />
          </div>
        ))}
      </div>
    </Dialog>
  );
}
