/** Opens files that are dropped anywhere on the page. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { droppedFiles } from "../session/folder";
import { openFiles, showError } from "../state/viewer";
import "./drop-zone.css";

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;

export function DropZone() {
  const isOver = useSignal(false);
  useEffect(() => {
    const stop = new AbortController();
    const on = (
      name: "dragenter" | "dragover" | "dragleave" | "drop",
      act: (event: DragEvent) => void,
    ) => {
      window.addEventListener(name, act, { signal: stop.signal });
    };
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      isOver.value = true;
    };
    on("dragenter", over);
    on("dragover", over);
    on("dragleave", (event) => {
      if (event.relatedTarget === null) isOver.value = false;
    });
    on("drop", (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      isOver.value = false;
      if (event.dataTransfer) droppedFiles(event.dataTransfer).then(openFiles).catch(showError);
    });
    return () => stop.abort();
  }, []);
  if (!isOver.value) return null;
  return (
    <div class="drop-zone" aria-hidden="true">
      Drop to open
    </div>
  );
}
