/* What the companion says while the house cannot be reached: it listens, and keeps. */
import { t } from "./words.js";

const QUESTIONS = ["reply_ask_1", "reply_ask_2", "reply_ask_3", "reply_ask_4", "reply_ask_5"];
/* Words of distress or self-harm; one too many is better than one too few. The house reads them again. */
const HEAVY = new RegExp([
  "kill (myself|me)", "hurt(ing)? myself", "want(ed)? to die", "wanna die", "wish i (was|were) dead", "don'?t want to live",
  "(he|she|they|somebody|someone) (hits?|beats?|hurts?|touche[sd]) me", "suicid", "cut(ting)? myself", "end my life", "hate myself", "be dead",
  "öl(mek|eyim|sem|ebilsem)", "kendim(i|e) (öldür|zarar|kes|vur|yarala)", "yaşamak istem", "intihar", "canıma kıy",
  "beni döv", "bana vur", "canımı (yak|acıt)", "kendimden nefret", "keşke ölsem",
].join("|"), "i");

/** Whether words are too heavy for a question back; a Turkish I has two lower cases. */
export function isHeavy(text) {
  const plain = text.normalize("NFC").replace(/[\u2019`]/g, "'");
  return HEAVY.test(plain) || HEAVY.test(plain.replace(/I/g, "\u0131").replace(/\u0130/g, "i"));
}

/** The answer; `asked` is the number of the question before, and the next one's number comes back. */
export function offlineReply({ text, isPicture, asked }) {
  if (isHeavy(text)) return { text: t("reply_grownup"), asked };
  const next = (asked + 1) % QUESTIONS.length;
  const kept = text.trim() || !isPicture ? t("reply_thanks") : t("reply_picture");
  return { text: `${kept} ${t(QUESTIONS[next])}`, asked: next };
}
