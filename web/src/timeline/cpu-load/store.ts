/** CPU load of the visible interval, by core; `null` is all cores. */

import type { SessionClient } from "../../session/client";
import type { CpuLoad } from "../../session/wire";
import { WindowStore } from "../data/window-store";

/** Width of a part in pixels. */
const PART_WIDTH = 2;
/** Number of contexts with a band of their own. */
const MAX_BANDS = 9;

export type CpuLoadStore = WindowStore<number | null, CpuLoad>;

export function cpuLoadStore(
  client: SessionClient,
  failed: (error: unknown) => void,
): CpuLoadStore {
  return new WindowStore(
    (core, window, width) =>
      client.query<"cpu-load">({ query: "cpu-load", core, window, width, limit: MAX_BANDS }),
    PART_WIDTH,
    failed,
  );
}
