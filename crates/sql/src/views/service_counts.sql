-- how often which context logged which kind of event
--
-- Columns
--   file: the recording
--   recording_id: identifies it
--   context_id: the context's number
--   context: its name
--   kind: the kind of event
--   number: the format's number for it
--   component: what it belongs to
--   count: how often
SELECT file, recording_id, context_id, context, kind, number, component, count(*) AS count
FROM events
GROUP BY file, recording_id, context_id, context, kind, number, component
