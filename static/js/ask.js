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

  function waiting(live) {
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
  }

  /* A follow-up: what was answered so far stays above, without its own boxes. */
  function goOn(live) {
    const article = live.querySelector("article");
    if (!article) return;
    article.querySelectorAll("form").forEach((form) => form.remove());
    live.before(article);
  }

  async function ask(form, live, body) {
    const response = await fetch(form.dataset.ask, {
      method: "POST",
      body,
      headers: { Accept: "text/event-stream" },
    });
    if (!response.ok || !response.body) {
      live.innerHTML = [409, 422, 503].includes(response.status) ? await response.text() : "";
      if (!live.innerHTML) say(live, live.dataset.failed);
      return;
    }
    let text = null;
    for await (const [name, data] of events(response.body)) {
      if (name === "done") { await whole(live, data.url); form.dispatchEvent(new Event("asked", { bubbles: true })); return; }
      if (name === "gone") { say(live, data.text); return; }
      if (!text || name === "again") {
        text = document.createElement("div");
        text.className = "answer";
        live.replaceChildren(text);
      }
      text.insertAdjacentHTML("beforeend", data.html);
    }
    if (!text) say(live, live.dataset.failed);
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    const live = document.getElementById("answer-live");
    if (!form.matches("form[data-ask]") || !live || !window.TextDecoderStream) return;
    event.preventDefault();
    const button = form.querySelector("button");
    const body = new FormData(form);
    button.disabled = true;
    if (live.contains(form)) goOn(live);
    live.className = "card answer-live";
    waiting(live);
    live.scrollIntoView({ block: "nearest" });
    ask(form, live, body)
      .catch(() => say(live, live.dataset.failed))
      .finally(() => {
        button.disabled = false;
        live.setAttribute("aria-busy", "false");
        const id = form.querySelector("input[name=client_id]");
        if (id) id.value = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
      });
  });
})();
