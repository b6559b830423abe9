/* The companion's page: opens the copy, shows what fits, and keeps in touch with the house. */
import { Device } from "./device.js";
import { Cards } from "./face/cards.js";
import { chosenCharacter, showCharacter, LOOKS } from "./face/characters.js";
import { Days } from "./face/days.js";
import { $, make, standAt } from "./face/dom.js";
import { Me } from "./face/me.js";
import { dropGone } from "./face/pictures.js";
import { hush } from "./face/speech.js";
import { codeOfAddress, offerSquare } from "./face/square.js";
import { Talk } from "./face/talk.js";
import { native, speak, t } from "./face/words.js";
import { rowOf } from "./merge/registers.js";
import { Copy, StorageFull } from "./store.js";
import { Revoked, sync } from "./sync.js";
import { House, Refused, Unreachable } from "./wire.js";

const APP = "Hearthbook companion";
const SYNC_MS = 30_000;
const TICK_MS = 10_000;
const AWAY_MS = 60_000; // without a touch for so long nobody talks
const LEAVES_MS = 1_500; // what was there is out of sight and still heard of
const SCREENS = ["loading", "pair", "house", "goodnight"];
const PLACES = ["talk", "cards", "days", "me"];

class App {
  async begin() {
    speak(native());
    this.alone();
    this.device = await new Device(await Copy.open()).begin();
    this.house = new House({ token: () => this.device.token, onTime: (ms) => this.measured(ms) });
    this.talk = new Talk(this);
    this.cards = new Cards(this);
    this.days = new Days(this);
    this.me = new Me(this);
    this.listen();
    this.dress();
    codeOfAddress();
    offerSquare().catch(() => {});
    addEventListener("hashchange", codeOfAddress);
    await this.enter();
    this.work();
  }

  /* Two windows would count lines over each other: the last opened one goes on. */
  alone() {
    this.windows = new BroadcastChannel("hearthbook-companion");
    this.windows.onmessage = () => this.stepBack();
    this.windows.postMessage("here");
  }

  stepBack() {
    this.isStopped = true;
    if (this.device) this.device.copy.close();
    this.tell(t("elsewhere"), { act: t("here"), onact: () => location.reload(), ms: Infinity });
    $("house").inert = true;
  }

  listen() {
    for (const button of document.querySelectorAll("[data-place]")) button.addEventListener("click", () => this.go(button.dataset.place));
    for (const button of document.querySelectorAll("#pair [data-language]")) {
      button.addEventListener("click", () => this.safely(async () => { await this.device.note({ language: button.dataset.language }); this.dress(); }));
    }
    $("pair-form").addEventListener("submit", (event) => { event.preventDefault(); this.pair(); });
    for (const kind of ["pointerdown", "keydown", "input"]) addEventListener(kind, () => { this.touched = performance.now(); }, { passive: true });
    addEventListener("online", () => this.soon(0));
    document.addEventListener("visibilitychange", () => { if (document.hidden) hush(); else this.soon(0); });
    document.addEventListener("keydown", (event) => { if (event.key === "Escape") hush(); });
    $("tell-text").addEventListener("input", () => this.noteDraft($("tell-text").value));
    addEventListener("unhandledrejection", (event) => { if (event.reason instanceof StorageFull) this.full(); });
  }

  // what shows

  /* What held the focus goes a moment after one stands elsewhere: a reader whose place goes first takes the next
     one by itself, and says nothing of it. Until then it is out of sight. */
  screen(name) {
    const last = document.body.dataset.screen;
    document.body.dataset.screen = name;
    for (const one of SCREENS) {
      $(one).classList.toggle("hidden-word", one === last && one !== name);
      $(one).hidden = one !== name && one !== last;
    }
    if (last === name) return;
    standAt($(name === "house" ? this.place || "talk" : name));
    setTimeout(() => { if (document.body.dataset.screen !== last) $(last || "loading").hidden = true; }, LEAVES_MS);
  }

  async enter() {
    if (!this.device.token) {
      $("pair-ended").hidden = !this.device.copy.known("is_revoked", false);
      $("pair-name").value = $("pair-name").value || t("tablet");
      if ($("card").open) $("card").close();
      $("said").replaceChildren();
      this.screen("pair");
      return;
    }
    $("tell-text").value = $("tell-text").value || this.device.copy.known("draft", "");
    if (!this.gate()) this.screen("house");
    await this.refresh();
  }

  go(place) {
    hush();
    for (const one of PLACES) {
      $(one).hidden = one !== place;
      const button = document.querySelector(`[data-place=${one}]`);
      if (one === place) button.setAttribute("aria-current", "page");
      else button.removeAttribute("aria-current");
    }
    this.place = place;
    if (place === "talk") this.talk.toEnd();
    else this[place].show();
    standAt($(place));
    for (const one of ["cards", "days"]) if (one !== place) this[one].clear();
  }

  /** Show anew what is held now. */
  async refresh() {
    this.dress();
    await dropGone(this.device.copy);
    if (!this.talk.isBusy) await this.talk.show();
    if (this.place && this.place !== "talk") this[this.place].show();
    this.cards.fill();
  }

  /** Language, character and colours as they were chosen. */
  dress() {
    const { copy, child } = this.device;
    speak(copy.known("language", native()));
    this.character = chosenCharacter({ theme: rowOf(copy.registers, "cat_theme", child), character: rowOf(copy.registers, "character", child) });
    this.look = copy.known("look", LOOKS[0]);
    document.documentElement.dataset.look = this.look;
    showCharacter(this.character.name, this.character.coat);
  }

  isAloud() { return this.device.copy.known("aloud", true); }
  isResting() { return this.gate() !== ""; }
  isFar(is) { $("far").hidden = !is; }

