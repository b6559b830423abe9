/* Keeps the companion's shell, so that it opens without the house. Never keeps words or answers of the API.
   SHELL is written before this by the house: its version, the page's address, the files it is made of. */
const NAME = `companion-${SHELL.version}`;

addEventListener("install", (event) => event.waitUntil((async () => {
  const kept = await caches.open(NAME);
  await kept.addAll([SHELL.page, ...SHELL.files].map((url) => new Request(url, { cache: "reload", credentials: "omit" })));
})()));

/* An older shell goes only when no page of it is left, or when its page asked for the new one. */
addEventListener("activate", (event) => event.waitUntil((async () => {
  const old = (await caches.keys()).filter((name) => name.startsWith("companion-") && name !== NAME);
  await Promise.all(old.map((name) => caches.delete(name)));
  await clients.claim();
})()));

addEventListener("message", (event) => { if (event.data === "take over") skipWaiting(); });

addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin) return;
  const isPage = event.request.mode === "navigate" && url.pathname === SHELL.page;
  if (!isPage && !SHELL.files.includes(url.pathname)) return;
  event.respondWith((async () => {
    const kept = await (await caches.open(NAME)).match(isPage ? SHELL.page : url.pathname, { ignoreVary: true, ignoreSearch: true });
    return kept || fetch(event.request);
  })());
});
