/* What the child chooses, and what grown-ups may do here. */
import { placeOf } from "../merge/time.js";
import { Refused, Unreachable } from "../wire.js";
import { CHARACTERS, COATS, LOOKS, drawn } from "./characters.js";
import { $, make } from "./dom.js";
import { languages, t } from "./words.js";

const MINUTES = 15;
const NAMES = { en: "English", tr: "Türkçe" };

export class Me {
  constructor(app) {
    this.app = app;
    for (const form of document.querySelectorAll("[data-pin]")) {
      form.addEventListener("submit", (event) => { event.preventDefault(); this.grant(form); });
    }
    $("aloud").addEventListener("change", () => app.safely(() => app.device.note({ aloud: $("aloud").checked })));
  }

  show() {
    const { app } = this;
    const { name, coat } = app.character;
    this.choices("character", CHARACTERS, name, { mark: (one) => figureOf(one, coat), label: t, onchoose: (one) => app.device.set("character", one) });
    this.choices("coat", COATS, coat, { mark: (one) => make("span", { class: `dot is-${one}` }), label: t, onchoose: (one) => this.setCoat(one) });
    this.choices("look", LOOKS, app.look, { mark: (one) => make("span", { class: `dot look-${one}` }), label: t, onchoose: (one) => app.device.note({ look: one }) });
    this.choices("language", languages(), document.documentElement.lang, { mark: () => "", label: (one) => NAMES[one], onchoose: (one) => app.device.note({ language: one }) });
    $("coats").hidden = name !== "cat";
    $("aloud").checked = app.isAloud();
    $("unmoved").hidden = !app.device.copy.known("owes_move", false);
    const left = app.device.remaining();
    $("time-left").textContent = left === null ? t("no_limit") : String(Math.ceil(left / 60_000));
    app.device.copy.ownLines(app.device.id, { from: app.device.copy.known("next_seq", 0) }).then((lines) => {
      $("waiting").textContent = lines.length ? String(lines.length) : t("synced");
    });
  }

  /* A coat is chosen after the character, so that the cat is who shows. */
  async setCoat(one) {
    await this.app.device.set("cat_theme", one);
    await this.app.device.set("character", "cat");
  }

  choices(id, names, chosen, { mark, label, onchoose }) {
    const place = $(`choose-${id}`);
    const focused = place.contains(document.activeElement) ? document.activeElement.value : null;
    place.replaceChildren(...names.map((one) => {
      const input = make("input", { type: "radio", name: id, value: one, checked: one === chosen, class: "hidden-word" });
      input.addEventListener("change", () => this.app.safely(async () => { await onchoose(one); this.app.dress(); this.show(); this.app.soon(); }));
      return make("label", { class: "choice-one", lang: id === "language" ? one : null }, input, make("span", { class: "choice-face" }, mark(one), make("span", {}, label(one))));
    }));
    if (focused) place.querySelector(`[value="${focused}"]`).focus();
  }

  /** More minutes of today; the house proves the PIN. */
  async grant(form) {
    const { device, house } = this.app;
    const input = form.querySelector("input");
    const fault = form.querySelector("[role=alert]");
    fault.textContent = "";
    const place = { device: device.id, day: device.today() };
    const held = device.store.time.get(placeOf(place)) || { ...place, used_ms: 0, extra_minutes: 0 };
    try {
      const row = { ...held, extra_minutes: held.extra_minutes + MINUTES };
      const told = await house.ask("POST", "time", { rows: [row], pin: input.value });
      if (told.forbidden.length) throw new Refused(403, { code: "forbidden" });
      await device.use(0, MINUTES);
      this.app.tell(t("pin_done"));
      this.app.gate();
      this.show();
      this.app.soon();
    } catch (error) {
      fault.textContent = t(error instanceof Unreachable ? "pin_offline" : error instanceof Refused ? "pin_wrong" : "trouble");
    }
    input.value = "";
  }
}

function figureOf(name, coat) {
  const figure = make("span", { class: `figure is-small is-${name} is-${coat}` });
  figure.append(drawn(name));
  return figure;
}
