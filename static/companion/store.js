/* The device's own copy in IndexedDB: documents in memory, every change of them in one transaction. */
import { addressOf } from "./merge/registers.js";
import { KEYS, storeOf } from "./merge/store.js";
import { TABLES, done, dropOthers, gone, moved, opened } from "./places.js";

/** The browser gives no more room; nothing of the write was kept, all from before is. */
export class StorageFull extends Error {}

/** What a document of any kind is matched by. */
export const keyOf = (kind, document) => (kind === "register" ? addressOf(document) : KEYS[kind](document));

/** One copy; `write` is the only way to change it. */
export class Copy {
  static async open() {
    const copy = new Copy();
    await copy.load();
    return copy;
  }

  constructor() {
    this.turn = Promise.resolve(); // writes stand in line behind each other
  }

  /* Read everything but lines and pictures; also what takes a failed write back. */
  async load() {
    if (!this.db) this.lies(await opened());
    this.db.onversionchange = () => this.db.close();
    const reading = this.db.transaction(["about", "document"]);
    const [names, values, rows] = await Promise.all([
      done(reading.objectStore("about").getAllKeys()),
      done(reading.objectStore("about").getAll()),
      done(reading.objectStore("document").getAll()),
    ]);
    this.about = new Map(names.map((name, at) => [name, values[at]]));
    this.changed = new Map(rows.map((row) => [`${row.kind} ${row.key}`, row.changed]));
    const of = (kind) => rows.filter((row) => row.kind === kind).map((row) => row.body);
    this.store = storeOf(Object.fromEntries(Object.keys(KEYS).map((kind) => [kind, of(kind)])));
    this.registers = of("register");
  }

  lies({ db, bucket }) { Object.assign(this, { db, bucket }); }

  known(name, otherwise = null) {
    return this.about.has(name) ? this.about.get(name) : otherwise;
  }

  /* One after another; what fails stops nothing behind it. */
  inTurn(run) {
    const result = this.turn.then(run);
    this.turn = result.catch(() => {});
    return result;
  }

  /** Run `change` alone and keep all it did in one transaction, or nothing. Throws StorageFull. */
  write(change) {
    return this.inTurn(async () => {
      this.owed = [];
      try {
        const result = await change();
        await this.commit();
        return result;
      } catch (error) {
        await this.load();
        throw error;
      }
    });
  }

  async commit() {
    if (!this.owed.length) return;
    const writing = this.db.transaction(TABLES, "readwrite", { durability: "strict" });
    const ended = new Promise((resolve, reject) => {
      writing.oncomplete = resolve;
      writing.onabort = () => reject(writing.error || new StorageFull());
    });
    ended.catch(() => {}); // a row that cannot be written is told of by itself
    try {
      this.owe(writing);
      await ended;
    } catch (error) {
      if (error && error.name === "QuotaExceededError") throw new StorageFull();
      throw error;
    }
  }

  /* A row that cannot be written takes those before it back. */
  owe(writing) {
    try {
      for (const [table, act, ...args] of this.owed) writing.objectStore(table)[act](...args);
    } catch (error) {
      writing.abort();
      throw error;
    }
  }

  // inside a write

  note(values) {
    for (const [name, value] of Object.entries(values)) {
      this.about.set(name, value);
      this.owed.push(["about", "put", value, name]);
    }
  }

  keep(kind, document, isPending) {
    const key = keyOf(kind, document);
    const changed = isPending ? this.next() : 0;
    if (kind === "register") {
      this.registers = [...this.registers.filter((one) => addressOf(one) !== key), document];
    }
    this.changed.set(`${kind} ${key}`, changed);
    this.owed.push(["document", "put", { kind, key, body: document, changed }, [kind, key]]);
  }

  drop(kind, keys) {
    for (const key of keys) {
      if (kind === "register") this.registers = this.registers.filter((one) => addressOf(one) !== key);
      this.changed.delete(`${kind} ${key}`);
      this.owed.push(["document", "delete", [kind, key]]);
    }
  }

  next() {
    this.note({ changes: this.known("changes", 0) + 1 });
    return this.known("changes");
  }

