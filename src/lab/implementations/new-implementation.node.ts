// The files of a new implementation: a limiter that decides by lines of JSON, its manifest, and a README.

export const newImplementation = (name: string): Readonly<Record<string, string>> => ({
  "manifest.yaml": MANIFEST.replaceAll("NAME", name),
  "limiter.mjs": LIMITER.replaceAll("NAME", name),
  "README.md": README.replaceAll("NAME", name),
});

const MANIFEST = `name: NAME
about: A window for each key, which begins with the first admitted request; a refusal costs nothing.
version: 1.0.0
kind: decide
language: javascript
needs: [node]
install: { registry: none }
start: [node, "{folder}/limiter.mjs"]
clock: virtual
# Options of Weir's gateway that describe how it decides: the checks use them.
model: { algorithm: fixed_window, fixed_window_start: first_request, rate_limit_headers: "off" }
capabilities: { scopes: [api, key-api, key], cost: true, headers: true, waits: true, change: reload }
# What its documentation promises, or excludes, by the id of a behaviour.
claims:
  five-of-ten:
    holds: true
    sentence: Of each key, as many requests are admitted as the limit allows.
    source: README.md
`;

const LIMITER = `// Reads one JSON object a line, and writes one answer for each, in order. Replace the window below by calls of your
// limiter: give it the time of the question, or set "clock: real" in manifest.yaml and answer with an at_us of its own.
import { createInterface } from "node:readline";

let limit = 0;
let perUs = 0;
let windows = new Map();

const setLimit = ([wanted]) => {
  limit = wanted.limit;
  perUs = wanted.per_us;
  return { ok: true };
};

const operations = {
  describe: () => ({ protocol: 1, id: "NAME", version: "1.0.0", clock: "virtual", cost: true }),
  configure: ({ limits }) => {
    if (limits.length !== 1) return { cannot: ["it has one limit for a key"] };
    windows = new Map();
    return setLimit(limits);
  },
  change: ({ limits }) => setLimit(limits),
  decide: ({ key, cost, at_us: atUs }) => {
    let window = windows.get(key);
    if (window === undefined || atUs >= window.endUs) window = { endUs: atUs + perUs, spent: 0 };
    const admitted = window.spent + cost <= limit;
    if (admitted) {
      window.spent += cost;
      windows.set(key, window); // a refused request begins no window
    }
    const remaining = limit - window.spent;
    return admitted
      ? { admitted, limit, remaining }
      : { admitted, limit, remaining, retry_after_us: window.endUs - atUs };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const question = JSON.parse(line);
  const answer = operations[question.op]?.(question) ?? { error: \`unknown: \${question.op}\` };
  process.stdout.write(\`\${JSON.stringify(answer)}\\n\`);
}
`;

const README = `# NAME

A limiter that Weir can examine. \`limiter.mjs\` decides: one JSON object a line, each answered by one line. It works as
it is; replace its window by your limiter. \`manifest.yaml\` has its start, the limits that it can express and the
promises of its documentation.

    weir implementations run ./NAME
    weir run scenarios/limits --implementation ./NAME

The protocol and all fields are in docs/reference/implementation-manifest.md of Weir.
`;
