/* Talking: what was said, typing, pictures, and the answer of the house or, without it, of the device. */
import { gidsOf, picturesOf } from "../merge/journal.js";
import { rowOf } from "../merge/registers.js";
import { Refused, Unreachable } from "../wire.js";
import { mood } from "./characters.js";
import { $, announce, make, sign } from "./dom.js";
import { addressOf, shrunk } from "./pictures.js";
import { isHeavy } from "../mind/hearing.js";
import { compose, keysIn } from "../mind/talking.js";
import { SENSE } from "../mind/words.js";
import { hush, isRead, readAloud } from "./speech.js";
import { spoken, t } from "./words.js";

const SHOWN = 120;
const MOST_PICTURES = 4;

export class Talk {
  constructor(app) {
    this.app = app;
    this.waiting = []; // pictures chosen and not yet sent
    this.isBusy = false;
    $("tell").addEventListener("submit", (event) => { event.preventDefault(); this.send(); });
    $("tell-text").addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.send();
    });
    $("tell-text").addEventListener("input", () => this.grow());
    for (const id of ["from-camera", "from-gallery"]) $(id).addEventListener("change", (event) => this.choose(event.target));
    for (const one of document.querySelectorAll("[data-opens]")) one.addEventListener("click", () => $(one.dataset.opens).click());
  }

  get device() { return this.app.device; }

  grow() {
    const box = $("tell-text");
    box.style.height = "auto";
    box.style.height = `${Math.min(box.scrollHeight, 160)}px`;
    mood(box.value ? "listening" : "");
  }

  async choose(input) {
    for (const file of [...input.files].slice(0, MOST_PICTURES - this.waiting.length)) {
      try {
        const picture = await shrunk(file, this.device.now());
        this.waiting.push({ ...picture, address: URL.createObjectURL(new Blob([picture.bytes], { type: picture.type })) });
      } catch { this.app.tell(t("picture_bad")); }
    }
    input.value = "";
    this.showWaiting();
    $("tell-text").focus();
    if (this.waiting.length) announce(t("picture_ready"));
  }

  showWaiting() {
    $("tell-pictures").replaceChildren(...this.waiting.map((picture) => make("button", {
      type: "button", class: "chosen", "aria-label": t("picture_off"),
      onclick: () => {
        this.waiting = this.waiting.filter((one) => one !== picture);
        this.showWaiting();
        $("tell-text").focus();
        announce(t("picture_gone"));
      },
    }, make("img", { src: picture.address, alt: t("picture") }), sign("close"))));
  }

  /** Show what was said last, from the lines that are held. */
  async show() {
    const rows = (await this.device.copy.newest(Infinity, SHOWN * 3)).reverse();
    const said = rows.filter(({ line }) => !line.emptied && (line.event === "Heard" || line.event === "Said"));
    const kept = new Set([...this.device.store.memories.values()].flatMap((memory) => memory.mentions.map((one) => one.turn)));
    const parts = said.slice(-SHOWN).map(({ line }) => ({
      who: line.event === "Heard" ? "child" : "companion", text: line.text, turn: line.turn,
      pictures: picturesOf(line), isKept: kept.has(line.turn),
    }));
    if (!parts.length) parts.push({ who: "companion", text: t("hello"), turn: "", pictures: [] });
    const there = new Map([...$("said").children].map((node) => [node.dataset.sign, node]));
    const bubbles = await Promise.all(parts.map((part) => there.get(signOf(part)) || this.bubble(part)));
    const held = [...$("said").children];
    if (held.length === bubbles.length && held.every((node, at) => node === bubbles[at])) return;
    $("said").replaceChildren(...bubbles);
    this.toEnd();
  }

  toEnd() { $("said").scrollTop = $("said").scrollHeight; }

  async bubble(part) {
    const { who, text, turn, pictures, isKept } = part;
    const words = make("p", { class: "words" }, text);
    const images = [];
    for (const name of pictures) {
      const address = await addressOf(this.device.copy, name);
      if (address) images.push(make("img", { src: address, alt: t("picture"), loading: "lazy" }));
    }
    const isOwn = who === "child";
    const act = isOwn ? this.keepButton({ text, turn, pictures, isKept }) : this.listenButton(words);
    const item = make("div", { class: `bubble is-${who}`, "data-turn": turn },
      make("span", { class: "hidden-word" }, t(isOwn ? "you_said" : "it_said")), ...images);
    if (text) item.append(words);
    if (act && (text || images.length)) item.append(act);
    if (images.length === pictures.length) item.dataset.sign = signOf(part);
    return item;
  }

  keepButton({ text, turn, pictures, isKept }) {
    if (isHeavy(text)) return null;
    const button = make("button", { type: "button", class: "mini", "aria-pressed": String(Boolean(isKept)), "aria-label": t(isKept ? "kept" : "keep") }, sign("star"));
    button.addEventListener("click", () => this.app.safely(async () => {
      if (button.getAttribute("aria-pressed") === "true") return;
      await this.device.remember(text.trim() || t("picture"), { turn, pictures });
      button.setAttribute("aria-pressed", "true");
      button.setAttribute("aria-label", t("kept"));
      button.parentElement.dataset.sign = signOf({ who: "child", text, turn, pictures, isKept: true });
      this.app.tell(t("kept"));
      this.app.soon();
    }));
    return button;
  }

  listenButton(words) {
    return make("button", { type: "button", class: "mini", "aria-label": t("listen"), onclick: () => this.read(words) }, sign("listen"));
  }

  /* The voice this character has by the household's settings, as far as it is known here. */
  voice() {
    const { copy, child } = this.device;
    const row = rowOf(copy.registers, `character_voice:${this.app.character.name}`, child);
    return row ? String(row.value) : "";
  }

  /** Read words aloud, or stop where they are being read. */
  read(words) {
    if (isRead(words)) return hush();
    const { house, character } = this.app;
    return readAloud(words, { house, character: character.name, language: spoken(), voice: this.voice() });
  }

  /** What the child typed becomes a turn; it leaves the box only when it is kept. */
  async send() {
    const text = $("tell-text").value.trim();
    if (this.isBusy || (!text && !this.waiting.length) || this.app.isResting()) return;
    this.isBusy = true;
    hush();
    const pictures = this.waiting;
    try {
      await this.app.safely(async () => {
        const held = Object.fromEntries(pictures.map(({ name, bytes, type }) => [name, { bytes, type }]));
        const turn = await this.device.hear(text, held);
        this.cleared();
        const names = Object.keys(held);
        if (names.length && !isHeavy(text)) await this.device.remember(text || t("picture"), { turn, pictures: names });
        $("said").append(await this.bubble({ who: "child", text, turn, pictures: names, isKept: names.length > 0 }));
        await this.answer(turn, text, names);
      });
    } finally { this.isBusy = false; }
    this.app.soon();
  }

  cleared() {
    this.waiting.forEach((one) => URL.revokeObjectURL(one.address));
    this.waiting = [];
    this.showWaiting();
    $("tell-text").value = "";
    this.grow();
    this.app.noteDraft("");
  }

  async answer(turn, text, pictures) {
    const item = await this.bubble({ who: "companion", text: t("thinking"), turn, pictures: [] });
    item.classList.add("is-thinking");
    const words = item.querySelector(".words");
    $("said").append(item);
    this.toEnd();
    const { said, end, recalled } = await this.fromHouse(turn, text, pictures, words);
    const own = said || end === "dropped" ? { text: said, recalled } : await this.ownReply(turn, text, pictures.length > 0);
    item.classList.remove("is-thinking");
    if (words.textContent !== own.text) words.textContent = own.text;
    item.dataset.sign = signOf({ who: "companion", text: own.text, turn, pictures: [], isKept: false });
    const isKept = await this.device.answered(turn, end === "dropped" ? "" : own.text, { how: end || "offline", recalled: own.recalled });
    if (!isKept || end === "dropped") item.remove();
    else announce(own.text); // once and whole: what grows above is not live
    this.toEnd();
    if (isKept && this.app.isAloud()) this.read(words);
  }

  /* The built-in answer, with what was said and recalled this week left out. */
  async ownReply(turn, text, hasPicture) {
    const { device, character } = this.app;
    const now_ms = device.now();
    const week = (await device.copy.lines(IDBKeyRange.lowerBound(now_ms - SENSE.numbers.week_ms))).map((row) => row.line);
    const { text: said, recalled } = compose({
      turn, text, hasPicture, now_ms, language: spoken(), character: character.name,
      memories: [...device.store.memories.values()].filter((one) => !one.hidden),
      said: new Set(week.flatMap((line) => (line.event === "Said" && !line.emptied ? keysIn(line.text) : []))),
      recalled: new Set(week.flatMap((line) => (line.event === "Recalled" ? gidsOf(line) : []))),
    });
    return { text: said, recalled: recalled ? [recalled] : [] };
  }

  /* The house's answer as it comes; {said: "", end: ""} where there is none. */
  async fromHouse(turn, text, pictures, words) {
    const found = { said: "", end: "", recalled: [] };
    try {
      const body = { turn, text, pictures, session: this.device.session(), language: spoken() };
      const abort = new AbortController();
      const patience = setTimeout(() => abort.abort(), 60_000);
      const answer = await this.app.house.open("POST", "turn", body, abort.signal);
      for await (const piece of linesOf(answer.body)) {
        found.said += piece.said || "";
        found.end = piece.end || found.end;
        found.recalled = piece.recalled || found.recalled;
        if (found.said) words.textContent = found.said;
        this.toEnd();
      }
      clearTimeout(patience);
      this.app.isFar(false);
    } catch (error) {
      if (error instanceof Unreachable) this.app.isFar(true);
      else if (!(error instanceof Refused) && error.name !== "AbortError" && !(error instanceof TypeError)) throw error;
    }
    if (found.end === "failed") found.said = "";
    return found;
  }
}

/* What a bubble shows; one that shows the same is left where it is, so that it can be read or touched on. */
const signOf = ({ who, text, turn, pictures, isKept }) =>
  JSON.stringify([spoken(), who, text, turn, pictures, who === "child" && Boolean(isKept)]);

async function* linesOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (held + value).split("\n");
    held = lines.pop();
    for (const line of lines) if (line.trim()) yield JSON.parse(line);
  }
}
