/* All that two holders have (memory/rules/merge/store.py). A store is five maps of documents by key. */
import { canonical } from "./canonical.js";
import { mergeSession, scrub } from "./chat.js";
import { mergeMemory } from "./memories.js";
import { mergeTime, placeOf } from "./time.js";
import { absorb, forgotten, mergeTombstone } from "./tombstones.js";

/** What a document of each kind is matched by. */
export const KEYS = {
  memories: (one) => one.gid,
  tombstones: (one) => one.gid,
  soft_actions: (one) => `${one.gid} ${one.id}`,
  sessions: (one) => one.gid,
  time: placeOf,
};
const MERGES = { memories: mergeMemory, tombstones: mergeTombstone, soft_actions: mergeSoftAction,
  sessions: mergeSession, time: mergeTime };

/** A store of lists of documents. */
export const storeOf = (lists = {}) => Object.fromEntries(Object.entries(KEYS).map(([kind, key]) =>
  [kind, new Map((lists[kind] || []).map((one) => [key(one), one]))]));

/** One putting away from two holders: spent if either spent it. */
export function mergeSoftAction(a, b) {
  const undone = [a, b].map((side) => side.undone_at_ms).filter((at) => at !== null);
  return { id: a.id, gid: a.gid, at_ms: Math.min(a.at_ms, b.at_ms), undone_at_ms: undone.length ? Math.min(...undone) : null };
}

function union(a, b, merge) {
  const both = new Map(a);
  for (const [key, one] of b) both.set(key, both.has(key) ? merge(both.get(key), one) : one);
  return both;
}

/** What both holders have together, without all that any of them forgot. */
export const mergeStore = (a, b) => settled(Object.fromEntries(Object.keys(KEYS).map((kind) =>
  [kind, union(a[kind], b[kind], MERGES[kind])])));

/** The store after its own tombstones: they take their memories, and soft actions and chats with them. */
export function settled(store) {
  const known = forgotten(store.tombstones.values());
  const isLeft = (gid) => !store.tombstones.has(gid);
  const tombstones = new Map([...store.tombstones].map(([gid, one]) =>
    [gid, store.memories.has(gid) ? absorb(one, store.memories.get(gid)) : one]));
  return {
    memories: new Map([...store.memories].filter(([gid]) => isLeft(gid))),
    tombstones,
    soft_actions: new Map([...store.soft_actions].filter(([, one]) => isLeft(one.gid))),
    sessions: new Map([...store.sessions].map(([gid, one]) => [gid, scrub(one, known)])),
    time: new Map([...store.time].filter(([, row]) => row.used_ms || row.extra_minutes)),
  };
}

/** What changes from one store to another: for each kind the documents to write and the keys to drop. */
export function difference(held, merged) {
  return Object.keys(KEYS).map((kind) => ({
    kind,
    put: [...merged[kind].values()].filter((one) => {
      const before = held[kind].get(KEYS[kind](one));
      return before !== one && !(before && canonical(before) === canonical(one));
    }),
    gone: [...held[kind].keys()].filter((key) => !merged[kind].has(key)),
  }));
}