  /** The documents of a kind that the house may lack, each with its count of change. */
  pending(kind) {
    const all = kind === "register" ? this.registers : [...this.store[kind].values()];
    const found = all.map((document) => [document, this.changed.get(`${kind} ${keyOf(kind, document)}`) || 0]);
    return found.filter(([, changed]) => changed).sort((a, b) => a[1] - b[1]);
  }

  /** The house has these, unless they changed here since they were sent. */
  acknowledge(kind, sent) {
    for (const [document, changed] of sent) {
      if (this.changed.get(`${kind} ${keyOf(kind, document)}`) !== changed) continue;
      const now = kind === "register" ? document : this.store[kind].get(keyOf(kind, document));
      if (now) this.keep(kind, now, false);
    }
  }

  /** The house may lack anything: send the whole copy. */
  async oweAll() {
    for (const kind of Object.keys(KEYS)) for (const one of this.store[kind].values()) this.keep(kind, one, true);
    for (const one of this.registers) this.keep("register", one, true);
    for (const name of await this.pictureNames()) {
      this.owed.push(["picture", "put", { ...await this.picture(name), is_sent: false }, name]);
    }
  }

  keepLine(row) {
    this.owed.push(["line", "put", { ...row, at_ms: row.line.at_ms }]);
  }

  keepPicture(name, { bytes, type, is_sent }) {
    this.owed.push(["picture", "put", { bytes, type, is_sent }, name]);
  }

  dropPicture(name) {
    this.owed.push(["picture", "delete", name]);
  }

  // reading

  lines(range) {
    return done(this.db.transaction("line").objectStore("line").index("at").getAll(range));
  }

  ownLines(device, { from = 0, most } = {}) {
    const range = IDBKeyRange.bound([device, from], [device, Infinity]);
    return done(this.db.transaction("line").objectStore("line").getAll(range, most));
  }

  async nextSeq(device) {
    const range = IDBKeyRange.bound([device, 0], [device, Infinity]);
    const found = await done(this.db.transaction("line").objectStore("line").openKeyCursor(range, "prev"));
    return found ? found.key[1] + 1 : 0;
  }

  /** The newest lines before an instant, newest first. */
  newest(before, most) {
    return new Promise((resolve, reject) => {
      const found = [];
      const index = this.db.transaction("line").objectStore("line").index("at");
      const request = index.openCursor(IDBKeyRange.upperBound(before, true), "prev");
      request.onerror = () => reject(request.error);
      request.onsuccess = () => {
        const cursor = request.result;
        if (!cursor || found.length === most) return resolve(found);
        found.push(cursor.value);
        return cursor.continue();
      };
    });
  }

  picture(name) {
    return done(this.db.transaction("picture").objectStore("picture").get(name));
  }

  pictureNames() {
    return done(this.db.transaction("picture").objectStore("picture").getAllKeys());
  }

  async unsentPictures() {
    const found = [];
    for (const name of await this.pictureNames()) if (!(await this.picture(name)).is_sent) found.push(name);
    return found;
  }

  /** Where words were let go of: leave the files behind that may still hold them. Where that fails the copy stays
      as it is, notes why in `missed_move`, and tries again another time. */
  move() {
    return this.inTurn(async () => {
      if (!this.bucket || !this.known("owes_move", false)) return;
      const missed = await this.leave().then(() => "", (error) => (error && error.name) || "Error");
      await this.load();
      this.owed = [];
      this.note({ owes_move: missed !== "", missed_move: missed });
      await this.commit().catch(() => {});
    });
  }

  async leave() {
    this.lies(await moved(this));
    await dropOthers(this);
  }

  /** Finish what is being written, and write no more: another window goes on. */
  close() {
    return this.inTurn(async () => this.db.close());
  }

  /** Keep nothing: not a word, not a picture, not the token; the next to come is another device. */
  wipe() {
    return this.inTurn(async () => {
      const { db, bucket } = this;
      this.db = null;
      await gone({ db, bucket }).finally(() => this.load());
    });
  }
}
