/* How long the companion may talk today (household/rules/limits.py). Rows by device and day; they only rise. */
import { sortedBy } from "./canonical.js";
import { MINUTE_MS } from "./days.js";

/** What a row is matched by. */
export const placeOf = (row) => `${row.device} ${row.day}`;

/** One device's day from two holders: the maximum of each count. */
export const mergeTime = (a, b) => ({
  device: a.device, day: a.day,
  used_ms: Math.max(a.used_ms, b.used_ms), extra_minutes: Math.max(a.extra_minutes, b.extra_minutes),
});

/** The rows of all lists, none that says nothing. */
export function mergeTimeRows(...lists) {
  const known = new Map();
  for (const row of lists.flat()) {
    const held = known.get(placeOf(row));
    known.set(placeOf(row), held ? mergeTime(held, row) : row);
  }
  const said = [...known.values()].filter((row) => row.used_ms || row.extra_minutes);
  return sortedBy(said, (row) => [row.device, row.day]);
}

/** What is left of a day in ms, at least 0; null where no limit is set. */
export function remainingMs(rows, day, dailyMinutes) {
  if (dailyMinutes === null || dailyMinutes === undefined) return null;
  const today = rows.filter((row) => row.day === day);
  const sum = (name) => today.reduce((total, row) => total + row[name], 0);
  return Math.max(0, (dailyMinutes + sum("extra_minutes")) * MINUTE_MS - sum("used_ms"));
}

const minutes = (clock) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

/** Whether a minute of the household's day lies in the quiet hours, which may pass midnight. */
export function isQuiet(quiet, minute) {
  if (!quiet) return false;
  const [from, to] = [minutes(quiet.from), minutes(quiet.to)];
  return from <= to ? from <= minute && minute < to : minute >= from || minute < to;
}
