/* One sync with the house: what changed travels, both ways, and all of it may be repeated.
   The steps and what each may lose are those of memory/device/syncing.py. */
import { asKept, picturesOf } from "./merge/journal.js";
import { memoryOf } from "./merge/memories.js";
import { addressOf, takeOver } from "./merge/registers.js";
import { mergeStore, storeOf } from "./merge/store.js";
import { mergeTimeRows, placeOf } from "./merge/time.js";
import { tombstoneOf } from "./merge/tombstones.js";
import { Refused } from "./wire.js";
import { isSame } from "./merge/canonical.js";

const PAGE_ITEMS = 200;
const PAGE_BYTES = 512 * 1024;
const LINES = 500;
const ATTEMPTS = 3;
// Proofs of a grown-up stay in the house: digits are few enough to be tried out on a tablet.
const NOT_KEPT = new Set(["pin"]);
const UNFIT = new Set(["conflict", "invalid", "too_large"]); // pictures that the house cannot take; they stay here

/** The house knows this device no more; where a parent took it off, it holds nothing any more. */
export class Revoked extends Error {}

/** Everything the house lacks goes there, everything this device lacks comes. Throws Revoked, Refused, Unreachable. */
export async function sync(device, house) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      for (const step of [state, memory, registers, chat, time, pullLines, pushLines, pictures]) await step(device, house);
      await settle(device);
      return await device.copy.move();
    } catch (error) {
      if (!(error instanceof Refused) || !await recovers(device, error) || attempt === ATTEMPTS) throw error;
    }
  }
}

async function recovers(device, refused) {
  if (refused.code === "unauthorized") {
    await device.note({ token: "" }); // a restored house may not know it: it pairs again, its copy stays
    throw new Revoked();
  }
  if (refused.code === "revoked") {
    await device.copy.wipe();
    await device.begin();
    await device.note({ is_revoked: true });
    throw new Revoked();
  }
  if (refused.code === "clock_skew") {
    const next = refused.body.next_seq ?? device.copy.known("next_seq", 0);
    await device.setRight(device.copy.known("measured_ms", 0), next);
    return true;
  }
  if (refused.code === "resync") await sendAllAgain(device);
  return refused.code === "resync";
}

const sendAllAgain = (device, more = {}) => device.copy.write(async () => {
  device.copy.note({ cursor: null, position: 0, pictures_to: null, asks_seq: true, ...more });
  await device.copy.oweAll();
});

const settle = (device) => device.copy.write(async () => {
  device.copy.note({ stamps: [], house_seen_ms: device.copy.known("seen_ms", 0), synced_ms: device.now() });
  const day = device.today();
  if (device.copy.known("emptied_on") === day) return;
  await device.empty();
  device.copy.note({ emptied_on: day });
});

async function state(device, house) {
  const told = await house.ask("GET", "state");
  const known = device.copy.known("epoch");
  const met = { epoch: told.epoch, child: told.child };
  await (known && known !== told.epoch ? sendAllAgain(device, met) : device.note(met));
}

async function memory(device, house) {
  const waiting = pagesOf(["tombstones", "memories", "soft_actions"].flatMap((kind) =>
    device.copy.pending(kind).map(([document, changed]) => ({ kind, document, changed }))));
  for (;;) {
    const page = waiting.shift() || [];
    const of = (kind) => page.filter((row) => row.kind === kind).map((row) => row.document);
    const body = { since: device.copy.known("cursor"), memories: of("memories"), tombstones: of("tombstones"), soft_actions: of("soft_actions") };
    const answer = await house.ask("POST", "memory", body);
    await takeMemory(device, page, answer);
    if (!page.length && !answer.more) return;
  }
}

function pagesOf(rows) {
  const pages = [];
  let size = 0;
  for (const row of rows) {
    const bytes = JSON.stringify(row.document).length * 3;
    const last = pages[pages.length - 1];
    if (!last || last.length >= PAGE_ITEMS || size + bytes > PAGE_BYTES) {
      pages.push([]);
      size = 0;
    }
    pages[pages.length - 1].push(row);
    size += bytes;
  }
  return pages;
}

const KINDS = { memories: "memory", tombstones: "tombstone", soft_actions: "soft_action" };

async function takeMemory(device, page, answer) {
  const refused = new Map((answer.rejected || []).map((one) => [`${one.kind} ${one.gid}`, one.code]));
  const told = storeOf({ memories: answer.memories.map(memoryOf), tombstones: answer.tombstones.map(tombstoneOf), soft_actions: answer.soft_actions });
  await device.copy.write(async () => {
    for (const { kind, document, changed } of page) {
      const name = kind === "soft_actions" ? document.id : document.gid;
      if (!refused.has(`${KINDS[kind]} ${name}`)) device.copy.acknowledge(kind, [[document, changed]]);
    }
    await take(device, told);
    device.copy.note({ cursor: answer.cursor });
  });
  if ([...refused.values()].includes("clock_skew")) throw new Refused(422, { code: "clock_skew" });
}

async function take(device, told) {
  await device.keep(mergeStore(device.store, told), told);
  const stamps = [
    ...[...told.memories.values()].flatMap((one) => [one.text_at_ms, one.visibility_at_ms, one.cover_at_ms || 0]),
    ...[...told.tombstones.values()].map((one) => one.at_ms),
    ...[...told.sessions.values()].map((one) => one.stamp_ms),
  ];
  const seen = stamps.reduce((most, at) => Math.max(most, at), device.copy.known("seen_ms", 0));
  device.copy.note({ seen_ms: seen });
}

