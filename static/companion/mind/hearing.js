/* What a child's words are: too heavy for a companion, sad, a greeting. memory/rules/companion/ on the device. */
import { SENSE, hasAny, lineOf, plainWords, spans } from "./words.js";

const HEARD = 500; // texts whose answer is remembered
const heard = new Map();

const overlaps = (one, other) => one[0] < other[1] && other[0] < one[1];

function saysDistress(words, { cues, calm, forms, slips }) {
  const line = lineOf(words, { forms, slips });
  const found = cues.flatMap((phrase) => spans(phrase, line));
  if (!found.length) return false;
  const calmed = calm.flatMap((phrase) => spans(phrase, line));
  return found.some((span) => !calmed.some((other) => overlaps(span, other)));
}

/** Whether a text says distress or self-harm, in either language. */
export function isHeavy(text) {
  if (!heard.has(text)) {
    if (heard.size >= HEARD) heard.clear();
    const words = plainWords(text);
    heard.set(text, Object.values(SENSE.distress).some((known) => saysDistress(words, known)));
  }
  return heard.get(text);
}

/** The moment of some words that hold no distress: "greeting", "sad", ... "picture" or "plain". */
export function momentOf(text, language, hasPicture = false) {
  const line = lineOf(plainWords(text), { forms: SENSE.distress[language].forms });
  const isShort = line.replace(/\|/g, " ").split(/\s+/).filter(Boolean).length <= SENSE.numbers.short;
  const { moments } = SENSE.sayings[language];
  const found = SENSE.order.find((one) => (isShort || !SENSE.alone.includes(one)) && hasAny(moments[one], line));
  return found || (hasPicture ? "picture" : "plain");
}
