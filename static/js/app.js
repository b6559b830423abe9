/* The little the pages do by themselves. Everything here is a comfort: without it, reading and posting still work. */
(() => {
  "use strict";
  const root = document.documentElement;
  const all = (selector, from = document) => from.querySelectorAll(selector);
  root.classList.add("js");
  if (isSecureContext) root.classList.add("secure");

  /* A turn's own id, so that a double post is one row. randomUUID exists only in a secure context. */
  function newId() {
    if (crypto.randomUUID) return crypto.randomUUID();
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  }
  function renewIds(from) {
    if (from.matches && from.matches("[data-keep-id]")) return;
    all("input[name=client_id]", from).forEach((input) => { input.value = newId(); });
  }

  /* What is told leaves its box as it is sent, so that words typed meanwhile are the next telling.
     Where it was not taken it comes back: alone as the same turn, before newer words as a new one. */
  const sent = new WeakMap();
  document.addEventListener("htmx:beforeSend", (event) => {
    const form = event.detail.elt;
    if (!form.matches("form[data-clear]")) return;
    const boxes = Array.from(all("textarea", form), (box) => [box, box.value]);
    sent.set(form, { boxes, ids: Array.from(all("input[name=client_id]", form), (input) => [input, input.value]) });
    boxes.forEach(([box]) => { box.value = ""; fit(box); });
    renewIds(form);
  });
  function answered(form, isTaken) {
    const told = sent.get(form);
    sent.delete(form);
    if (isTaken || !told) return;
    const isAlone = told.boxes.every(([box]) => !box.value);
    told.boxes.forEach(([box, words]) => { box.value = [words, box.value].filter(Boolean).join("\n"); fit(box); });
    if (isAlone) told.ids.forEach(([input, id]) => { input.value = id; });
  }

  /* Of answers that overtook each other the one that knows more stays. */
  document.addEventListener("htmx:beforeSwap", (event) => {
    const shown = event.detail.target.querySelector("[data-filled]");
    const come = /data-filled="(\d+)"/.exec(event.detail.serverResponse);
    if (shown && come && Number(come[1]) < Number(shown.dataset.filled)) event.detail.shouldSwap = false;
  });

  /* On a phone the row of a subject's pages runs sideways: it begins where one stands. */
  all(".subnav > [aria-current]").forEach((place) => {
    place.parentElement.scrollLeft = place.offsetLeft - place.parentElement.offsetLeft - 48;
  });

  /* Text boxes grow with their words. */
  function fit(box) {
    box.style.height = "auto";
    box.style.height = `${box.scrollHeight + box.offsetHeight - box.clientHeight}px`;
  }

  /* "Undo" shows how long it stays, from the seconds the house says are left; then it goes. While somebody is at it
     or at the message it stands in, with the focus or the mouse, its time stands still, and the house is told. */
  const offers = new Map(); // form -> when it goes, by the page's clock
  function startUndo(form) {
    const bar = form.querySelector(".undo-bar");
    if (!bar || form.dataset.started) return;
    form.dataset.started = "yes";
    const whole = Number(form.dataset.seconds || 60);
    const place = form.closest("#turn, #tried > li, .agenda > li, .entry, .tile, .memory") || form;
    const why = new Set(); // what holds it: the focus, the mouse
    let left = Math.max(0, Number(form.dataset.secondsLeft || 60)) * 1000;
    let held = 0;
    let since = performance.now();
    let timer;
    bar.style.setProperty("--undo-whole", `${whole}s`);
    bar.style.setProperty("--undo-gone", `${left / 1000 - whole}s`);
    const run = () => { timer = setTimeout(() => { offers.delete(form); form.remove(); }, left); offers.set(form, since + left); };
    const count = () => {
      const passed = performance.now() - since;
      since += passed;
      if (why.size) held += passed; else left -= passed;
    };
    const hold = (by, is) => {
      if (is === why.has(by)) return;
      count();
      if (is) why.add(by); else why.delete(by);
      form.classList.toggle("is-held", why.size > 0);
      clearTimeout(timer);
      if (!why.size) run();
    };
    const hasKeyboard = (one) => Boolean(one) && place.contains(one) && one.matches(":focus-visible");
    place.addEventListener("focusin", (event) => hold("focus", hasKeyboard(event.target)));
    place.addEventListener("focusout", (event) => hold("focus", place.contains(event.relatedTarget) && why.has("focus")));
    place.addEventListener("pointerenter", () => hold("mouse", true));
    place.addEventListener("pointerleave", () => hold("mouse", false));
    form.addEventListener("submit", () => {
      count();
      if (form.elements.held_s) form.elements.held_s.value = String(Math.ceil(held / 1000));
    }, { capture: true });
    run();
    hold("focus", hasKeyboard(document.activeElement));
  }
  /* Alt U leads to the newest offer to undo, and from there to the one before it. */
  function toUndo() {
    const there = [...offers.keys()].filter((form) => form.isConnected && form.checkVisibility())
      .sort((a, b) => offers.get(b) - offers.get(a));
    const at = there.findIndex((form) => form.contains(document.activeElement));
    if (there.length) there[(at + 1) % there.length].querySelector("button").focus();
    else tell(voice && voice.dataset.nothing);
  }

  /* Notices leave after a while, unless they tell of a failure or are being read. */
  function startToast(toast) {
    if (toast.dataset.started || toast.matches(".is-error, .is-warning")) return;
    toast.dataset.started = "yes";
    const leave = () => (toast.matches(":hover, :focus-within") ? setTimeout(leave, 3000) : toast.remove());
    setTimeout(leave, 9000);
  }
  function say(text, level = "error") {
    const toasts = document.getElementById("toasts");
    if (!toasts || !text) return;
    const toast = document.createElement("div");
    toast.className = `toast is-${level}`;
    toast.dataset.toast = "";
    const words = document.createElement("p");
    words.className = "grow";
    words.textContent = text;
    toast.append(words);
    toasts.append(toast);
    setTimeout(() => toast.remove(), 12000);
  }

  /* For whoever listens: what a tap did, in one sentence that the part which came says of itself. What is said
     again while one waits (`data-said-once`) is heard when it changes; what one was led to is read there. */
  const voice = document.getElementById("said");
  const hasKeys = matchMedia("(hover: hover)"); // as the hint beside the box
  const oneLine = (text) => (text || "").replace(/\s+/g, " ").trim();
  function tell(text, isOnce = false) {
    const words = oneLine(text);
    if (!voice || !words || (isOnce && voice.dataset.last === words)) return;
    voice.dataset.last = words;
    voice.textContent = "";
    setTimeout(() => { if (oneLine(document.activeElement.textContent) !== words) voice.textContent = words; }, 150);
  }
  document.addEventListener("said", (event) => tell(event.detail));
  document.addEventListener("notice", (event) => say(event.detail));

  /* Where the button one stands on goes away with its part, one stands on what came in its place. A button that
     rested while it waited has lost its place already. */
  let left = null;
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { target, requestConfig } = event.detail;
    const here = document.activeElement;
    const isLost = here === document.body && requestConfig.triggeringEvent && requestConfig.triggeringEvent.type === "submit";
    const place = isLost ? requestConfig.elt : here;
    left = target.contains(place) ? { id: (place.closest("[id]") || target).id, around: target.parentElement } : null;
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    if (!left) return;
    const { id, around } = left;
    left = null;
    if (document.activeElement !== document.body) return;
    const come = event.detail.elt.isConnected ? event.detail.elt : around;
    const place = (id && document.getElementById(id)) || come;
    if (!place.matches("a, button, input, select, textarea, summary")) place.tabIndex = -1;
    place.focus({ preventScroll: true });
  });

  /* A code says how long it still works, counted from when the page came. */
  function startCount(place) {
    if (place.dataset.started) return;
    place.dataset.started = "yes";
    const end = Date.now() + Number(place.dataset.lasts) * 1000;
    const tick = () => {
      const left = Math.max(0, Math.ceil((end - Date.now()) / 1000));
      place.textContent = left ? `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` : place.dataset.over;
      if (!left) clearInterval(timer);
    };
    const timer = setInterval(tick, 1000);
    tick();
  }

  function wake(from) {
    all("[data-counts-to]", from).forEach(startCount);
    all("input[name=client_id]", from).forEach((input) => { if (!input.value) input.value = newId(); });
    all("textarea[data-grow]", from).forEach(fit);
    all("[data-undo]", from).forEach(startUndo);
    all("[data-toast]", from).forEach(startToast);
  }

  document.addEventListener("input", (event) => {
    if (event.target.matches("textarea[data-grow]")) fit(event.target);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.form) {
      event.preventDefault();
      event.target.form.requestSubmit();
    }
    if (event.altKey && !event.ctrlKey && !event.metaKey && event.code === "KeyU") {
      event.preventDefault();
      toUndo();
    }
    if (event.key === "Escape") all("details.menu[open]").forEach((menu) => { menu.open = false; menu.querySelector("summary").focus(); });
  });
  document.addEventListener("click", (event) => {
    const target = event.target.closest("[data-toast-close], [data-dialog], [data-dialog-close], [data-print]");
    all("details.menu[open]").forEach((menu) => { if (!menu.contains(event.target)) menu.open = false; });
    if (!target) return;
    if (target.matches("[data-toast-close]")) target.closest("[data-toast]").remove();
    if (target.matches("[data-print]")) window.print();
    if (target.matches("[data-dialog-close]")) target.closest("dialog").close();
    const dialog = target.dataset.dialog && document.getElementById(target.dataset.dialog);
    if (dialog) {
      event.preventDefault();
      dialog.showModal();
    }
  });

  /* Light, dark, or as the device: kept in a cookie, so that the house draws the right page at once. */
  document.addEventListener("change", (event) => {
    if (!event.target.closest("[data-theme-switch]")) return;
    const theme = event.target.value;
    if (theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = theme;
    document.cookie = `theme=${theme}; path=/; max-age=31536000; samesite=lax`;
  });

  /* Shortcuts: an element says its own keys ("g t"). They rest in fields, and where the reader turned them off. */
  const KEYS = "keys-off";
  let first = "";
  const keysRest = (event) => event.ctrlKey || event.metaKey || event.altKey || localStorage.getItem(KEYS) ||
    event.target.isContentEditable || event.target.closest("input, textarea, select, dialog");
  function press(keys) {
    const box = document.getElementById(keys === "n" ? "tell" : keys === "/" ? "id_words" : "-");
    if (box) { box.focus(); return true; }
    if (keys === "n" && document.querySelector("[data-key]")) { location.assign("/#tell"); return true; }
    const found = document.querySelector(`[data-key="${CSS.escape(keys === "/" ? "g s" : keys)}"]`);
    if (found) found.click();
    return Boolean(found);
  }
  document.addEventListener("keydown", (event) => {
    if (keysRest(event) || event.key.length > 1) return;
    const keys = first + event.key;
    first = "";
    if (event.key === "g" && keys === "g") first = "g ";
    else if (press(keys)) event.preventDefault();
  });
  all("[data-keys-switch]").forEach((box) => {
    box.checked = !localStorage.getItem(KEYS);
    box.addEventListener("change", () => (box.checked ? localStorage.removeItem(KEYS) : localStorage.setItem(KEYS, "yes")));
  });
  /* A form that came back with a fault begins at it: what is wrong there is read with the field. */
  const faulty = document.querySelector("[aria-invalid=true]");
  if (faulty) faulty.focus();

  if (location.hash === "#tell" && document.getElementById("tell")) document.getElementById("tell").focus();

  /* A chart tells of its days under a mouse by itself; under a thumb in a line below it. */
  document.addEventListener("click", (event) => {
    const drawing = event.target.closest && event.target.closest("svg.chart");
    if (!drawing) return;
    let place = event.target;
    while (place !== drawing && !place.querySelector(":scope > title")) place = place.parentNode;
    const title = place.querySelector(":scope > title");
    if (!title) return;
    const frame = drawing.closest(".chart-scroll") || drawing;
    let tip = frame.nextElementSibling;
    if (!tip || !tip.matches(".chart-tip")) {
      tip = document.createElement("p");
      tip.className = "chart-tip";
      tip.setAttribute("role", "status");
      frame.after(tip);
    }
    tip.textContent = title.textContent;
  });

  /* On the home screen: how many things wait to be looked at. Whoever is signed out has none. */
  function badge() {
    const place = document.querySelector("[data-badge]");
    if (!place || !navigator.setAppBadge) return;
    const open = all("[data-waits]", place).length;
    (open ? navigator.setAppBadge(open) : navigator.clearAppBadge()).catch(() => {});
  }
  document.addEventListener("htmx:afterSettle", badge);
  badge();

  /* The worker keeps the frame of the pages for when the house is away; it exists in a secure context only. */
  const worker = document.querySelector("link[data-worker]");
  if (worker && navigator.serviceWorker) {
    const hadOne = Boolean(navigator.serviceWorker.controller);
    navigator.serviceWorker.register(worker.dataset.worker, { scope: "/", updateViaCache: "none" }).catch(() => {});
    navigator.serviceWorker.addEventListener("controllerchange", () => {
      if (hadOne) say(document.getElementById("toasts").dataset.updated, "info");
    });
  }

  /* Is the house there? */
  const offline = document.getElementById("offline");
  const reachable = (yes) => { if (offline) offline.hidden = yes; };
  addEventListener("offline", () => reachable(false));
  addEventListener("online", () => reachable(true));
  document.addEventListener("htmx:sendError", () => reachable(false));
  document.addEventListener("htmx:afterRequest", (event) => {
    const { successful, elt, xhr } = event.detail;
    if (xhr && xhr.status) reachable(true);
    const form = elt.closest("form");
    if (!form) return;
    if (form.matches("[data-clear]")) answered(form, successful);
    else if (successful) renewIds(form);
  });
  document.addEventListener("htmx:responseError", (event) => {
    const status = event.detail.xhr.status;
    const words = document.getElementById("toasts").dataset;
    if (status !== 409 && status !== 422) say(status === 404 ? words.gone : words.failed);
  });
  document.addEventListener("htmx:load", (event) => {
    wake(event.detail.elt);
    const { said, saidOnce } = event.detail.elt.dataset;
    const isOffered = said && hasKeys.matches && event.detail.elt.querySelector("[data-undo]");
    tell(isOffered ? `${said} ${voice.dataset.leads}` : said, saidOnce !== undefined);
  });

  /* A page taken back from the browser's memory must not post its old turn again. */
  addEventListener("pageshow", (event) => { if (event.persisted) renewIds(document); });
  wake(document);
})();