async function registers(device, house) {
  const pending = device.copy.pending("register");
  const answer = await house.ask("POST", "household", { registers: pending.map(([row]) => row) });
  const skewed = new Set(answer.clock_skew.map(addressOf));
  const told = answer.registers.filter((row) => !NOT_KEPT.has(row.key));
  await device.copy.write(() => {
    const held = device.copy.registers;
    const own = held.filter((row) => !skewed.has(addressOf(row)));
    const merged = takeOver(own, told, [...answer.forbidden, ...answer.invalid]);
    const addresses = new Set(merged.map(addressOf));
    device.copy.acknowledge("register", pending.filter(([row]) => !skewed.has(addressOf(row))));
    for (const row of merged) {
      const before = held.find((one) => addressOf(one) === addressOf(row));
      if (!before || !isSame(before, row)) device.copy.keep("register", row, false);
    }
    device.copy.drop("register", held.map(addressOf).filter((at) => !addresses.has(at) && !skewed.has(at)));
  });
  if (skewed.size) throw new Refused(422, { code: "clock_skew" });
}

async function chat(device, house) {
  const pending = device.copy.pending("sessions");
  const answer = await house.ask("POST", "chat", { sessions: pending.map(([one]) => one) });
  const refused = new Map((answer.rejected || []).map((one) => [one.gid, one.code]));
  await device.copy.write(async () => {
    device.copy.acknowledge("sessions", pending.filter(([one]) => !refused.has(one.gid)));
    await take(device, storeOf({ sessions: answer.sessions }));
  });
  if ([...refused.values()].includes("clock_skew")) throw new Refused(422, { code: "clock_skew" });
}

async function time(device, house) {
  let { pending, answer } = await sentTime(device, house);
  const forbidden = new Set(answer.forbidden.map(placeOf));
  if (pending.some(([row]) => row.device === device.id && row.extra_minutes && forbidden.has(placeOf(row)))) {
    await device.ungrant(forbidden);
    ({ pending, answer } = await sentTime(device, house));
  }
  const skewed = new Set(answer.clock_skew.map(placeOf));
  await device.copy.write(async () => {
    device.copy.acknowledge("time", pending.filter(([row]) => !skewed.has(placeOf(row))));
    await take(device, storeOf({ time: mergeTimeRows(answer.rows) }));
  });
  if (skewed.size) throw new Refused(422, { code: "clock_skew" });
}

async function sentTime(device, house) {
  const pending = device.copy.pending("time");
  return { pending, answer: await house.ask("POST", "time", { rows: pending.map(([row]) => row) }) };
}

async function pullLines(device, house) {
  const before = device.copy.known("position", 0);
  for (;;) {
    const answer = await house.ask("GET", `journal?after=${device.copy.known("position", 0)}&limit=${LINES}`);
    await device.copy.write(() => {
      const { reach } = device;
      for (const { device: writer, seq, position, line } of answer.lines) {
        device.copy.keepLine({ device: writer, seq, position, line: asKept(line, reach) });
      }
      device.copy.note({ position: answer.next });
    });
    if (answer.more) continue;
    if (device.copy.known("position", 0) !== before) await device.copy.write(() => device.empty());
    return;
  }
}

async function pushLines(device, house) {
  for (;;) {
    const from_seq = device.copy.known("next_seq", 0);
    const rows = await device.copy.ownLines(device.id, { from: from_seq, most: LINES });
    if (!rows.length && !device.copy.known("asks_seq", false)) return;
    const next_seq = await pushed(device, house, { from_seq, rows });
    await device.note({ next_seq, asks_seq: false });
  }
}

async function pushed(device, house, { from_seq, rows }) {
  try {
    const body = { device: device.id, from_seq, lines: rows.map((row) => row.line) };
    return (await house.ask("POST", "journal", body)).next_seq;
  } catch (error) {
    if (error instanceof Refused && error.code === "gap" && error.body.next_seq < from_seq) return error.body.next_seq;
    throw error;
  }
}

async function pictures(device, house) {
  for (const name of await device.copy.unsentPictures()) {
    const held = await device.copy.picture(name);
    if (!held || !await isTaken(house, name, held.bytes)) continue;
    await device.copy.write(() => device.copy.keepPicture(name, { ...held, is_sent: true }));
  }
  const here = new Set(await device.copy.pictureNames());
  let areAllHere = true;
  for (const name of await wanted(device)) {
    if (!here.has(name) && !await fetched(device, house, name)) areAllHere = false;
  }
  const position = device.copy.known("position", 0);
  if (areAllHere && device.copy.known("pictures_to") !== position) await device.note({ pictures_to: position });
}

async function fetched(device, house, name) {
  try {
    const came = await house.ask("GET", `pictures/${name}`);
    await device.copy.write(() => device.copy.keepPicture(name, { ...came, is_sent: true }));
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 404) throw error; // whoever has it has not sent it yet
    return false;
  }
  return true;
}

async function isTaken(house, name, bytes) {
  try { await house.ask("PUT", `pictures/${name}`, bytes); } catch (error) {
    if (!(error instanceof Refused) || !UNFIT.has(error.code)) throw error;
    return false;
  }
  return true;
}

/* What is shown; lines are read only where some came since all their pictures were here. */
async function wanted(device) {
  const gone = device.reach.pictures;
  const shown = [...device.store.memories.values()].flatMap((one) => one.pictures.map((link) => link.name));
  const isLooked = device.copy.known("pictures_to") === device.copy.known("position", 0);
  const lines = isLooked ? [] : (await device.copy.lines()).flatMap((row) => picturesOf(row.line));
  return [...new Set([...shown, ...lines])].filter((name) => !gone.has(name));
}
