-- Which signals were posted to each active object, and how long were they queued?
--
-- Columns
--   file: the recording
--   object: the active object that received them
--   context_id: number of the active object
--   signal: the signal
--   posts: number of posts
--   handled: number of posts whose step is known
--   mean_wait: mean time from post to step, in ticks
--   max_wait: maximum time from post to step, in ticks
SELECT
  p.file,
  p.object,
  p.context_id,
  p.signal,
  count(*) AS posts,
  count(f.latency) AS handled,
  round(avg(f.latency), 3) AS mean_wait,
  max(f.latency) AS max_wait
FROM posts AS p
LEFT JOIN flows AS f ON f.kind = 'post' AND f.recording_id = p.recording_id AND f.from_event = p.event
GROUP BY p.file, p.recording_id, p.object, p.context_id, p.signal, p.number
ORDER BY p.file, p.recording_id, posts DESC, p.object, p.context_id, p.number
