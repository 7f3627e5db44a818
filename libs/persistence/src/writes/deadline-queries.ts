/** $1 limit: open requests whose deadline has passed, nearest first. The clock is asked once, so that the index serves. */
export const DUE = `
  select id, conversation_id as "conversationId" from request
  where status = 'open' and deadline_at <= (select app_now()) order by deadline_at limit $1`;

/** Milliseconds until the nearest deadline of an open request. */
export const NEXT_DEADLINE = `
  select (extract(epoch from deadline_at - app_now()) * 1000)::float8 as ms from request
  where status = 'open' order by deadline_at limit 1`;
