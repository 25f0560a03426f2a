/** Overview of a trace without events. */

import type { Overview } from "../../session/wire";

export function emptyOverview(name: string): Overview {
  return {
    schema: "rtoscope/session/1",
    name,
    format: "",
    format_description: "unknown",
    facts: [],
    source: null,
    base: { event: 0, time: 0 },
    ids_generation: 0,
    events: 0,
    span: 0,
    clock: {
      source: null,
      frequency_hz: null,
      quality: "unknown",
      no_time: null,
      direction: "up",
      bits: 0,
    },
    cores: [],
    contexts: [],
    lanes: [],
    lane_order: [],
    kinds: [],
    objects: [],
    markers: [],
    user_events: [],
    intervals: [],
    levels: [],
    classes: [],
    gaps: [],
    diagnostics: [],
    inversions: 0,
    machines: [],
    has_machines: false,
    reports: [],
  };
}
