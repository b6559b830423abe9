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
};

const drawings = new Map();

/** The drawing of a name. */
export function iconOf(name) {
  const known = Object.hasOwn(ICONS, name || "") ? name : "star";
  if (!drawings.has(known)) drawings.set(known, pixels(ICONS[known]));
  return drawings.get(known).cloneNode(true);
}
