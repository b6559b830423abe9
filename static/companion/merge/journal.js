/* Which lines lose their words, for a forgetting or by age (memory/rules/journal/emptying.py, retention.py).
   A line is held as it travels: {event, at_ms, turn, ...}; one that lost its words says emptied. */
import { DAY_MS, dayBounds, householdDay } from "./days.js";

const WORDS = {
  Heard: ["text"], Said: ["text"], ModelWrote: ["text"], Remembered: ["fact"], Recalled: ["entries"],
  PutAway: ["fact"], Restored: ["fact"], PictureSeen: ["description"], NotRemembered: ["fact", "why"],
};
const WITH_TURN = new Set(["Heard", "Said", "ModelWrote", "PictureSeen", "NotRemembered"]);

/** Whether a line holds words now. */
export const hasWords = (line) => line.event in WORDS && !line.emptied;

/** The memories a line names. */
export const gidsOf = (line) =>
  (line.entries ? line.entries.map((entry) => entry.gid || entry) : "gid" in line ? [line.gid] : []);

/** The pictures a line shows; an emptied line shows none. */
export function picturesOf(line) {
  if (line.emptied) return [];
  return [...(line.pictures || []), ...(line.picture ? [line.picture] : [])];
}

/** Whether a line with words has to lose them. */
export function losesWords(line, reach) {
  if (!hasWords(line)) return false;
  const isNamed = gidsOf(line).some((gid) => reach.gids.has(gid));
  const isOfTurn = WITH_TURN.has(line.event) && reach.turns.has(line.turn);
  return isNamed || isOfTurn || (line.event === "PictureSeen" && reach.pictures.has(line.picture));
}

/** The line without its words; place, time, writer and identities stay. */
export function emptied(line) {
  const kept = Object.entries(line).filter(([name]) => name === "entries" || !WORDS[line.event].includes(name));
  const bare = { ...Object.fromEntries(kept), emptied: true };
  return line.entries ? { ...bare, entries: gidsOf(line) } : bare;
}

/** The line as a holder with these tombstones keeps it. */
export const asKept = (line, reach) => (losesWords(line, reach) ? emptied(line) : line);

/** The instant before which lines expire; null keeps all. */
export function cutoffMs(now_ms, { days, offset }) {
  if (!Number.isInteger(days) || days < 1) return null;
  return dayBounds(householdDay(now_ms, offset), offset)[0] - days * DAY_MS;
}

/** Whether a line is older than is kept and has not expired yet. */
export const expires = (line, cutoff) => cutoff !== null && line.event !== "Expired" && line.at_ms < cutoff;

/** The line with nothing left but its time. */
export const expired = (line) => ({ event: "Expired", at_ms: line.at_ms, turn: "" });
