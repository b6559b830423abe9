/* Where the copy lies: in a storage bucket of its own where the browser has them, else in the page's database.
   A browser appends to the files of a database and tidies them when it likes, so a deleted word stays in them.
   The folder of a bucket goes with the bucket: after a forgetting what is left moves to a new one.
   All is written there first, then noted as whole, and only then the old place goes; of places that a power cut
   leaves behind the newest whole one is the copy, and one that was never whole is not believed. */
const NAME = "hearthbook-companion";
export const SPEECH = "hearthbook-speech"; // beside the copy: sound, no words
export const TABLES = ["about", "document", "line", "picture"];
const PREFIX = "hearthbook-copy-";
const WHOLE = "whole";
const AT_ONCE = 100; // rows in one transaction of a move

const buckets = navigator.storageBuckets || null;

export const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

const ended = (writing) => new Promise((resolve, reject) => {
  writing.oncomplete = resolve;
  writing.onabort = () => reject(writing.error);
});

/** The copy's database in one place. */
export function database(factory) {
  const request = factory.open(NAME, 1);
  request.onupgradeneeded = () => {
    const db = request.result;
    for (const name of ["about", "document", "picture"]) db.createObjectStore(name);
    const lines = db.createObjectStore("line", { keyPath: ["device", "seq"] });
    lines.createIndex("at", "at_ms");
  };
  return done(request);
}

const numberOf = (name) => Number(name.slice(PREFIX.length));
const named = async () => (await buckets.keys()).filter((name) => name.startsWith(PREFIX)).sort((a, b) => numberOf(b) - numberOf(a));
const held = new WeakMap(); // a bucket that nobody holds is collected, and its database then answers no more
async function inBucket(name) {
  const bucket = await buckets.open(name, { durability: "strict", persisted: true });
  const db = await database(bucket.indexedDB);
  held.set(db, bucket);
  return db;
}
const isWhole = (db) => done(db.transaction("about").objectStore("about").get(WHOLE));
const hasOld = async () => (await indexedDB.databases()).some((one) => one.name === NAME);

async function noteWhole(db) {
  const writing = db.transaction("about", "readwrite", { durability: "strict" });
  writing.objectStore("about").put(true, WHOLE);
  await ended(writing);
}

/** The copy's database: {db, bucket}; the bucket is "" where the browser has none. */
export async function opened() {
  if (!buckets) return { db: await database(indexedDB), bucket: "" };
  const place = await newestWhole() || await begun();
  await dropOthers(place).catch(() => {}); // the next opening tries again
  return place;
}

async function newestWhole() {
  for (const bucket of await named()) {
    const db = await inBucket(bucket);
    if (await isWhole(db)) return { db, bucket };
    db.close();
  }
  return null;
}

/* The first place there is; a copy that an older page kept comes along. */
async function begun() {
  const bucket = PREFIX + (numberOf((await named())[0] || `${PREFIX}0`) + 1);
  const db = await inBucket(bucket);
  if (await hasOld()) {
    const old = await database(indexedDB);
    await copied(old, db);
    old.close();
  }
  await noteWhole(db);
  return { db, bucket };
}

/** Let go of every place but this one: the one the copy left, and what was cut before it was whole. */
export async function dropOthers({ bucket }) {
  for (const name of await named()) {
    if (name !== bucket) await buckets.delete(name);
  }
  if (await hasOld()) await done(indexedDB.deleteDatabase(NAME));
}

async function copied(from, to) {
  for (const table of TABLES) {
    const all = await done(from.transaction(table).objectStore(table).getAllKeys());
    const keys = all.filter((key) => table !== "about" || key !== WHOLE);
    for (let at = 0; at < keys.length; at += AT_ONCE) {
      const some = keys.slice(at, at + AT_ONCE);
      const reading = from.transaction(table).objectStore(table);
      const rows = await Promise.all(some.map((key) => done(reading.get(key))));
      const writing = to.transaction(table, "readwrite");
      const store = writing.objectStore(table);
      rows.forEach((row, index) => (store.keyPath ? store.put(row) : store.put(row, some[index])));
      await ended(writing);
    }
  }
}

/** A new place with all that the copy holds; the old one stays until `dropOthers`. */
export async function moved({ db, bucket }) {
  const next = PREFIX + (numberOf(bucket) + 1);
  await buckets.delete(next);
  const fresh = await inBucket(next);
  try {
    await copied(db, fresh);
    await noteWhole(fresh);
  } catch (error) {
    fresh.close();
    await buckets.delete(next).catch(() => {});
    throw error;
  }
  db.close();
  return { db: fresh, bucket: next };
}

/** Keep nothing, nor the sound of what was said. */
export async function gone({ db, bucket }) {
  db.close();
  if (bucket) await dropOthers({ bucket: "" });
  for (const name of [NAME, SPEECH]) await done(indexedDB.deleteDatabase(name));
}
