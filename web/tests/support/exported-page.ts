/** A page with a recording, as `rtoscope export --to page` writes it. */

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { program } from "./process";
import { SYSTEM } from "./traces";

const PAGE =
  process.env.RTOSCOPE_PAGE ??
  fileURLToPath(new URL("../../../target/page-file/recording.html", import.meta.url));

/** Writes a page with `SYSTEM`, whose clock is 64 MHz, to a file; returns its path. */
export function exportedPage(file: string): string {
  execFileSync(program(), ["export", "--to", "page", "--clock", "64MHz", "-o", file, SYSTEM], {
    env: { ...process.env, RTOSCOPE_PAGE: PAGE },
  });
  return file;
}
