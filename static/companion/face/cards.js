/* Memory cards: a window over as many as there are, and one card opened. */
import { householdDay } from "../merge/days.js";
import { sortedBy } from "../merge/canonical.js";
import { UNDO_WINDOW_MS } from "../merge/operations.js";
import { $, announce, make, sign } from "./dom.js";
import { addressOf } from "./pictures.js";
import { iconOf } from "./signs.js";
import { dayName, t } from "./words.js";

const WIDTH = 190;
const HEIGHT = 236;
const AHEAD = 3; // rows drawn before and after those in sight
const HEARD_AFTER_MS = 150; // what is focused in a dialog that just opened is not heard
const AT_ONCE = 2; // cards out of sight that are drawn in one frame

/** When a memory was told last. */
export const toldAt = (memory) => memory.mentions.reduce((most, one) => Math.max(most, one.at_ms), memory.learned_at_ms);

export class Cards {
  constructor(app) {
    this.app = app;
    this.isAway = false;
    this.drawn = new Map();
    $("cards-window").addEventListener("scroll", () => this.soon(), { passive: true });
    this.sight = { width: 0, height: 0 };
    new ResizeObserver(([{ contentRect }]) => { this.sight = contentRect; this.soon(true); }).observe($("cards-window"));
    $("cards-away").addEventListener("click", () => {
      this.isAway = !this.isAway;
      this.show();
      $("cards-window").scrollTop = 0;
      announce(this.memories.length ? `${$("cards-title").textContent}: ${this.memories.length}` : $("cards-empty").textContent);
    });
    $("cards-list").addEventListener("click", (event) => {
      const card = event.target.closest("[data-gid]");
      if (card) this.open(card.dataset.gid);
    });
    $("card-close").addEventListener("click", () => $("card").close());
    $("card").addEventListener("close", () => this.shut());
    $("card").addEventListener("click", (event) => { if (event.target === $("card")) $("card").close(); });
    $("card-listen").addEventListener("click", () => app.talk.read($("card-text")));
    $("card-change").addEventListener("click", () => this.change());
    $("card-form").addEventListener("submit", (event) => { event.preventDefault(); this.save(); });
    $("card-away").addEventListener("click", () => this.putAway());
    $("card-restore").addEventListener("click", () => this.act(() => this.device.restore(this.gid), true));
  }

  get device() { return this.app.device; }

  /** Draw what is there now; cards that stay keep their places and the focus. */
  show() {
    const memories = [...this.device.store.memories.values()].filter((one) => one.hidden === this.isAway);
    this.memories = sortedBy(memories, (one) => [-toldAt(one), one.gid]);
    $("cards-away").setAttribute("aria-pressed", String(this.isAway));
    $("cards-title").textContent = t(this.isAway ? "away_cards" : "my_cards");
    $("cards-empty").textContent = t(this.isAway ? "no_away" : "no_cards");
    $("cards-empty").hidden = this.memories.length > 0;
    this.draw(true);
  }

  /** Leave no card on the page, shown or not. */
  clear() {
    this.memories = null;
    this.drawn.clear();
    $("cards-list").replaceChildren();
    if ($("card").open) $("card").close();
    this.shut();
  }

  soon(isMoved = false) {
    this.isMoved = this.isMoved || isMoved;
    if (this.isOwed) return;
    this.isOwed = true;
    requestAnimationFrame(() => { this.isOwed = false; if (this.memories) this.draw(false); });
  }

  /* Only rows near what is in sight are there; nothing is done while the same rows stay. */
  draw(isAnew) {
    const { width, height } = this.sight;
    const columns = Math.max(1, Math.floor(width / WIDTH));
    const { scrollTop } = $("cards-window");
    const first = Math.max(0, Math.floor(scrollTop / HEIGHT) - AHEAD);
    const last = Math.ceil((scrollTop + height) / HEIGHT) + AHEAD;
    const rows = `${first} ${last} ${columns}`;
    if (!isAnew && !this.isMoved && rows === this.rows) return;
    const isMoved = isAnew || this.isMoved;
    this.rows = rows;
    this.isMoved = false;
    const from = first * columns;
    const wanted = this.memories.slice(from, last * columns);
    this.dropOthers(new Set(wanted.map((one) => one.gid)), isAnew);
    if (isMoved) $("cards-list").style.height = `${Math.ceil(this.memories.length / columns) * HEIGHT}px`;
    const fresh = document.createDocumentFragment();
    let ahead = isAnew ? Infinity : AT_ONCE;
    wanted.forEach((memory, index) => {
      const place = { at: from + index, columns, width: width / columns };
      const held = this.drawn.get(memory.gid);
      if (held && isMoved) this.placed(held.node, place);
      if (held) return;
      const top = Math.floor(place.at / columns) * HEIGHT;
      const isInSight = top + HEIGHT > scrollTop && top < scrollTop + height;
      if (!isInSight && ahead <= 0) {
        this.rows = ""; // the rest comes with the next frame
        this.soon();
        return;
      }
      if (!isInSight) ahead -= 1;
      const node = this.placed(this.card(memory), place);
      this.drawn.set(memory.gid, { memory, node });
      fresh.append(node);
    });
    $("cards-list").append(fresh);
    if (isAnew) this.inOrder(wanted);
  }

  dropOthers(gids, isAnew) {
    for (const [gid, { node, memory }] of this.drawn) {
      if (gids.has(gid) && !(isAnew && memory !== this.device.store.memories.get(gid))) continue;
      node.remove();
      this.drawn.delete(gid);
    }
  }

  inOrder(wanted) {
    if ($("cards-list").contains(document.activeElement)) return;
    $("cards-list").append(...wanted.map((memory) => this.drawn.get(memory.gid).node));
  }

