/* A passkey that was refused or did not answer is said on the page, in the page's own words. */
(() => {
  "use strict";
  const { failed, there } = document.currentScript.dataset;
  document.addEventListener("allauth.error", (event) => {
    event.preventDefault();
    const isThere = event.detail.exception.name === "InvalidStateError";
    document.dispatchEvent(new CustomEvent("notice", { detail: isThere ? there : failed }));
  });
})();
