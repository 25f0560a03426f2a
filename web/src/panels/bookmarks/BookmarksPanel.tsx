/** Bookmarks with their notes. */

import { useSignal } from "@preact/signals";
import type { Bookmark } from "../../session/wire";
import { command } from "../../shell/commands";
import { Icon } from "../../shell/Icon";
import type { TraceState } from "../../state/trace";
import { EventLink } from "../EventLink";
import { putBookmark, removeBookmark } from "./edit-bookmarks";
import "../panel.css";
import "./bookmarks.css";

function Entry({ trace, bookmark }: { trace: TraceState; bookmark: Bookmark }) {
  const { event, note } = bookmark;
  const text = useSignal<string | null>(null);
  const keep = async (submitted: Event) => {
    submitted.preventDefault();
    await putBookmark(trace, { event, note: (text.peek() ?? note).trim() });
    text.value = null;
  };
  return (
    <li>
      <EventLink trace={trace} event={event} />
      {text.value === null ? (
        <span class="note">{note || <span class="muted">no note</span>}</span>
      ) : (
        <form class="note" onSubmit={keep}>
          <input
            autofocus
            aria-label={`Note at event ${event}`}
            value={text.value}
            maxLength={1000}
            onInput={(input) => {
              text.value = input.currentTarget.value;
            }}
            onKeyDown={(key) => {
              if (key.key === "Escape") text.value = null;
            }}
          />
          <button type="submit">Save</button>
        </form>
      )}
      <button
        type="button"
        class="plain"
        aria-label={`Edit the note at event ${event}`}
        onClick={() => {
          text.value = text.peek() === null ? note : null;
        }}
      >
        <Icon name="edit" />
      </button>
      <button
        type="button"
        class="plain"
        aria-label={`Delete the bookmark at event ${event}`}
        onClick={() => void removeBookmark(trace, event)}
      >
        <Icon name="trash" />
      </button>
    </li>
  );
}

export function BookmarksPanel({ trace }: { trace: TraceState }) {
  const bookmarks = trace.bookmarks.value;
  const selected = trace.selected.value;
  return (
    <div class="panel bookmarks">
      <div class="row">
        <button type="button" disabled={selected === null} onClick={command("bookmark").run}>
          <Icon name="bookmark" /> Bookmark selected event
        </button>
      </div>
      {bookmarks.length === 0 && (
        <p class="nothing">
          No bookmarks. Select an event and press <kbd>B</kbd> to add one with a note.
        </p>
      )}
      <ul class="plain-list" aria-label="Bookmarks">
        {bookmarks.map((bookmark) => (
          <Entry key={bookmark.event} trace={trace} bookmark={bookmark} />
        ))}
      </ul>
    </div>
  );
}
