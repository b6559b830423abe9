/* A conversation from two holders (memory/rules/merge/chat.py): no copy that was not emptied for a
   forgetting survives one that was. */
import { canonical, compare, sanitise } from "./canonical.js";
import { identities } from "./tombstones.js";

/** A turn or summary was made from words that were forgotten before it came back. */
export class ScrubbedMeanwhile extends Error {}

/** An empty conversation, emptied for these forgettings. */
export const newSession = (gid, { at_ms, forgotten }) =>
  ({ gid, last_activity_at_ms: at_ms, version: 0, stamp_ms: 0, summary: "", turns: [], scrubbed: identities(forgotten) });

/** One conversation from two copies; the last activity merges by itself. */
export function mergeSession(a, b) {
  if (a.gid !== b.gid) throw new Error("two conversations do not merge");
  return { ...content(a, b), last_activity_at_ms: Math.max(a.last_activity_at_ms, b.last_activity_at_ms) };
}

/** The conversation emptied for these forgettings; one emptied for all of them already stays. */
export const scrub = (session, forgotten) => mergeSession(session, newSession(session.gid, { at_ms: 0, forgotten }));

/** The conversation with one turn more; `scrubbed` is what it was when the answer was begun. */
export function addTurn(session, turn, { scrubbed }) {
  refuseScrubbed(session, scrubbed);
  const turns = [...session.turns, { ...turn, text: sanitise(turn.text) }];
  return advanced(session, { at_ms: turn.at_ms, turns, summary: session.summary });
}

/** The conversation with its oldest `leaving` turns in a new summary instead. */
export function fold(session, summary, { leaving, at_ms, scrubbed }) {
  refuseScrubbed(session, scrubbed);
  return advanced(session, { at_ms, turns: session.turns.slice(leaving), summary: sanitise(summary) });
}

function refuseScrubbed(session, scrubbed) {
  if (compare(session.scrubbed, scrubbed)) throw new ScrubbedMeanwhile(session.gid);
}

const advanced = (session, { at_ms, turns, summary }) => ({
  ...session, version: session.version + 1, stamp_ms: at_ms, turns, summary,
  last_activity_at_ms: Math.max(session.last_activity_at_ms, at_ms),
});

const holds = (all, some) => some.every((one) => all.includes(one));

function content(a, b) {
  const [aHolds, bHolds] = [holds(a.scrubbed, b.scrubbed), holds(b.scrubbed, a.scrubbed)];
  if (aHolds && bHolds) return greater(a, b);
  if (aHolds || bHolds) return aHolds ? a : b;
  return newSession(a.gid, { at_ms: 0, forgotten: identities(a.scrubbed, b.scrubbed) });
}

function greater(a, b) {
  const order = a.version - b.version || a.stamp_ms - b.stamp_ms;
  if (order) return order > 0 ? a : b;
  const spelled = (side) => canonical({ ...side, last_activity_at_ms: 0 });
  return compare(spelled(a), spelled(b)) <= 0 ? a : b;
}
