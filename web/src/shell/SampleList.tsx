/** Recordings to try, on the start page of a page without a server. */

import { backend, type Sample } from "../session/backend";
import { openFiles, showError } from "../state/viewer";
import { Button } from "./controls";

async function open({ name, address }: Sample): Promise<void> {
  try {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${name}: the host answered with ${response.status}`);
    await openFiles([new File([await response.blob()], name)]);
  } catch (error) {
    showError(error);
  }
}

export function SampleList() {
  const { standalone } = backend();
  if (standalone === undefined) return null;
  return (
    <section class="recent" aria-label="Samples">
      {standalone.samples.length > 0 && (
        <>
          <div class="recent-head">
            <h2>Samples</h2>
          </div>
          <ul>
            {standalone.samples.map((sample) => (
              <li key={sample.name}>
                <Button class="plain" onClick={() => void open(sample)}>
                  <span class="recent-name">{sample.name}</span>
                  <span class="recent-folder">{sample.about}</span>
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
      <p class="muted">
        Recordings and notes stay in this browser. For a running target use{" "}
        <code>rtoscope live</code>, for SQL <code>rtoscope view</code>.
      </p>
    </section>
  );
}
