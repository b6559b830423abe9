/* Puts what another app shared into the forms of this page; the worker holds it in memory until asked. */
(() => {
  "use strict";
  const worker = navigator.serviceWorker && navigator.serviceWorker.controller;
  if (!worker) return;
  const channel = new MessageChannel();
  channel.port1.onmessage = (event) => {
    if (!event.data) return;
    const box = document.getElementById("tell");
    if (box && event.data.words) {
      box.value = event.data.words;
      box.dispatchEvent(new Event("input", { bubbles: true }));
    }
    const field = document.getElementById("share-files");
    const files = event.data.files.filter((file) => file instanceof File && file.size);
    if (!field || !files.length) return;
    const carried = new DataTransfer();
    files.forEach((file) => carried.items.add(file));
    field.files = carried.files;
    field.closest("[data-share-files]").hidden = false;
    field.scrollIntoView({ block: "nearest" });
  };
  worker.postMessage("what was shared?", [channel.port2]);
})();
