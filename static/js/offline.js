/* The page that stands in for the house: it looks again by itself, and when told to. */
(() => {
  "use strict";
  const again = () => {
    if (location.pathname === "/offline") location.replace("/");
    else location.reload();
  };
  async function look() {
    try {
      if ((await fetch("/healthz", { cache: "no-store" })).ok) again();
    } catch { /* not yet */ }
  }
  addEventListener("online", look);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
  setInterval(() => { if (!document.hidden) look(); }, 10000);
  document.getElementById("again").addEventListener("click", (event) => {
    event.preventDefault();
    again();
  });
})();
