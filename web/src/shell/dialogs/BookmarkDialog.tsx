/** Adds or changes a bookmark with a note at the selected event. */

import { useSignal } from "@preact/signals";
import { putBookmark } from "../../panels/bookmarks/edit-bookmarks";
import type { TraceState } from "../../state/trace";
import { Dialog } from "./Dialog";
import { closeDialog } from "./open-dialog";

export function BookmarkDialog({ trace }: { trace: TraceState }) {
  const event = useSignal(trace.selected.peek()?.event ?? 0).value;
  const known = trace.bookmarks.value.find((bookmark) => bookmark.event === event);
  const note = useSignal(known?.note ?? "");
  const set = async (submitted: Event) => {
    submitted.preventDefault();
    await putBookmark(trace, { event, note: note.value.trim() });
    closeDialog();
  };
  return (
    <Dialog title={known ? `Bookmark at event ${event}` : `New bookmark at event ${event}`}>
      <form onSubmit={set}>
        <label>
          Note
          <textarea
            autofocus
            rows={3}
            maxLength={1000}
            value={note.value}
            onInput={(input) => {
              note.value = input.currentTarget.value;
            }}
            onKeyDown={(key) => {
              if (key.key === "Enter" && !key.shiftKey) {
                key.preventDefault();
                key.currentTarget.form?.requestSubmit();
              }
            }}
          />
        </label>
        <div class="buttons">
          <button type="button" onClick={closeDialog}>
            Cancel
          </button>
          <button type="submit" class="main">
            Save
          </button>
        </div>
      </form>
    </Dialog>
  );
}
