/* The household's own day, and stamps that only move forward (household/rules/days.py, clock.py). */
export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;
const LIMIT = 14 * 60;

const offsetOf = (minutes) =>
  (Number.isInteger(minutes) && Math.abs(minutes) <= LIMIT && minutes % 15 === 0 ? minutes : 0);

/** The household's day of an instant as YYYY-MM-DD; UTC where the offset is none. */
export const householdDay = (at_ms, offset) =>
  new Date(at_ms + offsetOf(offset) * MINUTE_MS).toISOString().slice(0, 10);

/** The first ms of a household day and the first ms after it. */
export function dayBounds(day, offset) {
  const start = Date.parse(`${day}T00:00:00Z`) - offsetOf(offset) * MINUTE_MS;
  return [start, start + DAY_MS];
}

/** Minutes since the household's midnight. */
export const minuteOfDay = (at_ms, offset) =>
  Math.floor((at_ms - dayBounds(householdDay(at_ms, offset), offset)[0]) / MINUTE_MS);

/** The next stamp: later than any seen, never earlier than the clock. */
export const nextStamp = (now_ms, seen_ms) => Math.max(now_ms, seen_ms + 1);

/** The offset measured by one exchange; the server is taken to have answered half-way through it. */
export const offsetTo = (server_ms, { sent_ms, received_ms }) => server_ms - Math.floor((sent_ms + received_ms) / 2);

/** For each stamp never acknowledged the one to push instead: none past now, later stays later. */
export function restamped(stamps, offset_ms, now_ms) {
  const moved = new Map();
  let latest = now_ms;
  for (const old of [...new Set(stamps)].sort((a, b) => b - a)) {
    moved.set(old, Math.min(old + offset_ms, latest));
    latest = moved.get(old) - 1;
  }
  return moved;
}
