/* Small ways to make and find parts of the page. */
export const $ = (id) => document.getElementById(id);
/** Stand where a part of the page begins, so that it is heard and Tab goes on from there. */
export function standAt(part) {
  const title = part.querySelector("h1");
  if (!title) return;
  title.tabIndex = -1;
  title.focus({ preventScroll: true });
}

/* For whoever listens, in one sentence. Words do not stay here, where nothing would take them away; a reader that
   is busy comes to them later. */
let clearing;
export function announce(text) {
  const place = $("answered");
  place.textContent = text;
  clearTimeout(clearing);
  clearing = setTimeout(() => { place.textContent = ""; }, 4_000);
}

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes and children; `on...` are listeners. */
export function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

/** A drawing made of squares: rows of letters, each letter one path with a class of its own. */
export function pixels(rows) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${rows[0].length} ${rows.length}`);
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("shape-rendering", "crispEdges");
  const paths = new Map();
  rows.forEach((row, y) => {
    for (const { 0: run, index } of row.matchAll(/([a-z])\1*/g)) {
      paths.set(run[0], `${paths.get(run[0]) || ""}M${index} ${y}h${run.length}v1h-${run.length}z`);
    }
  });
  for (const [letter, d] of paths) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("class", `px-${letter}`);
    path.setAttribute("d", d);
    svg.append(path);
  }
  return svg;
}

/** One of the page's own signs. */
export function sign(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${document.body.dataset.base}/icons/signs.svg#${name}`);
  svg.append(use);
  return svg;
}
