/* The device's own cache of sound: only sentences of the companion's own, never a line of a memory or a model, so
   a forgetting has nothing to find here. Over the cap the least recently used go as the new one comes. */
import { SENSE } from "../mind/words.js";
import { SPEECH, done } from "../places.js";

const MOST_BYTES = 32 * 1024 * 1024;

const own = new Map(); // by the first letter of a sentence, the longest first

function sentences() {
  if (own.size) return own;
  for (const { said, asks, voices, fixed, nod } of Object.values(SENSE.sayings)) {
    const plain = [...Object.values(said), ...Object.values(asks)].flat().map((one) => one.text);
    const voiced = Object.values(voices).flat().flatMap((sound) => plain.map((one) => `${sound}! ${one}`));
    for (const text of [fixed, nod, ...plain, ...voiced]) own.set(text[0], [...(own.get(text[0]) || []), text]);
  }
  for (const texts of own.values()) texts.sort((a, b) => b.length - a.length);
  return own;
}

/** A text as the companion's own sentences, or null where anything else stands in it. */
export function ownSentences(text) {
  const found = [];
  let rest = text.trim();
  while (rest) {
    const next = (sentences().get(rest[0]) || []).find((one) => rest.startsWith(one));
    if (!next) return null;
    found.push(next);
    rest = rest.slice(next.length).trimStart();
  }
  return found;
}

const fits = ({ parts }, text) => parts.length > 0
  && parts.every((part) => part.audio.byteLength > 0 && part.spans.length > 0 && part.first + part.spans.length / 2 <= [...text].length);

function database() {
  const request = indexedDB.open(SPEECH, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("sound");
    request.result.createObjectStore("used"); // key: [turn of use, bytes]
  };
  return done(request);
}

/** The sounds this device keeps. */
export class KeptSpeech {
  async open() {
    if (!this.db) {
      this.db = await database();
      this.db.onversionchange = () => { this.db.close(); this.db = null; };
    }
    return this.db;
  }

  /** The parts of a line as they were heard, null where it is not kept; one that does not fit its line goes. */
  async find(key, text) {
    const writing = (await this.open()).transaction(["sound", "used"], "readwrite");
    const found = await done(writing.objectStore("sound").get(key));
    if (!found) return null;
    if (!fits(found, text)) {
      for (const name of ["sound", "used"]) writing.objectStore(name).delete(key);
      return null;
    }
    await this.note(writing, key, found.bytes);
    return found.parts;
  }

  /** Keep a line's parts, and let go of the least recently used past the cap, in one transaction. */
  async keep(key, text, parts) {
    const bytes = parts.reduce((sum, part) => sum + part.audio.byteLength + part.spans.length * 8, 0);
    if (!fits({ parts }, text) || bytes > MOST_BYTES) return;
    const writing = (await this.open()).transaction(["sound", "used"], "readwrite");
    writing.objectStore("sound").put({ parts, bytes }, key);
    await this.note(writing, key, bytes);
    const [keys, rows] = await Promise.all([done(writing.objectStore("used").getAllKeys()), done(writing.objectStore("used").getAll())]);
    let all = rows.reduce((sum, row) => sum + row.bytes, 0);
    const oldest = keys.map((one, at) => [rows[at].at, one, rows[at].bytes]).sort((a, b) => a[0] - b[0]);
    for (const [, one, size] of oldest) {
      if (all <= MOST_BYTES) return;
      for (const name of ["sound", "used"]) writing.objectStore(name).delete(one);
      all -= size;
    }
  }

  /* A counter that only rises says which was used last; no clock is asked. */
  async note(writing, key, bytes) {
    const used = writing.objectStore("used");
    const rows = await done(used.getAll());
    const at = rows.reduce((most, row) => Math.max(most, row.at), 0) + 1;
    used.put({ at, bytes }, key);
  }
}
