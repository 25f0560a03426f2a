/** Bookmarks with their notes, and the differences between them. */

import { type Signal, useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { Bookmark } from "../../session/wire";
import { command, isEnabled } from "../../shell/commands";
import { Button, IconButton, Options, set } from "../../shell/controls";
import { Icon } from "../../shell/Icon";
import { isAtEvent, momentOf, placeKey, placeText, placeTexts } from "../../state/bookmarks";
import { countText, durationText, shownClock } from "../../state/format";
import type { Moment, TraceState } from "../../state/trace";
import { EventPositions } from "../../timeline/data/event-positions";
import { distanceText } from "../../timeline/position-text";
import { putBookmark, removeBookmark } from "./edit-bookmarks";
import { goToBookmark } from "./go-to-bookmark";
import { type BookmarkOrder, ORDERS, sortBookmarks } from "./sort-bookmarks";
import "../panel.css";
import "./bookmarks.css";

/** The note that is edited: the key of its bookmark's place, and its text. */
interface EditedNote {
  key: string;
  text: string;
  /** The bookmark when editing began. */
  seen: Bookmark;
}

interface EntryProps {
  trace: TraceState;
  bookmark: Bookmark;
  positions: EventPositions;
  edited: Signal<EditedNote | null>;
  /** Moment that the difference counts from. */
  origin: Moment | null;
}

function Entry({ trace, bookmark, positions, edited, origin }: EntryProps) {
  const { event, end, note } = bookmark;
  const key = placeKey(bookmark);
  void positions.changes.value;
  const place = placeText(trace, bookmark, positions);
  const texts = placeTexts(trace, bookmark, positions);
  const start = momentOf(bookmark, positions);
  const last = end && momentOf(end, positions);
  const editedText = () => (edited.value?.key === key ? edited.value.text : null);
  const text = editedText();
  const keep = async (submitted: Event) => {
    submitted.preventDefault();
    await putBookmark(
      trace,
      { ...bookmark, note: (editedText() ?? note).trim() },
      edited.value?.seen,
    );
    edited.value = null;
  };
  return (
    <li>
      <div class="entry">
        <div class="place">
          <Button
            class="link"
            title={`Go to the bookmark ${place}`}
            onClick={() => void goToBookmark(trace, bookmark)}
          >
            {isAtEvent(bookmark)
              ? countText(event)
              : texts.end === null
                ? texts.start
                : `${texts.start} – ${texts.end}`}
          </Button>
          {start && last && (
            <span class="muted">{durationText(last.time - start.time, shownClock(trace))}</span>
          )}
          {origin && start && (
            <span class="difference">Δ {distanceText(trace, origin, start)}</span>
          )}
        </div>
        {text === null ? (
          <span class="note">{note || <span class="muted">no note</span>}</span>
        ) : (
          <form class="note" onSubmit={keep}>
            <input
              autofocus
              aria-label={`Note ${place}`}
              value={text}
              maxLength={1000}
              onInput={(input) => {
                const seen = edited.value?.seen ?? bookmark;
                edited.value = { key, text: input.currentTarget.value, seen };
              }}
              onKeyDown={(pressed) => {
                if (pressed.key === "Escape") edited.value = null;
              }}
            />
            <button type="submit">Save</button>
          </form>
        )}
      </div>
      <IconButton
        icon="edit"
        label={`Edit the note ${place}`}
        onClick={set(edited, text === null ? { key, text: note, seen: bookmark } : null)}
      />
      <IconButton
        icon="trash"
        label={`Delete the bookmark ${place}`}
        onClick={() => void removeBookmark(trace, bookmark)}
      />
    </li>
  );
}

export function BookmarksPanel({ trace }: { trace: TraceState }) {
  const positions = useMemo(() => new EventPositions(trace.client), [trace]);
  const order = useSignal<BookmarkOrder>("place");
  const edited = useSignal<EditedNote | null>(null);
  /** Where differences count from: a marker, or the key of a bookmark's place. */
  const origin = useSignal("");
  void positions.changes.value;
  const bookmarks = trace.bookmarks.value;
  const { a, b } = trace.markers;
  const origins = [
    { value: "a", title: "marker A", moment: a.value },
    { value: "b", title: "marker B", moment: b.value },
    ...bookmarks.map((bookmark) => ({
      value: placeKey(bookmark),
      title: `${bookmark.note} (${placeText(trace, bookmark, positions)})`,
      moment: momentOf(bookmark, positions),
    })),
  ].filter(({ moment }) => moment !== null);
  const from = origins.find(({ value }) => value === origin.value)?.moment ?? null;
  const run = (id: string) => {
    const found = command(id);
    return { title: found.title, onClick: found.run, disabled: !isEnabled(found) };
  };
  return (
    <div class="panel bookmarks">
      <div class="row">
        <Button {...run("bookmark")}>
          <Icon name="bookmark" /> Bookmark selected event
        </Button>
        <Button {...run("keep-range")}>Keep selected range</Button>
      </div>
      {bookmarks.length === 0 && (
        <p class="nothing">
          No bookmarks. Select an event and press <kbd>B</kbd> to add one with a note, point at a
          time and press <kbd>J</kbd>, or drag a range and press <kbd>Shift+J</kbd>.
        </p>
      )}
      {bookmarks.length > 0 && (
        <div class="row">
          <label>
            Sort by{" "}
            <select
              value={order.value}
              onChange={(change) => {
                order.value = change.currentTarget.value as BookmarkOrder;
              }}
            >
              <Options of={ORDERS.map(({ by, title }) => [by, title])} />
            </select>
          </label>
          <label>
            Difference to{" "}
            <select
              value={from === null ? "" : origin.value}
              onChange={(change) => {
                origin.value = change.currentTarget.value;
              }}
            >
              <option value="">nothing</option>
              <Options of={origins.map(({ value, title }) => [value, title])} />
            </select>
          </label>
        </div>
      )}
      <ul class="plain-list" aria-label="Bookmarks">
        {sortBookmarks(bookmarks, order.value, positions).map((bookmark) => (
          <Entry
            key={placeKey(bookmark)}
            trace={trace}
            bookmark={bookmark}
            positions={positions}
            edited={edited}
            origin={from}
          />
        ))}
      </ul>
    </div>
  );
}
