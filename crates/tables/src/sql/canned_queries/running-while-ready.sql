-- What ran while a thread was ready?
--
-- Columns
--   file: the recording
--   context_id: number of the ready thread
--   context: name of the ready thread
--   kind: kind of the running context: `thread`, `isr`, `kernel` …
--   runner_id: number of the running context
--   runner: name of the running context, or of the interrupt service routine
--   slices: number of its slices that overlap the thread's ready intervals
--   duration: total overlap on all cores, in ticks
--   max_duration: longest overlap, in ticks
--
-- Parameters
--   thread=%: name of the ready thread, as a pattern for SQL's `LIKE`
SELECT
  file,
  context_id,
  context,
  kind,
  runner_id,
  coalesce(isr, runner) AS runner,
  count(*) AS slices,
  sum(duration) AS duration,
  max(duration) AS max_duration
FROM ready_while_running
WHERE context LIKE $thread
GROUP BY file, recording_id, context_id, context, kind, runner_id, coalesce(isr, runner)
ORDER BY file, recording_id, context, context_id, duration DESC, kind, runner_id, runner
