/* Shows an answer as it is written. Without it the form posts and the whole answer comes as a page. */
(() => {
  "use strict";

  /* The events of a stream, as [name, data]; lines that are only a beat are left out. */
  async function* events(body) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let held = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      held += value;
      for (let end = held.indexOf("\n\n"); end >= 0; end = held.indexOf("\n\n")) {
        const lines = held.slice(0, end).split("\n");
        held = held.slice(end + 2);
        const name = lines.find((line) => line.startsWith("event: "));
        const data = lines.find((line) => line.startsWith("data: "));
        if (name && data) yield [name.slice(7), JSON.parse(data.slice(6))];
      }
    }
  }

  /* For whoever listens: that it is being looked for, then the whole answer at once, never piece by piece. */
  const heard = (text) => document.dispatchEvent(new CustomEvent("said", { detail: text }));
  function wordsOf(answer) {
    const words = answer.cloneNode(true);
    words.querySelectorAll("[data-unspoken]").forEach((one) => one.remove());
    words.querySelectorAll("h3, p, li").forEach((one) => one.append(" "));
    return words.textContent;
  }

  function waiting(live) {
    heard(live.dataset.waiting);
    const line = document.createElement("p");
    line.className = "soft row";
    const spinner = document.createElement("span");
    spinner.className = "spinner";
    spinner.setAttribute("aria-hidden", "true");
    line.append(spinner, live.dataset.waiting);
    live.replaceChildren(line);
    live.hidden = false;
    live.setAttribute("aria-busy", "true");
  }

  function say(live, text) {
    const line = document.createElement("p");
    line.setAttribute("role", "alert");
    line.textContent = text;
    live.replaceChildren(line);
  }

  /* The answer's own page, with thumbs and what it rests on, in the place of what was streamed. */
  async function whole(live, url) {
    const response = await fetch(url, { headers: { "HX-Request": "true" } });
    if (!response.ok) throw new Error("answer");
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    live.className = "answer-live";
    live.replaceChildren(...page.body.childNodes);
    if (window.htmx) window.htmx.process(live);
    heard(wordsOf(live.querySelector(".answer")));
  }

  /* A follow-up is answered below the answer it goes on from, whose boxes stay until it is. */
  function goOn(live) {
    const article = live.querySelector("article");
    const place = document.activeElement;
    live.before(article);
    if (article.contains(place)) place.focus({ preventScroll: true });
    return article;
  }

  /* What was asked has its answer: its box is the next question's, or goes with the others of the answer before.
     Until then its words and its id stay, so that asking again is the same question. */
  function answered(form, earlier) {
    const box = form.querySelector("[name=words]");
    box.value = "";
    box.dispatchEvent(new Event("input", { bubbles: true }));
    const wasIn = earlier && earlier.contains(document.activeElement);
    if (earlier) earlier.querySelectorAll("form").forEach((one) => one.remove());
    if (wasIn) document.querySelector("#answer-live [name=words]").focus({ preventScroll: true });
    const id = form.querySelector("input[name=client_id]");
    if (id) id.value = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  /* Gives whether the answer came whole. */
  async function ask(form, live, body) {
    const response = await fetch(form.dataset.ask, {
      method: "POST",
      body,
      headers: { Accept: "text/event-stream" },
    });
    if (!response.ok || !response.body) {
      live.innerHTML = [409, 422, 503].includes(response.status) ? await response.text() : "";
      if (!live.innerHTML) say(live, live.dataset.failed);
      return false;
    }
    let text = null;
    for await (const [name, data] of events(response.body)) {
      if (name === "done") { await whole(live, data.url); return true; }
      if (name === "gone") { say(live, data.text); return false; }
      if (!text || name === "again") {
        text = document.createElement("div");
        text.className = "answer";
        live.replaceChildren(text);
      }
      text.insertAdjacentHTML("beforeend", data.html);
    }
    say(live, live.dataset.failed);
    return false;
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    const live = document.getElementById("answer-live");
    if (!form.matches("form[data-ask]") || !live || !window.TextDecoderStream) return;
    event.preventDefault();
    const button = form.querySelector("button");
    const body = new FormData(form);
    button.disabled = true;
    const earlier = live.contains(form) ? goOn(live) : form.closest("article");
    live.className = "card answer-live";
    waiting(live);
    live.scrollIntoView({ block: "nearest" });
    ask(form, live, body)
      .catch(() => { say(live, live.dataset.failed); return false; })
      .then((isAnswered) => {
        button.disabled = false;
        live.setAttribute("aria-busy", "false");
        if (isAnswered) answered(form, earlier);
      });
  });
})();
