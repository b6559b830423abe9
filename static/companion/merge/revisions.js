/* Every wording a memory ever had, in one order on every holder (memory/rules/merge/revisions.py).
   A version is {at, text, device}: the stamp the words began at, the words, who wrote them or "". */
import { compare, smallest } from "./canonical.js";

const keyOf = ({ at, text }) => `${at} ${text}`;

function inOrder(versions) {
  return [...versions].sort((a, b) => a.at - b.at || compare(b.text, a.text));
}

/** All wordings of both; a device that is named beats none, then the smaller. */
export function unite(...lists) {
  const known = new Map();
  for (const version of lists.flat()) {
    const held = known.get(keyOf(version));
    const devices = [version.device, held ? held.device : ""].filter(Boolean);
    known.set(keyOf(version), { ...version, device: smallest(devices) || "" });
  }
  return [...known.values()];
}

/** The wordings a memory knows, with who wrote each. */
export function versionsOf(memory) {
  const rows = new Map(memory.revisions.map((row) => [keyOf({ at: row.text_at_ms, text: row.text }), row]));
  const known = [...rows.values()].map((row) => ({ at: row.text_at_ms, text: row.text, device: "" }));
  const ordered = inOrder(unite(known, [{ at: memory.text_at_ms, text: memory.text, device: "" }]));
  return ordered.map((version, index) => {
    const before = index ? rows.get(keyOf(ordered[index - 1])) : null;
    return { ...version, device: before ? before.device : "" };
  });
}

/** The memory with exactly these wordings: the last as its text, the others as its revisions. */
export function withVersions(memory, versions) {
  const ordered = inOrder(versions);
  const last = ordered[ordered.length - 1];
  const revisions = ordered.slice(1).map((after, index) => ({
    at_ms: after.at,
    text_at_ms: ordered[index].at,
    text: ordered[index].text,
    device: after.device,
  }));
  return { ...memory, text: last.text, text_at_ms: last.at, revisions };
}
