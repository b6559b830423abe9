/* Reads a text aloud while the house is still making its sound, and marks the word being spoken. */
(() => {
  "use strict";
  const SKIPPED = "button, .btn, input, select, textarea, script, style, svg, .visually-hidden, [hidden], [data-unspoken]";
  const BLOCKS = "p, li, h1, h2, h3, h4, dt, dd, tr, div, section, article, blockquote, br";
  const HIGHLIGHT = "spoken";
  let running = null;

  /* The words of an element as a reader sees them, and where in the page each of their code points stands. */
  function wordsOf(root) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
      node.nodeType === Node.ELEMENT_NODE && node.matches(SKIPPED) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
    const letters = [];
    const places = [];
    let gap = "";
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.nodeType === Node.ELEMENT_NODE) {
        if (node.matches(BLOCKS)) gap = "\n";
        continue;
      }
      let offset = 0;
      for (const letter of node.data) {
        if (/\s/.test(letter)) gap = gap || " ";
        else {
          if (gap && letters.length) { letters.push(gap); places.push(null); }
          gap = "";
          letters.push(letter);
          places.push({ node, offset, end: offset + letter.length });
        }
        offset += letter.length;
      }
    }
    return { text: letters.join(""), letters, places };
  }

  /* Marks the word around one code point; nothing where the browser cannot. */
  function mark(words, index) {
    if (!window.CSS || !CSS.highlights) return;
    if (index < 0 || !words.places[index]) { CSS.highlights.delete(HIGHLIGHT); return; }
    let first = index;
    let last = index;
    while (first > 0 && words.places[first - 1]) first -= 1;
    while (last + 1 < words.places.length && words.places[last + 1]) last += 1;
    const range = new Range();
    try {
      range.setStart(words.places[first].node, words.places[first].offset);
      range.setEnd(words.places[last].node, words.places[last].end);
      CSS.highlights.set(HIGHLIGHT, new Highlight(range));
    } catch { CSS.highlights.delete(HIGHLIGHT); } // the page changed under the words
  }

  function say(text) {
    const toasts = document.getElementById("toasts");
    if (!toasts || !text) return;
    const toast = document.createElement("div");
    toast.className = "toast";
    toast.dataset.toast = "";
    const words = document.createElement("p");
    words.className = "grow";
    words.textContent = text;
    toast.append(words);
    toasts.append(toast);
    setTimeout(() => toast.remove(), 12000);
  }

  function token() {
    try { return JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"]; } catch { return ""; }
  }

  /* The parts of a streamed answer: a line of JSON, then as many bytes of sound as it says. */
  async function* partsOf(body) {
    const reader = body.getReader();
    let held = new Uint8Array(0);
    let ended = false;
    const more = async () => {
      const { done, value } = await reader.read();
      ended = done;
      if (!done) {
        const both = new Uint8Array(held.length + value.length);
        both.set(held);
        both.set(value, held.length);
        held = both;
      }
    };
    for (;;) {
      let cut = held.indexOf(10);
      while (cut < 0 && !ended) { await more(); cut = held.indexOf(10); }
      if (cut < 0) return;
      const line = new TextDecoder().decode(held.subarray(0, cut));
      held = held.slice(cut + 1);
      if (!line) continue;
      const part = JSON.parse(line);
      while (held.length < (part.audio_bytes || 0) && !ended) await more();
      part.audio = held.slice(0, part.audio_bytes || 0);
      held = held.slice(part.audio_bytes || 0);
      yield part;
    }
  }

  class Reading {
    constructor(button, words, fields) {
      this.button = button;
      this.words = words;
      this.fields = fields;
      this.abort = new AbortController();
      this.context = new AudioContext();
      this.spans = [];
      this.sources = [];
      this.next = 0;
      this.began = null;
    }

    async run() {
      this.show(true, true);
      try {
        await this.context.resume();
        const body = new FormData();
        Object.entries(this.fields).forEach(([name, value]) => body.append(name, value));
        const answer = await fetch(this.button.dataset.url, {
          method: "POST", body, signal: this.abort.signal, headers: { "X-CSRFToken": token() },
        });
        if (!answer.ok) {
          const told = await answer.json().catch(() => ({}));
          throw new Error(told.detail || this.button.dataset.failed);
        }
        for await (const part of partsOf(answer.body)) await this.take(part);
        await this.ended();
      } catch (error) {
        if (error.name !== "AbortError") say(error.message || this.button.dataset.failed);
      }
      this.stop();
    }

    async take(part) {
      if (part.error) throw new Error(part.detail);
      if (part.notice) say(part.notice);
      for (let i = 0; i < part.spans.length; i += 2) this.spans[part.first + i / 2] = [part.spans[i], part.spans[i + 1]];
      if (!part.audio_bytes) return;
      const sound = await this.context.decodeAudioData(part.audio.buffer);
      if (this.abort.signal.aborted) return;
      const now = this.context.currentTime + 0.02;
      if (this.began === null) {
        this.began = now;
        this.show(true, false);
        this.follow();
      } else if (this.next < now) this.began += now - this.next; // the house was slower than the voice
      const source = this.context.createBufferSource();
      source.buffer = sound;
      source.connect(this.context.destination);
      const start = Math.max(this.next, now);
      source.start(start);
      this.next = start + sound.duration;
      this.sources.push(source);
      this.last = new Promise((done) => { source.onended = done; });
    }

    ended() { return this.last || Promise.resolve(); }

    follow() {
      if (this.abort.signal.aborted) return;
      const late = this.context.outputLatency || 0;
      const at = (this.context.currentTime - late - this.began) * 1000;
      mark(this.words, this.spans.findIndex((span) => span && span[0] <= at && at < span[1]));
      requestAnimationFrame(() => this.follow());
    }

    show(isOn, isBusy) {
      this.button.setAttribute("aria-pressed", String(isOn));
      this.button.setAttribute("aria-busy", String(isBusy));
      this.button.setAttribute("aria-label", isOn ? this.button.dataset.stop : this.button.dataset.start);
    }

    stop() {
      if (running === this) running = null;
      this.abort.abort();
      this.sources.forEach((source) => { try { source.stop(); } catch { /* it never began */ } });
      if (this.context.state !== "closed") this.context.close();
      mark(this.words, -1);
      this.show(false, false);
    }
  }

  function start(button) {
    const target = document.getElementById(button.dataset.speak);
    if (!target) return;
    const words = wordsOf(target);
    const fields = { text: words.text, language: button.dataset.language || document.documentElement.lang || "en" };
    if (button.dataset.character) fields.character = button.dataset.character;
    if ("fixed" in button.dataset) fields.fixed = "on";
    running = new Reading(button, words, fields);
    running.run();
  }

  /* A sample is a plain form whose answer is a file; here it plays without leaving the page. */
  async function sample(form) {
    const body = new FormData(form);
    const speed = document.getElementById("id_speed");
    if (speed) body.set("speed", speed.value);
    try {
      const answer = await fetch(form.action, { method: "POST", body });
      if (!answer.ok) throw new Error((await answer.json().catch(() => ({}))).detail);
      const url = URL.createObjectURL(await answer.blob());
      const player = new Audio(url);
      player.onended = () => URL.revokeObjectURL(url);
      await player.play();
    } catch (error) { say(error.message || form.dataset.failed); }
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-speak]");
    if (!button) return;
    const same = running && running.button === button;
    if (running) running.stop();
    if (!same) start(button);
  });
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("[data-sample]")) return;
    event.preventDefault();
    if (running) running.stop();
    sample(event.target);
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && running) running.stop(); });
  addEventListener("pagehide", () => { if (running) running.stop(); });
  document.addEventListener("htmx:beforeSwap", () => { if (running && !document.contains(running.button)) running.stop(); });
})();
