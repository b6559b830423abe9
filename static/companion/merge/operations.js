/* What a child does with memories, as the documents it leaves (memory/rules/merge/operations.py). */
import { sanitise } from "./canonical.js";
import { memoryOf, mentionsOf, sanitised } from "./memories.js";
import { unite, versionsOf, withVersions } from "./revisions.js";
import { KEYS, mergeStore, storeOf } from "./store.js";
import { tombstoneOf } from "./tombstones.js";

export const UNDO_WINDOW_MS = 8_000;

/** A memory does not allow what was asked of it; the message is a code. */
export class Refused extends Error {}

/** The store with one memory more, or with what is new of one it has. */
export function remember(store, memory) {
  if (store.tombstones.has(memory.gid)) throw new Refused("forgotten");
  return mergeStore(store, storeOf({ memories: [memoryOf(sanitised(memory))] }));
}

/** The memory told once more. */
export const mention = (memory, telling) => ({ ...memory, mentions: mentionsOf([...memory.mentions, telling]) });

/** The memory in new words; the old ones become a revision. The same words are no edit. */
export function editText(memory, text, { at_ms, device }) {
  const clean = sanitise(text);
  if (clean === memory.text) return memory;
  const at = Math.max(at_ms, memory.text_at_ms + 1);
  const versions = [...versionsOf(memory).filter((one) => one.at !== at || one.text !== clean), { at, text: clean, device }];
  return { ...withVersions(memory, unite(versions)), embeddings: [] };
}

/** The memory put away or brought back, later than it last was. */
export const setHidden = (memory, { hidden, at_ms }) =>
  ({ ...memory, hidden, visibility_at_ms: Math.max(at_ms, memory.visibility_at_ms + 1) });

/** The memory with one of its pictures as its cover. */
export function star(memory, picture, { at_ms }) {
  if (!memory.pictures.some((link) => link.name === picture)) throw new Refused("not_shown");
  return { ...memory, cover_picture: picture, cover_at_ms: Math.max(at_ms, (memory.cover_at_ms || 0) + 1) };
}

/** The store with a memory hidden and the soft action that can undo it. */
export function putAway(store, gid, { id, at_ms }) {
  const hidden = setHidden(held(store, gid), { hidden: true, at_ms });
  return withDocuments(store, { memories: hidden, soft_actions: { id, gid, at_ms, undone_at_ms: null } });
}

/** The store with a putting away undone and spent. */
export function undo(store, gid, { id, at_ms }) {
  const memory = held(store, gid);
  const action = store.soft_actions.get(`${gid} ${id}`);
  if (!action) throw new Refused("unknown");
  if (action.undone_at_ms !== null || at_ms - action.at_ms > UNDO_WINDOW_MS) throw new Refused("too_late");
  const shown = setHidden(memory, { hidden: false, at_ms });
  return withDocuments(store, { memories: shown, soft_actions: { ...action, undone_at_ms: at_ms } });
}

/** The store with a tombstone, which takes all it reaches. */
export const forget = (store, gid, { at_ms, device, kind = "memory", turns = [], pictures = [] }) =>
  mergeStore(store, storeOf({ tombstones: [tombstoneOf({ gid, kind, at_ms, device, turns, pictures })] }));

/** The store with these documents in place of what was there. */
export function withDocuments(store, documents) {
  const changed = { ...store };
  for (const [kind, one] of Object.entries(documents)) changed[kind] = new Map(store[kind]).set(KEYS[kind](one), one);
  return changed;
}

function held(store, gid) {
  if (store.tombstones.has(gid)) throw new Refused("forgotten");
  if (!store.memories.has(gid)) throw new Refused("unknown");
  return store.memories.get(gid);
}
