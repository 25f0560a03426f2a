-- Who executed while a thread was ready and had no core?
--
-- Columns
--   file: the recording
--   context_id: the number of the thread that was ready
--   context: its name
--   what: what executed: `thread`, `isr`, `kernel` …
--   runner_id: the number of the context that executed
--   runner: its name, or the routine
--   times: how many slices of it overlap with the times in which the thread was ready
--   duration: how long together, on all cores, in ticks
--   longest: the longest of them, in ticks
--
-- Parameters
--   thread=%: the thread that was ready, as a pattern of SQL's `LIKE`
SELECT
  file,
  context_id,
  context,
  what,
  runner_id,
  coalesce(isr, runner) AS runner,
  count(*) AS times,
  sum(duration) AS duration,
  max(duration) AS longest
FROM ready_while_running
WHERE context LIKE $thread
GROUP BY file, recording_id, context_id, context, what, runner_id, coalesce(isr, runner)
ORDER BY file, context, context_id, duration DESC, what, runner_id, runner
