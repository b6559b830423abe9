/* One memory from two holders (memory/rules/merge/memories.py). */
import { compare, sanitise, smallest, sortedBy } from "./canonical.js";
import { unite, versionsOf, withVersions } from "./revisions.js";

const EMPTY = {
  text_at_ms: 0, hidden: false, visibility_at_ms: 0, cover_picture: null, cover_at_ms: null, icon: null,
  kind: "", who: "", place: "", said_when: "", mentions: [], revisions: [], pictures: [], embeddings: [],
};
const WORDS = ["text", "kind", "who", "place", "said_when"];

/** A memory with every field, in its one form. */
export const memoryOf = (fields) => normal({ ...EMPTY, ...fields });

/** What both holders know of one memory. */
export function mergeMemory(a, b) {
  if (a.gid !== b.gid) throw new Error("two memories do not merge");
  const sides = [a, b];
  const seen = sortedBy(sides, (side) => [side.visibility_at_ms, Number(side.hidden)])[1];
  const least = (name) => smallest(sides.map((side) => side[name]));
  const icons = sides.map((side) => side.icon).filter((icon) => icon !== null);
  const merged = {
    ...withVersions(a, unite(versionsOf(a), versionsOf(b))),
    learned_at_ms: least("learned_at_ms"),
    hidden: seen.hidden,
    visibility_at_ms: seen.visibility_at_ms,
    ...cover(sides),
    icon: icons.length ? smallest(icons) : null,
    kind: least("kind"), who: least("who"), place: least("place"), said_when: least("said_when"),
    mentions: mentionsOf([...a.mentions, ...b.mentions]),
    pictures: inPosition([...a.pictures, ...b.pictures]),
  };
  const current = sides.filter((side) => side.text_at_ms === merged.text_at_ms && side.text === merged.text);
  return { ...merged, embeddings: smallestOfEachModel(current.flatMap((side) => side.embeddings)) };
}

/** The one form of a memory: its wordings in order, its pictures in position, each once. */
export function normal(memory) {
  const ordered = withVersions(memory, versionsOf(memory));
  const isSame = ordered.text_at_ms === memory.text_at_ms && ordered.text === memory.text;
  return {
    ...ordered,
    mentions: mentionsOf(memory.mentions),
    pictures: inPosition(memory.pictures),
    embeddings: isSame ? smallestOfEachModel(memory.embeddings) : [],
  };
}

/** The memory with nothing in its words that a store refuses. */
export const sanitised = (memory) =>
  ({ ...memory, ...Object.fromEntries(WORDS.map((name) => [name, sanitise(memory[name])])) });

/** Tellings in order, each once. */
export function mentionsOf(mentions) {
  const key = (one) => [one.at_ms, one.device, one.turn];
  return once(sortedBy(mentions, key), (one) => key(one).join(" "));
}

/* Pictures in their order, one given twice at the first of its places. */
const inPosition = (links) => once(sortedBy(links, (link) => [link.position, link.name]), (link) => link.name);

/* One embedding of each model: of two, the one with the smaller bytes. */
const smallestOfEachModel = (found) =>
  once(sortedBy(found, (one) => [one.model, atob(one.data)]), (one) => one.model);

/* The later star; on a tie the smaller name; a memory without one never beats a star. */
function cover(sides) {
  const key = (side) => [Number(side.cover_at_ms === null), -(side.cover_at_ms || 0), side.cover_picture || ""];
  const [{ cover_picture, cover_at_ms }] = [...sides].sort((a, b) => compare(key(a), key(b)));
  return { cover_picture, cover_at_ms };
}

function once(values, key) {
  const first = new Map();
  for (const value of values) if (!first.has(key(value))) first.set(key(value), value);
  return [...first.values()];
}
