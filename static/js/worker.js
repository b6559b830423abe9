/* The service worker of the house's own pages. The house puts SHELL and NAME in front of it.
   It keeps the look of the book and one page for when the house cannot be reached; no word of the family. */
"use strict";
const PHRASES = "hearthbook-language";
const offlineUrl = (lang) => `/offline?lang=${lang}`;
const OTHERS = ["/companion/", "/api/"]; // the companion has a worker of its own; devices speak for themselves
let shared = null; // what another app shared, in memory only, until the page that asks has taken it

async function language() {
  const kept = await (await caches.open(PHRASES)).match("/");
  const said = kept ? await kept.text() : navigator.language.slice(0, 2);
  return LANGUAGES.includes(said) ? said : LANGUAGES[0];
}
async function remember(said) {
  if (!LANGUAGES.includes(said) || said === await language()) return;
  await (await caches.open(PHRASES)).put("/", new Response(said));
}

self.addEventListener("install", (event) => {
  const wanted = [...SHELL, ...LANGUAGES.map(offlineUrl)];
  event.waitUntil((async () => {
    const cache = await caches.open(NAME);
    await cache.addAll(wanted.map((url) => new Request(url, { credentials: "omit", cache: "reload" })));
    await self.skipWaiting();
  })());
});
self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith("hearthbook-shell-") && name !== NAME);
    await Promise.all(old.map((name) => caches.delete(name)));
    if (self.registration.navigationPreload) await self.registration.navigationPreload.enable();
    await self.clients.claim();
  })());
});

async function page(event) {
  try {
    const answer = (await event.preloadResponse) || (await fetch(event.request));
    event.waitUntil(remember(answer.headers.get("Content-Language")));
    return answer;
  } catch {
    const url = offlineUrl(await language());
    // a page that was to be sent must not be sent again by "try again"
    if (event.request.method !== "GET") return Response.redirect(url, 303);
    const cache = await caches.open(NAME);
    return (await cache.match(url, { ignoreVary: true })) || Response.error();
  }
}
async function asset(request) {
  const cache = await caches.open(NAME);
  return (await cache.match(request, { ignoreVary: true })) || fetch(request);
}
async function takeShared(request) {
  const form = await request.formData();
  const words = ["title", "text", "url"].map((name) => String(form.get(name) || "").trim());
  shared = { words: [...new Set(words.filter(Boolean))].join("\n"), files: form.getAll("files") };
  return Response.redirect("/share", 303);
}

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (url.origin !== self.location.origin || OTHERS.some((start) => url.pathname.startsWith(start))) return;
  if (event.request.mode === "navigate") {
    const isShare = url.pathname === "/share" && event.request.method === "POST";
    event.respondWith(isShare ? takeShared(event.request) : page(event));
  } else if (event.request.method === "GET" && SHELL.includes(url.pathname)) {
    event.respondWith(asset(event.request));
  }
});
self.addEventListener("message", (event) => {
  if (event.data !== "what was shared?" || !event.ports[0]) return;
  event.ports[0].postMessage(shared);
  shared = null;
});
