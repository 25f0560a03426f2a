/** Recordings that were opened last, on the start page. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { clearRecent, listRecent, type RecentRecording } from "../session/client";
import { openRecent, showError } from "../state/viewer";
import { Button, set } from "./controls";

export function RecentList() {
  const recordings = useSignal<RecentRecording[]>([]);
  useEffect(() => {
    listRecent().then((found) => {
      recordings.value = found;
    }, showError);
  }, []);
  if (recordings.value.length === 0) return null;
  const clear = () => clearRecent().then(set(recordings, []), showError);
  return (
    <section class="recent" aria-label="Recent recordings">
      <div class="recent-head">
        <h2>Recent recordings</h2>
        <Button class="link" onClick={() => void clear()}>
          Clear
        </Button>
      </div>
      <ul>
        {recordings.value.map((one) => (
          <li key={one.id}>
            <Button
              class="plain"
              disabled={!one.exists}
              title={`${one.folder}/${one.name}`}
              onClick={() => void openRecent(one)}
            >
              <span class="recent-name">{one.name}</span>
              <span class="recent-folder">{one.exists ? one.folder : "no longer there"}</span>
              <span class="recent-time">
                {new Date(one.opened * 1000).toLocaleString([], {
                  dateStyle: "medium",
                  timeStyle: "short",
                })}
              </span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
