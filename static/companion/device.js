/* What a child does with this tablet, kept in its own copy until the house hears of it. */
import { canonical, isSame, sanitiseAll } from "./merge/canonical.js";
import { addTurn, fold, newSession } from "./merge/chat.js";
import { householdDay, minuteOfDay, nextStamp, restamped } from "./merge/days.js";
import * as journal from "./merge/journal.js";
import { memoryOf, normal } from "./merge/memories.js";
import * as acts from "./merge/operations.js";
import { mergeRegisters, read } from "./merge/registers.js";
import { KEYS, difference, mergeStore, storeOf } from "./merge/store.js";
import { isQuiet, mergeTimeRows, placeOf, remainingMs } from "./merge/time.js";
import { forgotten, reachOf } from "./merge/tombstones.js";

const RECENT_TURNS = 8;

/** Eight hexadecimal digits nobody can guess. */
export const fresh = () => [...crypto.getRandomValues(new Uint8Array(4))].map((one) => one.toString(16).padStart(2, "0")).join("");

function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  const hex = [...bytes].map((one) => one.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** One device: its copy, and a clock that may be wrong. */
export class Device {
  constructor(copy, clock = () => Date.now()) {
    Object.assign(this, { copy, clock });
  }

  /** Give a new copy its identity. */
  async begin() {
    await this.copy.move();
    if (!this.copy.known("device")) await this.copy.write(() => this.copy.note({ device: newId() }));
    return this;
  }

  get id() { return this.copy.known("device"); }
  get token() { return this.copy.known("token", ""); }
  get child() { return this.copy.known("child", ""); }
  get store() { return this.copy.store; }

  /** The house's time as far as it is known. */
  now() { return this.clock() + this.copy.known("offset_ms", 0); }
  today() { return householdDay(this.now(), this.setting("utc_offset_minutes")); }
  get reach() { return reachOf(this.store.tombstones.values(), this.store.memories.values()); }
  setting(key) { return read(this.copy.registers, key, this.child); }

  /** Why it is time to rest: "quiet", "minutes" or "". */
  rest() {
    const offset = this.setting("utc_offset_minutes");
    if (isQuiet(this.setting("quiet"), minuteOfDay(this.now(), offset))) return "quiet";
    return this.remaining() === 0 ? "minutes" : "";
  }

  /** When the quiet hours end, as a clock says it; "" without such hours. */
  wakes() { return (this.setting("quiet") || { to: "" }).to; }

  /** What is left of today in ms, null without a limit. */
  remaining() { return remainingMs([...this.store.time.values()], this.today(), this.setting("daily_minutes")); }

  // what follows is called inside `copy.write`

  stamp() {
    const at = nextStamp(this.now(), this.copy.known("seen_ms", 0));
    this.copy.note({ seen_ms: at, stamps: [...this.copy.known("stamps", []), at] });
    return at;
  }

  /** Have the store as `after`; what differs from what the house said is owed to it. */
  async keep(after, said = storeOf()) {
    let isForgetting = false;
    for (const { kind, put, gone } of difference(this.store, after)) {
      const told = [...said[kind].keys()].filter((key) => after[kind].has(key));
      const rows = new Set([...put.map(KEYS[kind]), ...told]);
      for (const key of rows) {
        const [now, house] = [after[kind].get(key), said[kind].get(key)];
        this.copy.keep(kind, now, !(house && isSame(house, now)));
      }
      this.copy.drop(kind, gone);
      isForgetting = isForgetting || (kind === "tombstones" && put.length > 0);
    }
    this.copy.store = after;
    if (!isForgetting) return;
    this.copy.note({ owes_move: true });
    await this.empty();
  }

  /** Let go of what forgettings and the age limit reach: words of lines, bytes of pictures. */
  async empty() {
    const { reach } = this;
    const limits = { days: this.setting("log_retention_days"), offset: this.setting("utc_offset_minutes") };
    const cutoff = journal.cutoffMs(this.now(), limits);
    const shown = new Set([...this.store.memories.values()].flatMap((memory) => memory.pictures.map((link) => link.name)));
    let isLess = false;
    for (const row of await this.copy.lines()) {
      const kept = journal.expires(row.line, cutoff) ? journal.expired(row.line) : journal.asKept(row.line, reach);
      if (kept !== row.line) {
        this.copy.keepLine({ ...row, line: kept });
        isLess = true;
      }
      journal.picturesOf(kept).forEach((name) => shown.add(name));
    }
    for (const name of await this.copy.pictureNames()) {
      if (shown.has(name)) continue;
      this.copy.dropPicture(name);
      isLess = true;
    }
    if (isLess) this.copy.note({ owes_move: true });
  }

  /** Journal lines in their order, at their own stamps. */
  async journal(lines) {
    const { reach } = this;
    let seq = await this.copy.nextSeq(this.id);
    for (const fields of lines) {
      const { event, turn = "", ...rest } = fields;
      const line = journal.asKept({ event, at_ms: this.stamp(), turn, ...sanitiseAll(rest) }, reach);
      this.copy.keepLine({ device: this.id, seq, line, position: null });
      seq += 1;
    }
  }

  async chatted(turn, who, text) {
    const session = this.session();
    const at_ms = this.stamp();
    let held = this.store.sessions.get(session)
      || newSession(session, { at_ms, forgotten: forgotten(this.store.tombstones.values()) });
    held = addTurn(held, { turn, who, text, at_ms }, { scrubbed: held.scrubbed });
    const leaving = held.turns.length - RECENT_TURNS;
    if (leaving > 0) {
      const summary = [held.summary, ...held.turns.slice(0, leaving).map((said) => said.text)].join(" ").trim().slice(-4_000);
      held = fold(held, summary, { leaving, at_ms, scrubbed: held.scrubbed });
    }
    await this.keep(mergeStore(this.store, storeOf({ sessions: [held] })));
  }

  session() { return `s${this.today()}-${this.id.slice(0, 8)}`; }

  // what a child does; each is one transaction

  /** The child says something, and shows pictures {name: {bytes, type}}; gives the turn. */
  hear(text, pictures = {}) {
    return this.copy.write(async () => {
      const turn = `t${this.stamp()}-${fresh()}`;
      for (const [name, one] of Object.entries(pictures)) this.copy.keepPicture(name, { ...one, is_sent: false });
      await this.journal([{ event: "Heard", turn, text, pictures: Object.keys(pictures) }]);
      if (text.trim()) await this.chatted(turn, "child", text);
      return turn;
    });
  }

  /** The companion answered, or, where the turn was forgotten meanwhile, only ended. */
  answered(turn, text, { how = "done", recalled = [] } = {}) {
    return this.copy.write(async () => {
      const isGone = [...this.store.tombstones.values()].some((one) => one.at_ms > 0 && one.turns.includes(turn));
      const said = text && !isGone ? [{ event: "Said", turn, text }] : [];
      const named = recalled.map((gid) => this.store.memories.get(gid)).filter((one) => one && said.length);
      const back = named.length ? [{ event: "Recalled", turn, entries: named.map((one) => ({ gid: one.gid, fact: one.text })) }] : [];
      await this.journal([...said, ...back, { event: "TurnEnded", turn, how: isGone ? "dropped" : how }]);
      if (said.length) await this.chatted(turn, "companion", text);
      return !isGone;
    });
  }

  /** Keep what was told as a memory card. */
  remember(text, { turn, pictures = [] }) {
    return this.copy.write(async () => {
      const at_ms = this.stamp();
      const gid = `m${at_ms}-${fresh()}`;
      const links = pictures.map((name, position) => ({ position, name }));
      const told = memoryOf({ gid, text, learned_at_ms: at_ms, mentions: [{ at_ms, device: this.id, turn }], pictures: links });
      await this.keep(acts.remember(this.store, told));
      await this.journal([{ event: "Remembered", turn, gid, fact: this.store.memories.get(gid).text }]);
      return gid;
    });
  }

  /** Change one memory at a new stamp; `edit` gets the memory and the stamp. */
  change(gid, edit) {
    return this.copy.write(async () => {
      const memory = this.store.memories.get(gid);
      if (!memory) throw new acts.Refused("unknown");
      await this.keep(acts.withDocuments(this.store, { memories: edit(memory, this.stamp()) }));
    });
  }

  edit(gid, text) { return this.change(gid, (memory, at_ms) => acts.editText(memory, text, { at_ms, device: this.id })); }
  star(gid, picture) { return this.change(gid, (memory, at_ms) => acts.star(memory, picture, { at_ms })); }

  /** Put a memory away; gives what undoes it. */
  putAway(gid) {
    return this.copy.write(async () => {
      const at_ms = this.stamp();
      const id = `a${at_ms}-${fresh()}`;
      await this.keep(acts.putAway(this.store, gid, { id, at_ms }));
      await this.journal([{ event: "PutAway", gid, fact: this.store.memories.get(gid).text }]);
      return id;
    });
  }

  /** Take a putting away back, within its 8 seconds. */
  undo(gid, id) {
    return this.copy.write(async () => {
      await this.keep(acts.undo(this.store, gid, { id, at_ms: this.stamp() }));
      await this.journal([{ event: "Restored", gid, fact: this.store.memories.get(gid).text }]);
    });
  }

  /** Bring a memory back that was put away. */
  restore(gid) {
    return this.copy.write(async () => {
      const memory = this.store.memories.get(gid);
      await this.keep(acts.withDocuments(this.store, { memories: acts.setHidden(memory, { hidden: false, at_ms: this.stamp() }) }));
      await this.journal([{ event: "Restored", gid, fact: memory.text }]);
    });
  }

  /** Count time of today's talk. */
  use(ms, extra_minutes = 0) {
    return this.copy.write(async () => {
      const place = { device: this.id, day: this.today() };
      const held = this.store.time.get(placeOf(place)) || { ...place, used_ms: 0, extra_minutes: 0 };
      const row = { ...held, used_ms: held.used_ms + Math.round(ms), extra_minutes: held.extra_minutes + extra_minutes };
      const time = mergeTimeRows([...this.store.time.values()], [row]);
      await this.keep({ ...this.store, time: new Map(time.map((one) => [placeOf(one), one])) });
    });
  }

  /** Write one of the settings a child may write. */
  set(key, value) {
    return this.copy.write(() => {
      const row = { key, value, at_ms: this.stamp(), child: this.child };
      const address = canonical([row.child, row.key]);
      const merged = mergeRegisters(this.copy.registers, [row]);
      this.copy.keep("register", merged.find((one) => canonical([one.child, one.key]) === address), true);
    });
  }

  /** Trade six digits for a token; what another child told is not taken along. False for digits of no child. */
  async pair(house, { code, name, app }) {
    const told = await house.ask("POST", "pair", { code, device: this.id, name, app });
    if (!told.child) return false;
    const isOther = this.child && this.child !== told.child;
    if (isOther) await this.copy.wipe();
    await this.note({ device: told.device, token: told.token, child: told.child, name, is_revoked: false });
    return true;
  }

  /** No grown-up added minutes to these of its own rows, as far as the house knows. */
  ungrant(rows) {
    return this.copy.write(async () => {
      const isOwn = (row) => row.device === this.id && rows.has(placeOf(row));
      const time = [...this.store.time.values()].map((row) => (isOwn(row) ? { ...row, extra_minutes: 0 } : row));
      await this.keep({ ...this.store, time: new Map(mergeTimeRows(time).map((row) => [placeOf(row), row])) });
    });
  }

  note(values) { return this.copy.write(() => this.copy.note(values)); }

  /** The clock was wrong: keep the offset and move every stamp the house never acknowledged. */
  setRight(offset_ms, next_seq) {
    return this.copy.write(async () => {
      const correction = offset_ms - this.copy.known("offset_ms", 0);
      this.copy.note({ offset_ms });
      const moved = restamped(this.copy.known("stamps", []), correction, this.now());
      const to = (at) => (moved.has(at) ? moved.get(at) : at);
      for (const row of await this.copy.ownLines(this.id, { from: next_seq })) {
        this.copy.keepLine({ ...row, line: { ...row.line, at_ms: to(row.line.at_ms) } });
      }
      for (const kind of ["memories", "tombstones", "soft_actions", "sessions"]) {
        for (const [document] of this.copy.pending(kind)) {
          const right = documentAt(kind, document, to, this.id);
          this.copy.store = acts.withDocuments(this.store, { [kind]: right });
          this.copy.keep(kind, right, true);
        }
      }
      for (const [row] of this.copy.pending("register")) this.copy.keep("register", { ...row, at_ms: to(row.at_ms) }, true);
      const last = Math.max(this.copy.known("house_seen_ms", 0), ...moved.values());
      this.copy.note({ stamps: [...moved.values()], seen_ms: last });
      await this.moveTime();
    });
  }

  /* Minutes counted on a day that has not come belong to today. */
  async moveTime() {
    const today = this.today();
    const rows = [...this.store.time.values()];
    const ahead = rows.filter((row) => row.device === this.id && row.day > today);
    if (!ahead.length) return;
    const used = ahead.reduce((sum, row) => sum + row.used_ms, 0);
    const own = rows.find((row) => row.device === this.id && row.day === today) || { device: this.id, day: today, used_ms: 0, extra_minutes: 0 };
    const kept = rows.filter((row) => !ahead.includes(row) && row !== own);
    const time = mergeTimeRows(kept, [{ ...own, used_ms: own.used_ms + used }]);
    await this.keep({ ...this.store, time: new Map(time.map((one) => [placeOf(one), one])) });
  }
}

function documentAt(kind, document, to, device) {
  const cover_at_ms = document.cover_at_ms === null || document.cover_at_ms === undefined ? null : to(document.cover_at_ms);
  if (kind === "tombstones") return { ...document, at_ms: to(document.at_ms) };
  if (kind === "soft_actions") {
    const undone = document.undone_at_ms;
    return { ...document, at_ms: to(document.at_ms), undone_at_ms: undone === null ? null : to(undone) };
  }
  if (kind === "sessions") {
    const turns = document.turns.map((turn) => ({ ...turn, at_ms: to(turn.at_ms) }));
    return { ...document, last_activity_at_ms: to(document.last_activity_at_ms), stamp_ms: to(document.stamp_ms), turns };
  }
  return normal({
    ...document, cover_at_ms,
    learned_at_ms: to(document.learned_at_ms), text_at_ms: to(document.text_at_ms), visibility_at_ms: to(document.visibility_at_ms),
    mentions: document.mentions.map((one) => (one.device === device ? { ...one, at_ms: to(one.at_ms) } : one)),
    revisions: document.revisions.map((row) => ({ ...row, at_ms: to(row.at_ms), text_at_ms: to(row.text_at_ms) })),
  });
}
