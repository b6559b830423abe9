/* Files let go anywhere on the page go into its place for them. Without this, the place itself takes them. */
(() => {
  "use strict";
  const place = document.querySelector("input[type=file][data-drop]");
  if (!place) return;
  const carries = (event) => event.dataTransfer && Array.from(event.dataTransfer.types).includes("Files");
  const over = (yes) => place.classList.toggle("is-over", yes);
  ["dragenter", "dragover"].forEach((name) => document.addEventListener(name, (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    over(true);
  }));
  document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) over(false); });
  document.addEventListener("drop", (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    over(false);
    place.files = event.dataTransfer.files;
    place.focus();
    const names = Array.from(place.files, (file) => file.name).join(", ");
    document.dispatchEvent(new CustomEvent("said", { detail: names }));
  });
})();
