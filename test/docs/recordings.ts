// The recordings that docs/answer/lint.md examines, as the page describes them.

const at = (second: number): string =>
  new Date(Date.UTC(2026, 10, 24, 9) + second * 1000).toISOString();

type Row = readonly [second: number, status: number, headers: Readonly<Record<string, string>>];

const recording = (rows: readonly Row[]): string =>
  rows
    .map(([second, status, headers]) =>
      JSON.stringify({ sentAt: at(second), receivedAt: at(second + 0.01), status, headers }),
    )
    .map((line) => `${line}\n`)
    .join("");

const legacy = (remaining: number, reset: number): Readonly<Record<string, string>> => ({
  "X-RateLimit-Limit": "2",
  "X-RateLimit-Remaining": String(remaining),
  "X-RateLimit-Reset": String(reset),
});

export const recordings: Readonly<Record<string, string>> = {
  "right.ndjson": recording([
    [0, 200, legacy(1, 10)],
    [0.1, 200, legacy(0, 10)],
    [0.2, 429, { ...legacy(0, 10), "Retry-After": "10" }],
    [9.15, 429, { ...legacy(0, 1), "Retry-After": "1" }],
    [10.17, 200, legacy(1, 10)],
  ]),
  "wrong.ndjson": recording([
    [0, 200, { ...legacy(1, 10), RateLimit: "limit=2, remaining=1, reset=10" }],
    [0.1, 200, { ...legacy(1, 10), RateLimit: "limit=2, remaining=1, reset=10" }],
    [0.2, 429, { "Retry-After": "2.5" }],
    [0.3, 429, { "Retry-After": "9" }],
    [9.4, 429, { "Retry-After": "1" }],
  ]),
};
