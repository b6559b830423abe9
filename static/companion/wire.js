/* The way to the house: requests with the token, gzipped where that helps, and the house's clock. */
import { offsetTo } from "./merge/days.js";

const ROOT = "/api/v1/";
const PACK_FROM = 1_024;
const PATIENCE_MS = 20_000;

/** The house cannot be reached now. */
export class Unreachable extends Error {}

/** The house refused; `code` is stable. */
export class Refused extends Error {
  constructor(status, body) {
    super(body.code || String(status));
    Object.assign(this, { status, body, code: body.code || "" });
  }
}

/** A house, asked with the token that `token()` gives; `onTime` hears by how much its clock is ahead. */
export class House {
  constructor({ token, onTime, clock = () => Date.now() }) {
    Object.assign(this, { token, onTime, clock });
  }

  /** The answer in JSON, or the bytes where it is none. Throws Refused, Unreachable. */
  async ask(method, path, body) {
    const answer = await this.open(method, path, body, AbortSignal.timeout ? AbortSignal.timeout(PATIENCE_MS) : undefined);
    try {
      const isJson = (answer.headers.get("Content-Type") || "").includes("json");
      return isJson ? await answer.json() : { bytes: await answer.arrayBuffer(), type: answer.headers.get("Content-Type") };
    } catch { throw new Unreachable(); }
  }

  /** The open response of a request that succeeded, for what is streamed. */
  async open(method, path, body, signal) {
    const sent_ms = this.clock();
    const headers = { "X-Hearthbook-Protocol": "1" };
    if (this.token()) headers.Authorization = `Bearer ${this.token()}`;
    let answer;
    try {
      const data = await packed(body, headers);
      answer = await fetch(ROOT + path, { method, body: data, headers, signal, credentials: "omit", cache: "no-store" });
    } catch { throw new Unreachable(); }
    const server_ms = Number(answer.headers.get("X-Hearthbook-Time"));
    if (server_ms) await this.onTime(offsetTo(server_ms, { sent_ms, received_ms: this.clock() }));
    if (answer.ok) return answer;
    const told = await answer.json().catch(() => ({}));
    if (!told.code && answer.status >= 500) throw new Unreachable();
    throw new Refused(answer.status, told);
  }
}

async function packed(body, headers) {
  if (body === undefined) return undefined;
  if (body instanceof ArrayBuffer) {
    headers["Content-Type"] = "application/octet-stream";
    return body;
  }
  headers["Content-Type"] = "application/json";
  const text = new Blob([JSON.stringify(body)]);
  if (text.size < PACK_FROM || !window.CompressionStream) return text.arrayBuffer();
  headers["Content-Encoding"] = "gzip";
  return new Response(text.stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
}
