/* Waits for a house that is away for a moment, then moves on. */
(() => {
  "use strict";
  const place = document.querySelector("[data-wait-for]");
  if (!place) return;
  let wasAway = false;
  const look = async () => {
    try {
      const answer = await fetch(place.dataset.waitFor, { cache: "no-store" });
      if (answer.ok && wasAway) {
        window.location.assign(place.dataset.then);
        return;
      }
      wasAway = wasAway || !answer.ok;
    } catch {
      wasAway = true;
    }
    window.setTimeout(look, 1000);
  };
  window.setTimeout(look, 500);
})();
