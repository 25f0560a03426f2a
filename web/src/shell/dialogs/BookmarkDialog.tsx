/** Adds or changes a bookmark with a note at an event, at a time or on a range. */

import { useSignal } from "@preact/signals";
import { putBookmark } from "../../panels/bookmarks/edit-bookmarks";
import type { DraftPlace } from "../../panels/bookmarks/new-bookmark";
import { placeKey } from "../../state/bookmarks";
import type { TraceState } from "../../state/trace";
import { textOf } from "../controls";
import { FormDialog } from "./FormDialog";
import { closeDialog } from "./open-dialog";

export function BookmarkDialog({ trace, draft }: { trace: TraceState; draft: DraftPlace }) {
  const { place, text } = draft;
  const key = placeKey(place);
  const known = trace.bookmarks.value.find((bookmark) => placeKey(bookmark) === key);
  const note = useSignal(known?.note ?? "");
  const save = async () => {
    await putBookmark(trace, { ...place, note: note.value.trim() });
    closeDialog();
  };
  return (
    <FormDialog
      title={`${known ? "Bookmark" : "New bookmark"} ${text}`}
      action="Save"
      submit={() => void save()}
    >
      <label>
        Note
        <textarea
          autofocus
          rows={3}
          maxLength={1000}
          {...textOf(note)}
          onKeyDown={(key) => {
            if (key.key === "Enter" && !key.shiftKey) {
              key.preventDefault();
              key.currentTarget.form?.requestSubmit();
            }
          }}
        />
      </label>
    </FormDialog>
  );
}
