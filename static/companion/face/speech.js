/* Reads a text aloud in the character's voice and marks the word being spoken; silent where it cannot. */
import { mood } from "./characters.js";
import { KeptSpeech, ownSentences } from "./kept_speech.js";

let running = null;
const kept = new KeptSpeech();

/** Whether the words of an element are being read. */
export const isRead = (element) => running !== null && running.text === element.firstChild;

/** Stop what is being read. */
export function hush() {
  if (running) running.stop();
}

/** Read the words of one element; resolves when they are said, or at once where nobody can say them.
    The companion's own sentences are kept as sound, so that they are heard again without the house. */
export async function readAloud(element, { house, character, language, voice }) {
  hush();
  if (!/[\p{L}\p{N}]/u.test(element.textContent)) return; // a nod has no sound
  const reading = new Reading(element);
  running = reading;
  const how = { house, character, language, voice, signal: reading.abort.signal };
  try {
    await reading.context.resume();
    const text = element.textContent;
    const own = ownSentences(text);
    let from = 0;
    for (const sentence of own || [text]) {
      from = text.indexOf(sentence, from);
      reading.begins(text.slice(0, from));
      for await (const part of own ? keptParts(sentence, how) : heardParts(sentence, how)) await reading.take(part);
      from += sentence.length;
    }
    await reading.last;
  } catch { /* offline, over the allowance, or no voice of this language: the words stand there */ }
  reading.stop();
}

async function* heardParts(text, { house, character, language, signal }) {
  const answer = await house.open("POST", "speech", { text, character, language }, signal);
  for await (const part of partsOf(answer.body)) {
    if (part.error) throw new Error(part.error);
    yield part;
  }
}

async function* keptParts(text, how) {
  const key = [how.voice, how.character, how.language, text];
  const found = await kept.find(key, text).catch(() => null);
  const parts = [];
  for await (const part of found || heardParts(text, how)) {
    const { first, spans, audio_bytes } = part;
    if (audio_bytes) parts.push({ first, spans, audio_bytes, audio: part.audio.slice() });
    yield { first, spans, audio_bytes, audio: part.audio.slice() };
  }
  if (!found) await kept.keep(key, text, parts).catch(() => {});
}

/* A line of JSON, then as many bytes of sound as it says (voice/stream.py). */
async function* partsOf(body) {
  const reader = body.getReader();
  let held = new Uint8Array(0);
  const more = async () => {
    const { done, value } = await reader.read();
    if (done) return false;
    const both = new Uint8Array(held.length + value.length);
    both.set(held);
    both.set(value, held.length);
    held = both;
    return true;
  };
  for (;;) {
    let cut = held.indexOf(10);
    while (cut < 0) {
      if (!await more()) return;
      cut = held.indexOf(10);
    }
    const line = new TextDecoder().decode(held.subarray(0, cut));
    held = held.slice(cut + 1);
    if (!line) continue;
    const part = JSON.parse(line);
    const length = part.audio_bytes || 0;
    while (held.length < length && await more());
    yield { ...part, audio: held.slice(0, length) };
    held = held.slice(length);
  }
}

class Reading {
  constructor(element) {
    this.text = element.firstChild;
    this.starts = [];
    let offset = 0;
    for (const letter of element.textContent) {
      this.starts.push(offset);
      offset += letter.length;
    }
    this.abort = new AbortController();
    this.context = new AudioContext();
    this.spans = [];
    this.next = 0;
    this.began = null;
    this.last = Promise.resolve();
    this.base = { first: 0, ms: 0 };
  }

  /** What comes next begins behind this text, when what was taken is said. */
  begins(before) {
    this.base = { first: [...before].length, ms: this.began === null ? 0 : (this.next - this.began) * 1000 };
  }

  async take(part) {
    if (!part.audio_bytes) return;
    const buffer = await this.context.decodeAudioData(part.audio.buffer);
    if (this.abort.signal.aborted) return;
    const now = this.context.currentTime + 0.02;
    if (this.began === null) {
      this.began = now;
      mood("talking");
      this.follow();
    } else if (this.next < now) this.began += now - this.next;
    this.timed(part);
    const source = this.context.createBufferSource();
    source.buffer = buffer;
    source.connect(this.context.destination);
    const start = Math.max(this.next, now);
    source.start(start);
    this.next = start + buffer.duration;
    this.last = new Promise((done) => { source.onended = done; this.abort.signal.addEventListener("abort", done); });
  }

  /* Only now is it known when these words are said. */
  timed({ first, spans }) {
    for (let at = 0; at < spans.length; at += 2) {
      this.spans[this.base.first + first + at / 2] = [this.base.ms + spans[at], this.base.ms + spans[at + 1]];
    }
  }

  follow() {
    if (this.abort.signal.aborted) return;
    const at = (this.context.currentTime - (this.context.outputLatency || 0) - this.began) * 1000;
    this.mark(this.spans.findIndex((span) => span && span[0] <= at && at < span[1]));
    requestAnimationFrame(() => this.follow());
  }

  /* Mark the word around one code point. */
  mark(index) {
    if (!window.CSS || !CSS.highlights || !this.text || !this.text.isConnected) return;
    if (index < 0 || index >= this.starts.length) return void CSS.highlights.delete("spoken");
    const text = this.text.data;
    let from = this.starts[index];
    let to = from;
    while (from > 0 && !/\s/.test(text[from - 1])) from -= 1;
    while (to < text.length && !/\s/.test(text[to])) to += 1;
    const range = new Range();
    range.setStart(this.text, from);
    range.setEnd(this.text, to);
    CSS.highlights.set("spoken", new Highlight(range));
  }

  stop() {
    if (running === this) running = null;
    this.abort.abort();
    this.mark(-1);
    mood("");
    if (this.context.state !== "closed") this.context.close();
  }
}
