/** A notice that disappears after a while. */

import { useEffect } from "preact/hooks";
import { notice } from "../state/viewer";
import { Icon } from "./Icon";
import "./notices.css";

const DURATION = 6000;

export function Notices() {
  const text = notice.value;
  useEffect(() => {
    if (text === null) return undefined;
    const timer = setTimeout(() => {
      notice.value = null;
    }, DURATION);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div class="notices" role="status" aria-live="polite">
      {text !== null && (
        <div class="notice">
          <span>{text}</span>
          <button
            type="button"
            class="plain"
            aria-label="Dismiss"
            onClick={() => {
              notice.value = null;
            }}
          >
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  );
}
