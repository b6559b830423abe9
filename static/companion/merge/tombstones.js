/* What was forgotten, as every holder comes to know it (memory/rules/merge/tombstones.py). */
import { smallest, sortedBy } from "./canonical.js";

/** Identities in order, each once. */
export const identities = (...lists) => sortedBy(new Set(lists.flat()), (one) => one);

/** Whether somebody forgot this; time 0 is a duplicate dropped, no forgetting. */
export const isForgetting = (tombstone) => tombstone.at_ms > 0;

/** A tombstone with every field, in its one form. */
export const tombstoneOf = (fields) => {
  const whole = { at_ms: 0, device: "", turns: [], pictures: [], ...fields };
  return { ...whole, turns: identities(whole.turns), pictures: identities(whole.pictures) };
};

/** One forgetting from two holders: all turns and pictures, the earlier account of when and by whom. */
export function mergeTombstone(a, b) {
  if (a.gid !== b.gid) throw new Error("two tombstones do not merge");
  const accounts = [a, b].filter(isForgetting).map((side) => [side.at_ms, side.device]);
  const [at_ms, device] = smallest(accounts) || [0, smallest([a.device, b.device])];
  return {
    gid: a.gid, kind: smallest([a.kind, b.kind]), at_ms, device,
    turns: identities(a.turns, b.turns), pictures: identities(a.pictures, b.pictures),
  };
}

/** The tombstone with what its memory brings: the turns of every telling, its pictures. */
export const absorb = (tombstone, memory) => ({
  ...tombstone,
  turns: identities(tombstone.turns, memory.mentions.map((one) => one.turn).filter(Boolean)),
  pictures: identities(tombstone.pictures, memory.pictures.map((link) => link.name)),
});

/** The identities somebody forgot. */
export const forgotten = (tombstones) => identities([...tombstones].filter(isForgetting).map((one) => one.gid));

/** All that these tombstones reach: memories, turns, pictures that no memory shows now. */
export function reachOf(tombstones, memories) {
  const real = [...tombstones].filter(isForgetting);
  const shown = new Set([...memories].flatMap((memory) => memory.pictures.map((link) => link.name)));
  return {
    gids: new Set(real.map((one) => one.gid)),
    turns: new Set(real.flatMap((one) => one.turns)),
    pictures: new Set(real.flatMap((one) => one.pictures).filter((name) => !shown.has(name))),
  };
}
