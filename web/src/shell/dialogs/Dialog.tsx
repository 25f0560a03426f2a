/** A native modal dialog: it traps the focus, and Escape closes it. */

import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { IconButton } from "../controls";
import { closeDialog } from "./open-dialog";
import "./dialog.css";

interface DialogProps {
  title: string;
  /** CSS class for its width. */
  kind?: string;
  /** Whether the title is only for screen readers. */
  bare?: boolean;
  children: ComponentChildren;
}

/** Shows its children in a dialog while mounted. */
export function Dialog({ title, kind = "", bare = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // Before the next key press.
  useLayoutEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click on the backdrop closes the dialog; Escape does so too
    <dialog
      ref={dialog}
      class={`dialog ${kind}`}
      aria-labelledby={heading}
      onCancel={(event) => {
        // The close event can come after the next key, which opens another dialog.
        if (event.target === dialog.current) closeDialog();
      }}
      onClose={() => {
        if (dialog.current !== null) closeDialog();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) closeDialog();
      }}
    >
      <div class="dialog-inside">
        <header class={bare ? "hidden-text" : "dialog-head"}>
          <h2 id={heading}>{title}</h2>
          {!bare && <IconButton icon="close" label="Close" onClick={closeDialog} />}
        </header>
        {children}
      </div>
    </dialog>
  );
}
