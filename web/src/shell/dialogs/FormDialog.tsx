/** A dialog with a form: Enter submits it. */

import type { ComponentChildren } from "preact";
import { Button } from "../controls";
import { Dialog } from "./Dialog";
import { closeDialog } from "./open-dialog";

interface FormDialogProps {
  title: string;
  /** Title of the button that submits the form. */
  action: string;
  submit: () => void;
  children: ComponentChildren;
}

export function FormDialog({ title, action, submit, children }: FormDialogProps) {
  return (
    <Dialog title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {children}
        <div class="buttons">
          <Button onClick={closeDialog}>Cancel</Button>
          <button type="submit" class="main">
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
