/* Presets a time zone with the device's own, unless one was chosen already. */
(() => {
  "use strict";
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  document.querySelectorAll("select[data-own-zone]").forEach((select) => {
    const isListed = Array.from(select.options).some((option) => option.value === own);
    if (isListed && select.value === "UTC") select.value = own;
  });
})();
