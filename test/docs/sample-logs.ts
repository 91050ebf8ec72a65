// The logs that docs/answer/replay.md and docs/reference/log-formats.md replay, as the page describes them.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const MONTH = "Jan";
const START_S = Date.UTC(2026, 0, 5, 10) / 1000;

interface SampleRequest {
  readonly atS: number;
  readonly client: string;
  readonly path: string;
}

const BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const AGENTS: Readonly<Record<string, string>> = {
  "192.0.2.10": "python-requests/2.32.3",
  "198.51.100.7": "curl/8.5.0",
};

const requestsOf = (
  client: string,
  path: string,
  times: readonly number[],
): readonly SampleRequest[] => times.map((atS) => ({ atS, client, path }));

const every = (seconds: number, from: number, to: number): readonly number[] =>
  Array.from({ length: Math.ceil((to - from) / seconds) }, (_, i) => from + i * seconds);

/** Ten minutes: a scraper, a cron job that sends 40 requests at once each minute, an office, and people. */
const requests = [
  ...requestsOf("192.0.2.10", "/items", every(0.4, 120, 300)),
  ...every(60, 0, 600).flatMap((atS) =>
    requestsOf("198.51.100.7", "/export", every(0.05, atS, atS + 2)),
  ),
  ...requestsOf("203.0.113.1", "/", every(1.3, 0, 600)),
  ...every(1, 2, 40).flatMap((n) => requestsOf(`203.0.113.${n}`, "/", every(11 + n, 3 * n, 600))),
].toSorted((a, b) => a.atS - b.atS);

const two = (value: number): string => String(value).padStart(2, "0");

function lineOf({ atS, client, path }: SampleRequest): string {
  const time = new Date((START_S + Math.floor(atS)) * 1000);
  const date = `${two(time.getUTCDate())}/${MONTH}/${time.getUTCFullYear()}`;
  return `${client} - - [${date}:${time.toISOString().slice(11, 19)} +0000] "GET ${path} HTTP/1.1" 200 512 "-" "${AGENTS[client] ?? BROWSER}"\n`;
}

const jsonLine = ({ atS, client, path }: SampleRequest): string =>
  `${JSON.stringify({ time: new Date((START_S + atS) * 1000).toISOString(), method: "GET", path, headers: { "X-Api-Key": `key-${client.split(".").at(-1)}` }, client })}\n`;

/** Two applications that use a language model: long prompts, and short ones of which many run at the same time. */
const tokenRows = [
  ...every(5, 0, 600).map((atS, i) => ({ atS, app: "search", tokens: 200 + (i % 7) * 50 })),
  ...every(1.5, 60, 240).map((atS, i) => ({ atS, app: "summaries", tokens: 900 + (i % 5) * 400 })),
].toSorted((a, b) => a.atS - b.atS);

const tokenLine = ({ atS, app, tokens }: (typeof tokenRows)[number]): string =>
  `${new Date((START_S + atS) * 1000).toISOString()},${app},${tokens},${tokens * 10}\n`;

/** `access.log` comes with Weir, as samples/access.log.gz: `npm run docs:figures` packs it. */
export const sampleLogs: Readonly<Record<string, string>> = {
  "access.log": requests.map(lineOf).join(""),
  "api.ndjson": requests.map(jsonLine).join(""),
  "world.yaml": `apis:
  items: { listen: /items, rate: 100, per: 60 }
  export: { listen: /export }
policies:
  standard: { rate: 60, per: 60, apis: [items, export] }
keys:
  credential-of-10: { key_id: key-10, apply_policies: [standard] }
  credential-of-7: { key_id: key-7, apply_policies: [standard] }
gateway: { algorithm: sliding_window_counter }
`,
  "tokens.csv": `time,app,tokens,duration_ms\n${tokenRows.map(tokenLine).join("")}`,
  "broken.log": requests
    .map((each, index) => (index % 40 === 7 ? "a line of something else\n" : lineOf(each)))
    .join(""),
};

/** The requests of api.ndjson again: test/cli/replay-rows.test.ts compares them. */
export const sampleRows = (): Readonly<Record<string, Uint8Array>> => ({
  "api.parquet": readFileSync(join(import.meta.dirname, "../studies/replay/logs/api.parquet")),
});