  /** Good night, where it is time to rest; gives why. */
  gate() {
    const why = this.device.token ? this.device.rest() : "";
    if (why) {
      hush();
      if ($("card").open) $("card").close();
      $("rest-why").textContent = t(`rest_${why}`).replace("{at}", this.device.wakes());
      $("rest-more").hidden = why !== "minutes";
      this.screen("goodnight");
    } else if (document.body.dataset.screen === "goodnight") this.screen("house");
    return why;
  }

  /** Say something at the foot of the page, with one thing to do about it. It stays while somebody is at it. */
  tell(text, { act, onact, ms = 6_000 } = {}) {
    const note = make("div", { class: "note" }, make("p", {}, text));
    if (act) note.append(make("button", { type: "button", class: "plain", onclick: () => { note.remove(); onact(); } }, act));
    $("notes").append(note);
    const leave = () => (note.querySelector(":focus-visible") || note.matches(":hover") ? setTimeout(leave, 1_000) : this.drop(note));
    if (Number.isFinite(ms)) setTimeout(leave, ms);
    return note;
  }

  /* Who stood on a note stands on the page again when it goes. */
  drop(note) {
    const wasHere = note.contains(document.activeElement);
    note.remove();
    if (wasHere) standAt($(this.place || "talk"));
  }

  full() {
    if (this.fullNote && this.fullNote.isConnected) return;
    this.fullNote = this.tell(t("full"), { ms: Infinity, act: t("close"), onact: () => {} });
  }

  /** Run something a child asked for; what fails is said, and nothing of it is half kept. */
  async safely(act) {
    try { return await act(); } catch (error) {
      if (error instanceof StorageFull) this.full();
      else {
        console.warn("refused", error.message);
        this.tell(t("trouble"));
      }
      return undefined;
    }
  }

  noteDraft(text) {
    clearTimeout(this.drafting);
    this.drafting = setTimeout(() => { if (this.device.token && !this.isStopped) this.device.note({ draft: text }).catch(() => this.full()); }, text ? 400 : 0);
  }

  // pairing

  async pair() {
    const fault = $("pair-fault");
    fault.textContent = "";
    try {
      const code = $("pair-code").value.replace(/\D/g, "");
      const name = $("pair-name").value.trim() || t("tablet");
      const isChilds = await this.device.pair(this.house, { code, name, app: APP });
      $("pair-code").value = "";
      if (!isChilds) {
        fault.textContent = t("pair_household");
        return;
      }
      if (navigator.storage && navigator.storage.persist) navigator.storage.persist();
      await this.sync();
      await this.enter();
      this.go("talk");
      $("tell-text").focus();
    } catch (error) {
      const why = error instanceof Unreachable ? "pair_offline" : error.code === "rate_limited" ? "pair_many" : error instanceof Refused ? "pair_wrong" : "trouble";
      fault.textContent = t(why);
    }
  }

  // the house

  async measured(ms) {
    if (Math.abs(ms - this.device.copy.known("measured_ms", 0)) > 500) await this.device.note({ measured_ms: ms });
  }

  /** Sync before long. */
  soon(ms = 600) {
    clearTimeout(this.next);
    this.next = setTimeout(() => this.sync(), ms);
  }

  async sync() {
    if (this.isStopped || !this.device.token) return;
    if (this.syncing) { this.isWanted = true; return; }
    this.syncing = true;
    clearTimeout(this.next);
    try { await this.exchange(); } catch (error) { console.warn("sync", error.message); }
    this.syncing = false;
    document.body.dataset.synced = String(Number(document.body.dataset.synced) + 1);
    this.soon(this.isWanted ? 200 : SYNC_MS);
    this.isWanted = false;
  }

  async exchange() {
    try {
      await sync(this.device, this.house);
      this.isFar(false);
    } catch (error) { if (!this.isStopped) await this.missed(error); }
    if (this.isStopped) return;
    if (this.device.token) await this.refresh();
    this.gate();
  }

  async missed(error) {
    if (error instanceof Unreachable) this.isFar(true);
    else if (error instanceof StorageFull) this.full();
    else if (error instanceof Revoked) {
      for (const view of [this.cards, this.days]) view.clear();
      $("tell-text").value = "";
      await dropGone(this.device.copy);
      await this.enter();
    } else console.warn("sync", error.code || error.message);
  }

  /* Time spent, the hour of rest, and the house: from now on. */
  work() {
    this.touched = performance.now();
    let last = performance.now();
    setInterval(() => {
      const now = performance.now();
      const isUsed = !document.hidden && document.body.dataset.screen === "house" && now - this.touched < AWAY_MS && !this.isStopped;
      if (isUsed) this.device.use(Math.min(now - last, 2 * TICK_MS)).catch(() => this.full());
      last = now;
      this.gate();
    }, TICK_MS);
    this.soon(0);
    this.shell().catch(() => {});
  }

  /* The shell is kept for without the house; a new one waits until the child wants it. */
  async shell() {
    if (!navigator.serviceWorker) return;
    const kept = await navigator.serviceWorker.register("worker.js", { scope: "./" });
    const offer = (worker) => { // the first one is no news, even where the book's own worker was here before it
      if (!worker || !kept.active || this.offered === worker) return;
      this.offered = worker;
      this.tell(t("new_version"), { act: t("refresh"), ms: Infinity, onact: () => {
        navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
        worker.postMessage("take over");
      } });
    };
    offer(kept.waiting);
    kept.addEventListener("updatefound", () => {
      const { installing } = kept;
      installing.addEventListener("statechange", () => { if (installing.state === "installed") offer(installing); });
    });
    setInterval(() => kept.update().catch(() => {}), 60 * 60_000);
  }
}

const app = new App();
app.begin().catch((error) => {
  console.error(error);
  $("loading").textContent = t("trouble");
});
