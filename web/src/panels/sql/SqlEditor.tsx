/** The editor: a text area with completion. */

import { useSignal } from "@preact/signals";
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import type { SqlCatalogue, SqlError } from "../../session/sql";
import { set } from "../../shell/controls";
import { type Completion, complete, completions } from "./completion";

interface SqlEditorProps {
  sql: string;
  change: (sql: string) => void;
  run: () => void;
  catalogue: SqlCatalogue | null;
  /** Error of the statement in the editor. */
  error: SqlError | null;
}

interface OpenList {
  start: number;
  items: readonly Completion[];
  active: number;
}

/** Line and column of a position, from 0. */
function lineAndColumn(text: string, at: number): { line: number; column: number } {
  const lines = text.slice(0, at).split("\n");
  return { line: lines.length - 1, column: lines.at(-1)?.length ?? 0 };
}

/** UTF-16 range of the position of an error. */
export function rangeOf(sql: string, { position }: SqlError): [number, number] | null {
  if (position === null) return null;
  const lines = sql.split("\n");
  const before = lines.slice(0, position.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
  const characters = [...(lines[position.line - 1] ?? "")];
  const length = (end: number) => characters.slice(0, end).join("").length;
  return [before + length(position.start), before + length(position.end)];
}

export function SqlEditor({ sql, change, run, catalogue, error }: SqlEditorProps) {
  const editor = useRef<HTMLTextAreaElement>(null);
  const list = useSignal<OpenList | null>(null);
  const id = useId();
  // A caret to set after the text has changed.
  const caret = useRef<number | null>(null);

  useLayoutEffect(() => {
    if (caret.current !== null) editor.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  });
  useEffect(() => {
    const range = error === null ? null : rangeOf(sql, error);
    if (range !== null && document.activeElement === editor.current) {
      editor.current?.setSelectionRange(...range);
    }
  }, [error]);

  const open = (text: string, at: number, isAsked: boolean) => {
    const found = catalogue === null ? null : completions(text, at, catalogue, isAsked);
    list.value = found === null ? null : { ...found, active: 0 };
  };
  const accept = (item: Completion | undefined) => {
    const shown = list.peek();
    list.value = null;
    if (shown === null || item === undefined || editor.current === null) return;
    const at = editor.current.selectionStart;
    const changed = complete(sql, at, shown.start, item.text);
    caret.current = changed.caret;
    change(changed.sql);
    editor.current.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const shown = list.peek();
    const isModified = event.ctrlKey || event.metaKey;
    if (isModified && event.key === "Enter") {
      list.value = null;
      run();
    } else if (event.ctrlKey && event.key === " ") {
      open(sql, editor.current?.selectionStart ?? 0, true);
    } else if (shown !== null && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      const by = event.key === "ArrowDown" ? 1 : -1;
      const active = (shown.active + by + shown.items.length) % shown.items.length;
      list.value = { ...shown, active };
    } else if (shown !== null && (event.key === "Enter" || event.key === "Tab")) {
      accept(shown.items[shown.active]);
    } else if (shown !== null && event.key === "Escape") {
      list.value = null;
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  const shown = list.value;
  const isOpen = shown !== null;
  return (
    <div class="sql-editor">
      <textarea
        ref={editor}
        aria-label="SQL"
        aria-autocomplete="list"
        aria-controls={isOpen ? id : undefined}
        aria-activedescendant={isOpen ? `${id}-${shown.active}` : undefined}
        aria-invalid={error !== null}
        spellcheck={false}
        autocomplete="off"
        autocapitalize="off"
        wrap="off"
        value={sql}
        onInput={({ currentTarget }) => {
          change(currentTarget.value);
          open(currentTarget.value, currentTarget.selectionStart, false);
        }}
        onKeyDown={onKeyDown}
        onPointerDown={set(list, null)}
        onBlur={set(list, null)}
      />
      {shown !== null && (
        <CompletionList
          id={id}
          shown={shown}
          place={lineAndColumn(sql, shown.start)}
          editor={editor.current}
          accept={accept}
        />
      )}
    </div>
  );
}

interface CompletionListProps {
  id: string;
  shown: OpenList;
  place: { line: number; column: number };
  editor: HTMLTextAreaElement | null;
  accept: (item: Completion) => void;
}

/** Names below the word that they complete. */
function CompletionList({ id, shown, place, editor, accept }: CompletionListProps) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    element.current?.children[shown.active]?.scrollIntoView({ block: "nearest" });
  }, [shown.active]);
  const [left, top] = [editor?.scrollLeft ?? 0, editor?.scrollTop ?? 0];
  return (
    <div
      class="sql-completions"
      role="listbox"
      id={id}
      aria-label="Completions"
      ref={element}
      style={{
        "--line": place.line + 1,
        "--column": place.column,
        "--scrolled-left": `${left}px`,
        "--scrolled-top": `${top}px`,
      }}
    >
      {shown.items.map((item, number) => (
        <div
          key={item.text}
          id={`${id}-${number}`}
          role="option"
          tabIndex={-1}
          aria-selected={number === shown.active}
          title={item.about}
          onPointerDown={(event) => {
            // The editor keeps the focus.
            event.preventDefault();
            accept(item);
          }}
        >
          <span class="name">{item.text}</span> <span class="muted">{item.kind}</span>
        </div>
      ))}
    </div>
  );
}
