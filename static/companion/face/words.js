/* The page's words in the child's language. */
const ALL = JSON.parse(document.getElementById("words").textContent);
let language = "en";

/** One sentence. */
export const t = (name) => ALL[language][name];
export const languages = () => Object.keys(ALL);
export const spoken = () => language;

/** Speak a language: every part of the page that names its words gets them. */
export function speak(chosen) {
  language = ALL[chosen] ? chosen : "en";
  document.documentElement.lang = language;
  document.title = t("title");
  for (const node of document.querySelectorAll("[data-word]")) node.textContent = t(node.dataset.word);
  for (const node of document.querySelectorAll("[data-label]")) node.setAttribute("aria-label", t(node.dataset.label));
  for (const node of document.querySelectorAll("[data-label-title]")) node.title = t(node.dataset.labelTitle);
  for (const node of document.querySelectorAll("[data-hint]")) node.placeholder = t(node.dataset.hint);
}

/** The language of this device. */
export const native = () => (navigator.languages || [navigator.language]).map((one) => one.slice(0, 2)).find((one) => ALL[one]) || "en";

/* Making a format costs more than using it a hundred times. */
const formats = new Map();

function formatOf(isOtherYear) {
  const key = `${language} ${isOtherYear}`;
  if (!formats.has(key)) {
    const form = { weekday: "long", day: "numeric", month: "long", timeZone: "UTC", ...(isOtherYear ? { year: "numeric" } : {}) };
    formats.set(key, new Intl.DateTimeFormat(language, form));
  }
  return formats.get(key);
}

/** A day as the child reads it. */
export function dayName(day, today) {
  const distance = Math.round((Date.parse(today) - Date.parse(day)) / 86_400_000);
  if (distance === 0) return t("today");
  if (distance === 1) return t("yesterday");
  return formatOf(day.slice(0, 4) !== today.slice(0, 4)).format(new Date(day));
}
