/* The built-in answer while the house is away: it listens, recalls, asks one simple thing, and never says a
   sentence or recalls a memory twice in a week. memory/rules/companion/composing.py and recalling.py on the device. */
import { sortedBy } from "../merge/canonical.js";
import { isHeavy, momentOf } from "./hearing.js";
import { SENSE, hasAny, lineOf, plainWords, tokens } from "./words.js";

const { longest_memory: LONGEST, settled_ms: SETTLED_MS, stem: STEM, most_memories: MOST_MEMORIES, sample: SAMPLE, voiced: VOICED } = SENSE.numbers;
const DOUBLES = SENSE.letters.doubles;
const VOWELS = new RegExp(`[${SENSE.letters.vowels}]`);
const TURKISH = new RegExp(`[${SENSE.letters.turkish}]`);
const EMPTY = new Set(SENSE.empty);
const WORDS = { en: new Set(SENSE.words.en), tr: new Set(SENSE.words.tr) };
const ABOUT = new RegExp(SENSE.about);
const WITH_MEMORY = new Set(SENSE.with_memory);

/** A number that a turn's identity decides, never its words. */
export function numberOf(turn, salt) {
  let value = 2_166_136_261;
  for (const byte of new TextEncoder().encode(`${turn}/${salt}`)) value = Math.imul(value ^ byte, 16_777_619);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

function stem(said) {
  let word = said;
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && word.endsWith("s") && !/(?:ss|us|is)$/.test(word)) word = word.slice(0, /(?:sses|shes|ches|xes|zes)$/.test(word) ? -2 : -1);
  for (const ending of ["ing", "ed"]) {
    const base = word.slice(0, -ending.length);
    if (word.endsWith(ending) && base.length > 2 && !word.endsWith("eed") && VOWELS.test(base)) {
      word = base;
      break;
    }
  }
  if (word.length > 3 && word.endsWith("e")) word = word.slice(0, -1);
  const [last, before] = [word[word.length - 1], word[word.length - 2]];
  return word.length > 3 && last === before && DOUBLES.includes(last) ? word.slice(0, -1) : word;
}

/** The stems of a text's words of content. */
export function contentOf(text) {
  const words = tokens(text).filter((one) => !one.isMark && !EMPTY.has(one.plain)).map((one) => stem(SENSE.spelled[one.plain] || one.plain));
  return new Set(words.map((word) => (word.length > STEM + 1 ? word.slice(0, STEM) : word)));
}

/** The icon that fits a text. */
export function iconFor(text) {
  const line = lineOf(plainWords(text));
  const found = SENSE.icons.find(([, , phrases]) => hasAny(phrases, line));
  return found ? found[0] : "star";
}

const topicOf = (icon) => (SENSE.icons.find(([name]) => name === icon) || [null, "any"])[1];