  placed(node, { at, columns, width }) {
    node.style.left = `${(at % columns) * width}px`;
    node.style.top = `${Math.floor(at / columns) * HEIGHT}px`;
    node.style.width = `${width}px`;
    node.setAttribute("aria-posinset", at + 1);
    node.setAttribute("aria-setsize", this.memories.length);
    return node;
  }

  card(memory) {
    const face = make("span", { class: "card-face" }, iconOf(memory.icon));
    const cover = coverOf(memory);
    if (cover) this.picture(cover, face);
    const day = householdDay(toldAt(memory), this.device.setting("utc_offset_minutes"));
    return make("div", { role: "listitem", class: "card-place" },
      make("button", { type: "button", class: "card", "data-gid": memory.gid },
        face, make("span", { class: "card-words" }, memory.text.slice(0, 90)),
        make("span", { class: "card-day" }, dayName(day, this.device.today()))));
  }

  async picture(name, face) {
    const address = await addressOf(this.device.copy, name);
    if (address) face.replaceChildren(make("img", { src: address, alt: "", decoding: "async" }));
  }

  // one card

  get memory() { return this.device.store.memories.get(this.gid); }

  open(gid) {
    this.gid = gid;
    this.opened(false);
    this.fill();
    $("card").showModal();
    setTimeout(() => { if ($("card").open) $("card-text").focus(); }, HEARD_AFTER_MS); // it is read, and Tab goes on from there
  }

  /** The open card as it is now; it closes where it was forgotten meanwhile. */
  fill() {
    if (!this.gid) return;
    const memory = this.memory;
    if (!memory) {
      if ($("card").open) { $("card").close(); this.app.tell(t("gone")); }
      return;
    }
    $("card-text").textContent = memory.text;
    const offset = this.device.setting("utc_offset_minutes");
    const days = new Set(memory.mentions.map((one) => householdDay(one.at_ms, offset)));
    if (!days.size) days.add(householdDay(memory.learned_at_ms, offset));
    $("card-days").textContent = [...days].sort().reverse().map((day) => dayName(day, this.device.today())).join(", ");
    $("card-away").hidden = memory.hidden;
    $("card-change").hidden = memory.hidden;
    $("card-restore").hidden = !memory.hidden;
    this.fillPictures(memory);
  }

  async fillPictures(memory) {
    const shown = JSON.stringify([memory.gid, memory.icon, coverOf(memory), ...memory.pictures.map((one) => one.name)]);
    if (this.shown === shown) return; // what stays is not heard anew
    const parts = [];
    for (const { name } of memory.pictures) {
      const address = await addressOf(this.device.copy, name);
      if (!address) continue;
      const isCover = coverOf(memory) === name;
      parts.push(make("figure", {}, make("img", { src: address, alt: t("picture") }),
        make("button", { type: "button", class: "round star", "aria-pressed": String(isCover), "aria-label": t(isCover ? "is_cover" : "cover"),
          onclick: () => this.starred(memory.gid, name, isCover) }, sign("star"))));
    }
    if (this.gid !== memory.gid) return;
    if (parts.length === memory.pictures.length) this.shown = shown; // else bytes are still to come
    const at = [...document.querySelectorAll("#card .star")].indexOf(document.activeElement);
    $("card-pictures").replaceChildren(...(parts.length ? parts : [make("span", { class: "card-icon" }, iconOf(memory.icon))]));
    const star = document.querySelectorAll("#card .star")[at];
    if (star) star.focus();
  }

  /* A star that becomes full is read anew; one that was full already says that it is. */
  async starred(gid, name, wasCover) {
    await this.act(() => this.device.star(gid, name));
    if (wasCover) announce(t("is_cover"));
  }

  /* What was open leaves no words behind. */
  shut() {
    this.gid = "";
    this.shown = "";
    for (const id of ["card-text", "card-days"]) $(id).textContent = "";
    $("card-words").value = "";
    $("card-pictures").replaceChildren();
  }

  /* Whether the words can be changed now. */
  opened(is) {
    $("card-form").hidden = !is;
    $("card-change").setAttribute("aria-expanded", String(is));
  }

  change() {
    this.opened($("card-form").hidden);
    $("card-words").value = this.memory.text;
    if (!$("card-form").hidden) $("card-words").focus();
  }

  async save() {
    const words = $("card-words").value.trim();
    if (!words) return;
    await this.act(() => this.device.edit(this.gid, words));
    this.opened(false);
    $("card-text").focus(); // the new words are read
  }

  act(change, isClosing = false) {
    return this.app.safely(async () => {
      await change();
      if (isClosing) $("card").close();
      this.fill();
      this.show();
      this.app.soon();
    });
  }

  /* Back on a card that came back. */
  stand(gid) {
    const card = this.drawn.get(gid);
    if (card && !$("cards").hidden) card.node.querySelector("button").focus();
  }

  /* Whoever stays at the note longer than its eight seconds brings the card back as from those put away. */
  putAway() {
    const gid = this.gid;
    let note;
    let until = 0;
    return this.act(async () => {
      const id = await this.device.putAway(gid);
      until = performance.now() + UNDO_WINDOW_MS - 500;
      const takeBack = () => (performance.now() < until ? this.device.undo(gid, id) : this.device.restore(gid));
      note = this.app.tell(t("was_away"), { act: t("undo"), ms: UNDO_WINDOW_MS, onact: () => this.act(takeBack).then(() => this.stand(gid)) });
    }, true).then(() => { if (note) note.querySelector("button").focus(); });
  }
}

/** The starred picture, else the first one. */
export function coverOf(memory) {
  const names = memory.pictures.map((link) => link.name);
  return names.includes(memory.cover_picture) ? memory.cover_picture : names[0] || null;
}
