/* Words as a child types them, and phrases found in them: memory/rules/companion/phrases.py on the device. */
export const SENSE = JSON.parse(document.getElementById("sense").textContent);
const { most_text: MOST, longest_word: LONGEST_WORD, slip_from: SLIP_FROM, tail: TAIL } = SENSE.numbers;
const ENDS = new Set(SENSE.ends);
const NEGATIVE = SENSE.negative;
const LETTER = "(?:(?!ʼ)[\\p{L}\\p{Nl}\\p{No}])"; // ʼ is a letter to Unicode, and an apostrophe to people
const TOKEN = new RegExp(`\\p{Nd}+(?:[.,:]\\p{Nd}+)?|${LETTER}+(?:['’ʼ\`´]${LETTER}+)*|\\n|[^\\p{L}\\p{N}_\\s]|_`, "gu");
const SPECIAL = { "ı": "i", "ß": "ss", "æ": "ae" };

/** Lower case as typed on any phone, where a capital I may mean either Turkish letter. */
export const typed = (word) => word.replace(/İ/g, "i").toLowerCase().replace(/i\u0307/g, "i");

/** A lower-case word without accents or apostrophes. */
export const plain = (word) =>
  word.replace(/[ıßæ]/g, (one) => SPECIAL[one]).replace(/['’ʼ`´]/g, "").normalize("NFKD").replace(/\p{M}/gu, "");

/* Never empty: a letter that is nothing but an accent stays as it is. */
const plainOrRaw = (proper) => plain(proper).trim() || proper;

/** Words, numbers and marks in order; each says whether it is a mark. */
export function tokens(text) {
  return [...text.matchAll(TOKEN)].map(([raw]) => {
    const isWord = /^\p{L}/u.test(raw);
    const isNumber = /^\p{Nd}/u.test(raw);
    return { raw, isMark: !isWord && !isNumber, plain: isWord ? plainOrRaw(typed([...raw].slice(0, LONGEST_WORD).join(""))) : raw };
  });
}

/** The words of a text in plain letters, `|` where a clause ends. */
export function plainWords(text) {
  const read = [...text].slice(0, MOST).join("").replace(/([^\n])\1{2,}/gu, "$1");
  return tokens(read).filter((one) => !one.isMark || ENDS.has(one.raw)).map((one) => (one.isMark ? "|" : one.plain));
}

function oneSlip(word, other) {
  if (Math.abs(word.length - other.length) > 1) return false;
  if (word.length === other.length) {
    const differ = [...word].map((_, at) => at).filter((at) => word[at] !== other[at]);
    if (differ.length === 1) return true;
    const [a, b] = differ;
    return differ.length === 2 && b === a + 1 && word[a] === other[b] && word[b] === other[a];
  }
  const [longer, shorter] = word.length > other.length ? [word, other] : [other, word];
  return [...longer].some((_, at) => longer.slice(0, at) + longer.slice(at + 1) === shorter);
}

function slipped(word, known) {
  if (word.length < SLIP_FROM - 1 || known.includes(word)) return word;
  return known.find((one) => one[0] === word[0] && oneSlip(word, one)) || word;
}

/** Plain words between blanks, each as it was meant. */
export function lineOf(words, { forms = [], slips = [] } = {}) {
  let line = ` ${words.map((word) => slipped(word, slips)).join(" ")} `;
  for (const [said, meant] of forms) line = line.replaceAll(` ${said} `, ` ${meant} `);
  return line;
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

function wordOf(word) {
  const bare = escaped(plain(typed(word.replace(/[-~]+$/, ""))));
  if (word.endsWith("-")) return `${bare}(?!${NEGATIVE})\\w{0,${TAIL}}`;
  return word.endsWith("~") ? `${bare}\\w{0,${TAIL}}` : bare;
}

const MARKS = { "..": "(?: [^ |]+){0,3}?", "...": "(?: [^ |]+){0,8}?", "#": "(?:^|(?<=\\|))", "|": "(?: \\||(?= $))" };

function sourceOf(phrase) {
  const parts = phrase.trim().split(/\s+/).map((word) => MARKS[word] || ` (?:${word.split("|").map(wordOf).join("|")})`);
  return `${parts.join("")}(?= )`;
}

const compiled = new Map();

function expressionOf(phrase) {
  if (!compiled.has(phrase)) compiled.set(phrase, new RegExp(sourceOf(phrase), "g"));
  return compiled.get(phrase);
}

/** Where a phrase stands in a line. */
export const spans = (phrase, line) => [...line.matchAll(expressionOf(phrase))].map((one) => [one.index, one.index + one[0].length]);

/** Whether any of the phrases stands in a line. */
export const hasAny = (phrases, line) => phrases.some((phrase) => line.search(expressionOf(phrase)) >= 0);
