/* Repeats the shared vectors with the companion's own rules; gives the cases that came out otherwise. */
import { canonical, sanitiseAll } from "/static/companion/merge/canonical.js";
import { addTurn, fold, mergeSession } from "/static/companion/merge/chat.js";
import { householdDay, minuteOfDay, restamped } from "/static/companion/merge/days.js";
import * as journal from "/static/companion/merge/journal.js";
import { mergeMemory, normal } from "/static/companion/merge/memories.js";
import * as act from "/static/companion/merge/operations.js";
import { mergeRegisters, rowOf, takeOver } from "/static/companion/merge/registers.js";
import { difference, mergeStore, storeOf } from "/static/companion/merge/store.js";
import { isQuiet, remainingMs } from "/static/companion/merge/time.js";
import { mergeTombstone, reachOf } from "/static/companion/merge/tombstones.js";
import { sortedBy } from "/static/companion/merge/canonical.js";

const KINDS = { memories: 0, tombstones: 0, soft_actions: (one) => [one.gid, one.id], sessions: 0, time: (one) => [one.device, one.day] };
const listsOf = (store) => Object.fromEntries(Object.keys(KINDS).map((kind) =>
  [kind, sortedBy(store[kind].values(), KINDS[kind] || ((one) => one.gid))]));

function acted(store, [kind, text, at_ms], number) {
  const memory = store.memories.get("m1");
  try {
    if (kind === "away") return act.putAway(store, "m1", { id: "a1", at_ms });
    if (kind === "undo") return act.undo(store, "m1", { id: "a1", at_ms });
    if (kind === "forget") return act.forget(store, "m1", { at_ms, device: "aa" });
    if (kind === "again") return act.remember(store, { gid: "m1", text, learned_at_ms: at_ms, text_at_ms: at_ms, kind: "", who: "", place: "", said_when: "" });
    if (!memory) return store;
    if (kind === "edit") return act.withDocuments(store, { memories: act.editText(memory, text, { at_ms, device: "aa" }) });
    if (kind === "star") return act.withDocuments(store, { memories: act.star(memory, "p1.png", { at_ms }) });
    return act.withDocuments(store, { memories: act.mention(memory, { at_ms, device: "aa", turn: `t${number}` }) });
  } catch (error) {
    if (!(error instanceof act.Refused)) throw error;
    return store;
  }
}

const OPERATIONS = {
  canonical, sanitise: sanitiseAll, normal, memories: mergeMemory, tombstones: mergeTombstone,
  sessions: mergeSession,
  talk(session, turn, summary, at_ms) {
    const said = addTurn(session, turn, { scrubbed: session.scrubbed });
    return fold(said, summary, { leaving: 1, at_ms, scrubbed: said.scrubbed });
  },
  stores(a, b) {
    const merged = mergeStore(storeOf(a), storeOf(b));
    const again = mergeStore(merged, storeOf(b));
    if (difference(merged, again).some((one) => one.put.length || one.gone.length)) throw new Error("not idempotent");
    return listsOf(merged);
  },
  registers: (a, b, refused) => takeOver(mergeRegisters(a), b, refused),
  settings: (rows, keys, child) => keys.map((key) => rowOf(rows, key, child)).filter(Boolean),
  time: (rows, day, most, quiet, minute) => [remainingMs(rows, day, most), isQuiet(quiet, minute)],
  lines(line, dead, alive) {
    const kept = journal.asKept(line, reachOf(dead, alive));
    const sorted = (names) => sortedBy(new Set(names), (name) => name);
    return [kept, sorted(journal.picturesOf(kept)), sorted(journal.gidsOf(kept))];
  },
  ages(line, now, days, offset) {
    const cutoff = journal.cutoffMs(now, { days, offset });
    const after = journal.expires(line, cutoff) ? journal.expired(line) : line;
    return [cutoff, after, householdDay(now, offset), minuteOfDay(now, offset)];
  },
  stamps: (given, offset, now) => sortedBy(restamped(given, offset, now), ([old]) => old),
  acts(begun, acts) {
    return listsOf(acts.reduce(acted, storeOf(begun)));
  },
};

/** The cases whose canonical document is another one here, at most ten. */
export function run(cases) {
  const wrong = [];
  for (const { op, args, want } of cases) {
    let found;
    try { found = canonical(OPERATIONS[op](...args)); } catch (error) { found = String(error.stack || error); }
    if (found !== want) wrong.push({ op, args, want, found });
    if (wrong.length === 10) break;
  }
  return wrong;
}
