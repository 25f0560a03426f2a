/** A notice that disappears after a while. */

import { useEffect } from "preact/hooks";
import { notice } from "../state/viewer";
import { IconButton, set } from "./controls";
import "./notices.css";

const DURATION = 6000;

export function Notices() {
  const text = notice.value;
  useEffect(() => {
    if (text === null) return undefined;
    const timer = setTimeout(set(notice, null), DURATION);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div class="notices" role="status" aria-live="polite">
      {text !== null && (
        <div class="notice">
          <span>{text}</span>
          <IconButton icon="close" label="Dismiss" onClick={set(notice, null)} />
        </div>
      )}
    </div>
  );
}
