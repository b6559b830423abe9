/* One spelling of a JSON value and one order of texts, the same bytes as household/rules/canonical.py. */

const REPLACEMENT = "\ufffd";
const REFUSED = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** The text with NUL and lone surrogates as U+FFFD. */
export const sanitise = (text) => text.replace(REFUSED, REPLACEMENT);

/** A JSON value with every string in it sanitised, keys included. */
export function sanitiseAll(value) {
  if (typeof value === "string") return sanitise(value);
  if (Array.isArray(value)) return value.map(sanitiseAll);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [sanitise(name), sanitiseAll(part)]));
}

/** Negative, zero or positive as two values stand in order; texts by code point, null before all. */
export function compare(a, b) {
  if (a === b) return 0;
  if (Array.isArray(a)) return compareLists(a, b);
  if (a === null || b === null) return a === null ? -1 : 1;
  return typeof a === "string" ? compareTexts(a, b) : a < b ? -1 : 1;
}

function compareLists(a, b) {
  for (let at = 0; at < a.length && at < b.length; at += 1) {
    const order = compare(a[at], b[at]);
    if (order) return order;
  }
  return a.length - b.length;
}

/* UTF-16 puts what lies beyond U+FFFF (surrogates) before U+E000 to U+FFFF; code points do not. */
function compareTexts(a, b) {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const [one, other] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (one !== other) return rank(one) - rank(other);
  }
  return a.length - b.length;
}

const rank = (unit) => (unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit);

/** The values sorted by what `key` gives of each. */
export const sortedBy = (values, key) => [...values].sort((a, b) => compare(key(a), key(b)));

/** The smallest of values; undefined of none. */
export const smallest = (values) => sortedBy(values, (value) => value)[0];

/** Canonical JSON: keys by code point, no spaces, 2.0 written as 2. Throws for what JSON cannot hold. */
export function canonical(value) {
  if (typeof value === "string") return JSON.stringify(sanitise(value));
  if (typeof value === "number") return number(value);
  if (value === null || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object") throw new TypeError("JSON cannot hold this");
  const parts = new Map(Object.entries(value).map(([name, part]) => [sanitise(name), canonical(part)]));
  const sorted = sortedBy(parts, ([name]) => name);
  return `{${sorted.map(([name, part]) => `${JSON.stringify(name)}:${part}`).join(",")}}`;
}

function number(value) {
  if (!Number.isFinite(value)) throw new TypeError("JSON cannot hold this");
  if (Number.isInteger(value)) return BigInt(value).toString();
  const [digits, exponent] = value.toExponential().split("e");
  if (Number(exponent) >= -4) return String(value);
  return `${digits}e-${exponent.slice(1).padStart(2, "0")}`;
}

/** Whether two documents spell the same. */
export const isSame = (a, b) => canonical(a) === canonical(b);
