/* Where the copy lies: in a storage bucket of its own where the browser has them, else in the page's database.
   A browser appends to the files of a database and tidies them when it likes, so a deleted word stays in them.
   The folder of a bucket goes with the bucket: after a forgetting what is left moves to a new one. */
const NAME = "hearthbook-companion";
export const TABLES = ["about", "document", "line", "picture"];
const PREFIX = "hearthbook-copy-";
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

function database(factory) {
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
const held = new Map(); // a bucket that nobody holds is collected, and its database then answers no more
async function inBucket(name) {
  held.set(name, await buckets.open(name, { durability: "strict", persisted: true }));
  return database(held.get(name).indexedDB);
}
const isWhole = (db) => done(db.transaction("about").objectStore("about").get("whole"));

async function noteWhole(db) {
  const writing = db.transaction("about", "readwrite", { durability: "strict" });
  writing.objectStore("about").put(true, "whole");
  await ended(writing);
}

/** The copy's database: {db, bucket}. Of two, as a power cut in a move leaves them, the newest whole one. */
export async function opened() {
  if (!buckets) return { db: await database(indexedDB), bucket: "" };
  const names = await named();
  for (const bucket of names) {
    const db = await inBucket(bucket);
    if (!await isWhole(db)) {
      db.close();
      continue;
    }
    for (const other of names) if (other !== bucket) await buckets.delete(other);
    return { db, bucket };
  }
  for (const name of names) await buckets.delete(name);
  const bucket = PREFIX + (names.length ? numberOf(names[0]) + 1 : 1);
  const db = await inBucket(bucket);
  if ((await indexedDB.databases()).some((one) => one.name === NAME)) await takeOver(db);
  await noteWhole(db);
  return { db, bucket };
}

/* A copy that an older page kept comes along. */
async function takeOver(db) {
  const old = await database(indexedDB);
  await copied(old, db);
  old.close();
  await done(indexedDB.deleteDatabase(NAME));
}

async function copied(from, to) {
  for (const table of TABLES) {
    const keys = await done(from.transaction(table).objectStore(table).getAllKeys());
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

/** Move everything to a new place and let the old files go; gives the new place, or the same where there are no buckets. */
export async function moved({ db, bucket }) {
  if (!bucket) return { db, bucket };
  const next = PREFIX + (numberOf(bucket) + 1);
  await buckets.delete(next);
  const fresh = await inBucket(next);
  try {
    await copied(db, fresh);
    const writing = fresh.transaction("about", "readwrite", { durability: "strict" });
    writing.objectStore("about").put(false, "owes_move");
    writing.objectStore("about").put(true, "whole");
    await ended(writing);
  } catch (error) {
    fresh.close();
    await buckets.delete(next);
    throw error;
  }
  db.close();
  held.delete(bucket);
  await buckets.delete(bucket);
  return { db: fresh, bucket: next };
}

/** Keep nothing. */
export async function gone({ db, bucket }) {
  db.close();
  if (bucket) for (const name of await named()) await buckets.delete(name);
  await done(indexedDB.deleteDatabase(NAME));
}
