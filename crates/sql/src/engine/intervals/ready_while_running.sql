SELECT
  r.file,
  r.recording_id,
  r.context_id,
  r.context,
  r.start AS ready_start,
  r.event AS ready_event,
  e.core,
  e.kind,
  e.context_id AS runner_id,
  e.context AS runner,
  e.isr,
  greatest(r.start, e.start) AS start,
  least(r."end", e."end") - greatest(r.start, e.start) AS duration
FROM thread_states AS r
JOIN slices AS e ON e.recording_id = r.recording_id AND e.start < r."end" AND r.start < e."end"
WHERE r.state = 'ready' AND r.duration > 0 AND e.duration > 0
