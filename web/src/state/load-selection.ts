/** Context whose band is selected in the CPU load. */

import { perTrace } from "./per-trace";

/** Key of the context and its lane; `null` if none is selected. */
export interface LoadSelection {
  key: string;
  /** Number of its lane, if it has one. */
  lane: number | null;
}

export const loadSelection = perTrace<LoadSelection | null>(() => null);