/** The language of a text, or `otherwise` where nothing decides. */
export function languageOf(text, otherwise) {
  const words = [...text].slice(0, SAMPLE).join("").match(/[\p{L}\p{Nl}\p{No}]+(?:'[\p{L}\p{Nl}\p{No}]+)?/gu) || [];
  const read = words.map((word) => word.toLowerCase());
  const turkish = read.reduce((sum, word) => sum + (WORDS.tr.has(word) ? 1 : 0) + (TURKISH.test(word) ? 2 : 0), 0);
  const english = read.filter((word) => WORDS.en.has(word)).length;
  if (turkish === english) return otherwise;
  return turkish > english ? "tr" : "en";
}

const lengthOf = (text) => [...text].length;
const bare = (text) => text.trim().replace(/[.!]+$/, "");
const plainOf = (text) => [...contentOf(text)].sort().join(" ");

function mayBeSaid(one, talk) {
  const length = lengthOf(one.text.trim());
  return length > 0 && length <= LONGEST && one.learned_at_ms <= talk.now_ms - SETTLED_MS
    && !one.text.includes("://") && !one.text.includes("\n") && languageOf(one.text, talk.language) === talk.language
    && !isHeavy(one.text) && !SENSE.unkind.includes(momentOf(one.text, talk.language));
}

function fit(text, one) {
  const mine = contentOf(text);
  const shared = [...contentOf(one.text)].filter((word) => mine.has(word)).length;
  const icon = iconFor(text);
  return 2 * shared + (icon !== "star" && icon === (one.icon || iconFor(one.text)) ? 1 : 0);
}

function recall(talk) {
  const known = newest(talk.memories);
  const told = new Set(known.filter((one) => talk.recalled.has(one.gid)).map((one) => plainOf(one.text)));
  const fitting = known
    .filter((one) => !talk.recalled.has(one.gid) && !told.has(plainOf(one.text)) && mayBeSaid(one, talk))
    .map((one) => ({ score: fit(talk.text, one), one }))
    .filter(({ score }) => score > 0);
  if (!fitting.length) return null;
  const best = fitting.reduce((a, b) => (b.score > a.score ? b : a)).one; // of equals the newest
  return { gid: best.gid, ...saidBack(best, talk) };
}

/* The latest learned, as many as one reply may recall from; of equal stamps the greater gid. */
const newest = (memories) =>
  sortedBy(memories, (one) => [one.learned_at_ms, one.gid]).reverse().slice(0, MOST_MEMORIES);

function saidBack(memory, talk) {
  const known = SENSE.sayings[talk.language];
  const what = talk.language === "en" ? aboutWhat(memory.text) : null;
  const frames = what ? known.about : known.quote;
  const at = numberOf(talk.turn, "recall") % frames.length;
  const text = frames[at].replaceAll(what ? "{what}" : "{text}", () => what || bare(memory.text));
  return { key: `${talk.language}.recall.${what ? "about" : "quote"}.${at}`, text };
}

function aboutWhat(text) {
  const found = bare(text).toLowerCase().match(ABOUT);
  if (!found) return null;
  const [first, ...rest] = found[1].split(" ");
  return [{ a: "the", an: "the", some: "the", ...SENSE.flipped }[first] || first, ...rest].join(" ");
}

const inVoice = (saying, voice, number) =>
  ({ key: `${saying.key}.${voice.toLowerCase().replaceAll(" ", "").slice(0, 8)}${number}`, text: `${voice}! ${saying.text}` });

const voicesOf = (talk) => SENSE.sayings[talk.language].voices[talk.character] || SENSE.sayings[talk.language].voices.cat;

function unsaid(talk, pool, isVoiced = false) {
  if (!pool.length) return null;
  const first = numberOf(talk.turn, pool[0].key);
  const voices = voicesOf(talk);
  const number = first % voices.length;
  for (let step = 0; step < pool.length; step += 1) {
    const one = pool[(first + step) % pool.length];
    const candidate = isVoiced && first % VOICED === 0 ? inVoice(one, voices[number], number) : one;
    if (!talk.said.has(candidate.key)) return candidate;
  }
  return null;
}

/* One sentence that was not said: plain ones first, then the same ones in the character's voice. */
function pick(talk, pools, isVoiced = false) {
  for (const pool of pools) {
    const found = unsaid(talk, pool, isVoiced);
    if (found) return [found];
  }
  for (const pool of pools) {
    for (const [number, voice] of voicesOf(talk).entries()) {
      const found = unsaid(talk, pool.map((one) => inVoice(one, voice, number)));
      if (found) return [found];
    }
  }
  return [];
}

function questionsFor(moment, talk) {
  const { asks } = SENSE.sayings[talk.language];
  if (moment === "sad" || moment === "health") return [asks[moment]];
  if (moment === "thanks") return [];
  return [asks[moment === "plain" ? topicOf(iconFor(talk.text)) : moment], asks.any];
}

/** The reply to one turn: {moment, text, keys, recalled}. The same talk gives the same reply. */
export function compose(talk) {
  const known = SENSE.sayings[talk.language];
  if (isHeavy(talk.text)) return { moment: "distress", text: known.fixed, keys: [], recalled: "" };
  const moment = momentOf(talk.text, talk.language, talk.hasPicture);
  let said = [];
  let recalled = "";
  if (moment === "goodnight") said = pick(talk, [known.said.goodnight]);
  else {
    said = pick(talk, [known.said[moment === "plain" ? "listen" : moment]], true);
    const found = WITH_MEMORY.has(moment) ? recall(talk) : null;
    if (found) {
      said.push(found);
      recalled = found.gid;
    }
    said.push(...pick(talk, questionsFor(moment, talk)));
  }
  if (!said.length) return { moment, text: known.nod, keys: [], recalled: "" };
  return { moment, text: said.map((one) => one.text).join(" "), keys: said.map((one) => one.key), recalled };
}

/** The built-in sentences that stand in a text, by their keys. */
export function keysIn(text) {
  const found = [];
  for (const { said, asks, voices } of Object.values(SENSE.sayings)) {
    for (const one of [...Object.values(said), ...Object.values(asks)].flat()) {
      if (!text.includes(one.text)) continue;
      const voiced = Object.values(voices).flatMap((sounds) => sounds.map((voice, number) => inVoice(one, voice, number)));
      const heard = voiced.filter((other) => text.includes(other.text));
      found.push(...(heard.length ? heard : [one]).map((other) => other.key));
    }
  }
  return found;
}
