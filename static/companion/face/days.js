/* The days: on each what was told on it, newest first. */
import { householdDay } from "../merge/days.js";
import { $, make } from "./dom.js";
import { iconOf } from "./signs.js";
import { dayName } from "./words.js";

const PAGE = 20;

export class Days {
  constructor(app) {
    this.app = app;
    this.shown = PAGE;
    $("days-more").addEventListener("click", () => { this.shown += PAGE; this.show(); });
    $("days-list").addEventListener("click", (event) => {
      const card = event.target.closest("[data-gid]");
      if (card) app.cards.open(card.dataset.gid);
    });
  }

  /** Leave no words on the page. */
  clear() { $("days-list").replaceChildren(); }

  show() {
    const { device } = this.app;
    const offset = device.setting("utc_offset_minutes");
    const days = new Map();
    for (const memory of device.store.memories.values()) {
      if (memory.hidden) continue;
      const stamps = memory.mentions.length ? memory.mentions.map((one) => one.at_ms) : [memory.learned_at_ms];
      for (const day of new Set(stamps.map((at) => householdDay(at, offset)))) {
        if (!days.has(day)) days.set(day, []);
        days.get(day).push(memory);
      }
    }
    const newest = [...days.keys()].sort().reverse();
    $("days-empty").hidden = newest.length > 0;
    $("days-more").hidden = newest.length <= this.shown;
    const focused = document.activeElement.closest("#days-list [data-gid]");
    const at = focused ? [...document.querySelectorAll("#days-list .day-card")].indexOf(focused) : -1;
    $("days-list").replaceChildren(...newest.slice(0, this.shown).map((day) => make("li", { class: "day" },
      make("h2", {}, make("time", { datetime: day }, dayName(day, device.today()))),
      make("ul", {}, ...days.get(day).map((memory) => make("li", {},
        make("button", { type: "button", class: "day-card", "data-gid": memory.gid },
          iconOf(memory.icon), make("span", {}, memory.text.slice(0, 200)))))))));
    const place = document.querySelectorAll("#days-list .day-card")[at];
    if (place) place.focus({ preventScroll: true });
  }
}
