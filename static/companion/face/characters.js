/* Whom the child talks to, drawn in squares: each row is the left half, the right is its mirror. */
import { pixels } from "./dom.js";

export const COATS = ["ginger", "grey", "black", "cream"];
export const LOOKS = ["meadow", "sea", "space", "candy"];
const HALVES = {
  cat: [
    "........", ".b......", ".bb.....", ".bpb....", ".bpabbbb", ".baaaaaa", ".baaaaba", ".baaaaaa",
    ".bawfaaa", "bbaeeaaa", ".baaaaac", ".bbpaccn", "..bbaccc", "...bbbac", "..baaacc", "..bacacc", "..bbbbbb"],
  dog: [
    "........", "....bbbb", "..bbaaaa", ".bbaaaaa", "bddbaaaa", "bddbaaaa", "bddbwfaa", "bddbeeaa",
    "bddbaaac", "bddbaacc", ".bb.bacn", "....bacc", "....bbpp", "...bbbac", "..baaacc", "..bacacc", "..bbbbbb"],
  owl: [
    "........", ".b......", ".bbb....", ".bdabbbb", ".bdddaaa", ".bdcccda", ".bccccca", ".bcwffca",
    ".bceeeco", ".bdcccco", ".bddccda", "bdaddaca", "bdaacaac", "bdaaaaca", ".bdacaac", "..bbaaaa", "...oobbb"],
  robot: [
    ".......p", ".......b", "..bbbbbb", ".bcccccc", ".bcaaaaa", "bbcaaaaa", "bpcaffwa", "bpcaeeea",
    "bbcaaaaa", ".bcaaaww", ".bcccccc", "..bbbbbb", "....bddd", ".bbbcccc", ".bdbcpcp", ".bbbcccc", "...bb.bb"],
};
export const CHARACTERS = Object.keys(HALVES);

/** A character's drawing. */
export const drawn = (name) => pixels(HALVES[CHARACTERS.includes(name) ? name : "cat"].map((half) => half + [...half].reverse().join("")));

/** Show a character in every figure of the page. */
export function showCharacter(name, coat) {
  for (const figure of document.querySelectorAll("[data-figure]")) {
    figure.className = figure.className.replace(/\bis-(?!asleep|talking|listening)\S+/g, "").trim();
    figure.classList.add(`is-${name}`, `is-${coat}`);
    figure.replaceChildren(drawn(name));
  }
}

/** What the character does now: "", "talking", "listening". */
export function mood(name) {
  for (const figure of document.querySelectorAll(".stage .figure")) {
    figure.classList.toggle("is-talking", name === "talking");
    figure.classList.toggle("is-listening", name === "listening");
  }
}

/** Who shows: of the household's `cat_theme` and the child's `character` the later written. */
export function chosenCharacter(rows) {
  const theme = rows.theme && COATS.includes(rows.theme.value) ? rows.theme : null;
  const own = rows.character && CHARACTERS.includes(rows.character.value) ? rows.character : null;
  const coat = theme ? theme.value : COATS[0];
  if (!own || (theme && theme.at_ms > own.at_ms)) return { name: "cat", coat };
  return { name: own.value, coat };
}
