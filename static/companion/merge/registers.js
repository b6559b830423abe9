/* Settings as last-writer-wins registers (household/rules/registers.py). */
import { canonical, compare, sortedBy } from "./canonical.js";

const PER_CHILD = new Set(["child", "character", "cat_theme", "daily_minutes", "quiet", "tokens_per_window",
  "token_window_hours", "voice_daily_chars"]);

/** What two holders' registers are matched by. */
export const addressOf = ({ key, child }) => canonical([child, key]);

/** The register that wins: the later stamp, on a tie the greater canonical JSON. */
export function mergeRegister(a, b) {
  const order = a.at_ms - b.at_ms || compare(canonical(a.value), canonical(b.value));
  return order >= 0 ? a : b;
}

/** The registers of all lists, each once, in order. */
export function mergeRegisters(...lists) {
  const known = new Map();
  for (const row of lists.flat()) {
    const held = known.get(addressOf(row));
    known.set(addressOf(row), held ? mergeRegister(held, row) : row);
  }
  return sortedBy(known.values(), (row) => [row.child, row.key]);
}

/** A device's settings after a push: merged with the house's, whose value stands where it forbade. */
export function takeOver(own, house, refused) {
  const addresses = new Set(refused.map(addressOf));
  return mergeRegisters(own.filter((row) => !addresses.has(addressOf(row))), house);
}

/** The register that counts for a child: its own, else the household's, else null. */
export function rowOf(registers, key, child = "") {
  const find = (whose) => registers.find((row) => row.key === key && row.child === whose);
  return (PER_CHILD.has(key) && find(child)) || find("") || null;
}

/** A setting's value as it counts, null where nobody wrote it. */
export function read(registers, key, child = "") {
  const found = rowOf(registers, key, child);
  return found ? found.value : null;
}
