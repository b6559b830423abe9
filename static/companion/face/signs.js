/* Pixel icons of memory cards by what a memory is about; an unknown name gets the star. */
import { pixels } from "./dom.js";

const ICONS = {
  star: ["...yy...", "...yy...", "yyyyyyyy", ".yyyyyy.", "..yyyy..", ".yyyyyy.", ".yy..yy.", "yy....yy"],
  heart: [".rr..rr.", "rrrrrrrr", "rrrrrrrr", "rrrrrrrr", ".rrrrrr.", "..rrrr..", "...rr...", "........"],
  sun: ["y..yy..y", ".yyyyyy.", ".yyyyyy.", "yyyyyyyy", "yyyyyyyy", ".yyyyyy.", ".yyyyyy.", "y..yy..y"],
  sea: ["........", "........", ".uu..uu.", "uuuuuuuu", "uuuuuuuu", "uu.uu.uu", "uuuuuuuu", "uuuuuuuu"],
  paw: [".k.kk.k.", ".k.kk.k.", "........", "k.kkkk.k", "..kkkk..", ".kkkkkk.", ".kkkkkk.", "..k..k.."],
  food: ["...k....", "..gk....", ".rrkrrr.", "rrrrrrrr", "rrrrrrrr", "rrrrrrrr", ".rrrrrr.", "..rrrr.."],
  book: ["........", "uuu..uuu", "uwwuuwwu", "uwwuuwwu", "uwwuuwwu", "uwwuuwwu", "uuuuuuuu", "...uu..."],
  music: ["..kkkkkk", "..k....k", "..k....k", "..k....k", "..k....k", "kkk..kkk", "kkk..kkk", "........"],
  ball: ["..rrrr..", ".rrwwrr.", "rrwwrrrr", "rrrrrrrr", "wwwwwwww", "rrrrrrrr", ".rrrrrr.", "..rrrr.."],
  house: ["...rr...", "..rrrr..", ".rrrrrr.", "rrrrrrrr", ".wwwwww.", ".ww..ww.", ".ww..ww.", ".ww..ww."],
  friend: ["..kkkk..", ".kwwwwk.", ".wkwwkw.", ".wwwwww.", ".wkkkkw.", "..wwww..", ".uuuuuu.", "uuuuuuuu"],
  dino: [".....ggg", ".....gkg", ".....ggg", "g...ggg.", "gg.gggg.", "ggggggg.", ".ggggg..", "..g..g.."],
  tree: ["...gg...", "..gggg..", ".gggggg.", "gggggggg", ".gggggg.", "...kk...", "...kk...", "...kk..."],
  car: ["........", "..uuuu..", ".uwuuwu.", "uuuuuuuu", "uuuuuuuu", "ukkuukku", ".kk..kk.", "........"],
  night: ["..yyy...", ".yyy....", "yyy.....", "yyy.....", "yyyy...y", ".yyyyyy.", "..yyyy..", "........"],
  fish: ["........", "..uuu..u", ".uuuuuuu", "ukuuuuu.", "uuuuuuu.", ".uuuuuuu", "..uuu..u", "........"],
  bird: ["..uu....", ".ukuu...", "yuuuu..u", "..uuuuuu", "..uwwuu.", "...uuu..", "...y.y..", "..yy.yy."],
  cake: ["...y....", "...r....", ".wwwwww.", ".rwrrwr.", ".rrrrrr.", ".wwwwww.", ".rrrrrr.", "kkkkkkkk"],
  boat: ["...k....", "..wk....", ".wwkw...", "wwwkww..", "...k....", "rrrrrrrr", ".rrrrrr.", "uuuuuuuu"],
  rocket: ["...rr...", "..wwww..", "..wuuw..", "..wuuw..", "..wwww..", ".rwwwwr.", "rr.yy.rr", "...yy..."],
  snow: ["...uu...", ".u.uu.u.", "..uuuu..", "uuuuuuuu", "uuuuuuuu", "..uuuu..", ".u.uu.u.", "...uu..."],
  rain: ["..wwww..", ".wwwwww.", "wwwwwwww", "wwwwwwww", ".u..u..u", "u..u..u.", ".u..u..u", "u..u..u."],
  gift: [".rr..rr.", "..rrrr..", "yyyrryyy", "yyyrryyy", "rrrrrrrr", "yyyrryyy", "yyyrryyy", "yyyrryyy"],
  blocks: ["...rr...", "...rr...", "........", ".uu..yy.", ".uu..yy.", "........", "gg.rr.uu", "gg.rr.uu"],
  paint: ["......kk", ".....kk.", "....yy..", "...yy...", "..rr....", ".rrr....", "rrr.....", "rr......"],
};
/* What is drawn alike. */
const ALIKE = {
  dinosaur: "dino", cat: "paw", dog: "paw", horse: "paw", rabbit: "paw", insect: "paw", animal: "paw", icecream: "cake",
  bicycle: "car", train: "car", plane: "rocket", film: "night", game: "blocks", swim: "sea", playground: "ball",
  school: "book", baby: "friend", family: "friend",
};

const drawings = new Map();

/** The drawing of a name. */
export function iconOf(name) {
  const own = ALIKE[name] || name || "";
  const known = Object.hasOwn(ICONS, own) ? own : "star";
  if (!drawings.has(known)) drawings.set(known, pixels(ICONS[known]));
  return drawings.get(known).cloneNode(true);
}
