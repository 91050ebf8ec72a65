// Lines of a generated access log: a few clients send most requests, and timestamps are whole seconds and milliseconds.
import { rng } from "../../src/kit/chance/rng.ts";

/** Its lines are those of the format combined as well, which reads the milliseconds as a user. */
export const LOG_FORMAT =
  '$remote_addr - $msec [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"';

export interface LogSize {
  readonly lines: number;
  readonly clients: number;
  /** Each client sends about as many requests; left out: a few send most of them. */
  readonly isEven?: boolean;
}

const START_MS = Date.UTC(2026, 0, 5, 10);
const LINES_PER_SECOND = 2000;
const AGENTS = [
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15",
  "curl/8.5.0",
];
const BLOCK_LINES = 4096;

/** Blocks of whole lines, the same for the same size. */
export function* logBlocks({
  lines,
  clients,
  isEven = false,
}: LogSize): Generator<Buffer, void, undefined> {
  const { next, int } = rng(1, "bench/logs");
  const texts: string[] = [];
  let second = "";
  for (let line = 0; line < lines; line++) {
    const ms = START_MS + Math.floor((line * 1000) / LINES_PER_SECOND);
    if (line % LINES_PER_SECOND === 0) second = secondText(ms);
    const client = isEven ? line % clients : Math.floor(clients * next() ** 3);
    const address = `${10 + (client >> 24)}.${(client >> 16) & 255}.${(client >> 8) & 255}.${client & 255}`;
    const request = `GET /api/v1/items/${int(5000)}?page=${int(9)} HTTP/1.1`;
    texts.push(
      `${address} - ${Math.floor(ms / 1000)}.${String(ms % 1000).padStart(3, "0")} [${second}] "${request}" 200 ${int(50_000)} "https://example.com/" "${AGENTS[int(AGENTS.length)]!}"\n`,
    );
    if (texts.length < BLOCK_LINES && line + 1 < lines) continue;
    yield Buffer.from(texts.join(""));
    texts.length = 0;
  }
}

const MONTH = "Jan";

function secondText(ms: number): string {
  const iso = new Date(ms).toISOString();
  return `${iso.slice(8, 10)}/${MONTH}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000`;
}
