// The files of a new implementation that is a server, with the translator that writes the server's configuration.

export const newServer = (name: string): Readonly<Record<string, string>> => ({
  "manifest.yaml": MANIFEST.replaceAll("NAME", name),
  "server.mjs": SERVER,
  "translate.js": TRANSLATE.replaceAll("NAME", name),
  "README.md": README.replaceAll("NAME", name),
});

const MANIFEST = `name: NAME
about: A window for each key, which begins with the first admitted request; a refusal costs nothing.
version: 1.0.0
kind: http
language: javascript
install: { registry: none }
start: ["{node}", "{folder}/server.mjs", "{dir}/server.json"]
# It answers there with the configuration that translate.js wrote last, so that a change is seen.
ready: { path: "/weir-ready/{generation}", within: 30s }
clock: real
resolution: 1ms
headers: { limit: x-ratelimit-limit, remaining: x-ratelimit-remaining, retry_after: retry-after }
# Options of Weir's gateway that describe how it decides: the checks use them.
model: { algorithm: fixed_window, fixed_window_start: first_request, rate_limit_headers: "off" }
capabilities: { scopes: [api, key-api, key], headers: true, waits: true, change: reload }
# What its documentation promises, or excludes, by the id of a behaviour.
claims:
  five-of-ten:
    holds: true
    sentence: Of each key, as many requests are admitted as the limit allows.
    source: README.md
`;

const SERVER = `// Counts requests by the limits of its file, and forwards the admitted ones. Replace the window below by your limiter, or
// start a server of your own: then translate.js writes its configuration.
import { readFileSync } from "node:fs";
import { createServer, request as send } from "node:http";

const readConfig = () => JSON.parse(readFileSync(process.argv[2], "utf8"));
let config = readConfig();
process.on("SIGHUP", () => (config = readConfig())); // new limits; the counts stay

const windows = new Map();

const isBelow = (path, listen) =>
  listen === "/" || path === listen || path.startsWith(\`\${listen}/\`);

function findPlace(path, client) {
  for (const limit of config.limits)
    for (const place of limit.places)
      if (
        isBelow(path, place.path) &&
        !place.below.some((other) => isBelow(path, other)) &&
        (place.credentials.length < 1 || place.credentials.includes(client))
      )
        return { ...limit, place };
  return null;
}

function decide(path, client) {
  const found = findPlace(path, client);
  if (found === null) return { isAdmitted: true, headers: {} };
  const { scope, rate, perUs, isForAll, place } = found;
  const key = JSON.stringify([scope, scope === "key" || place.path, isForAll || client]);
  const nowMs = Date.now();
  let window = windows.get(key);
  if (window === undefined || nowMs >= window.endMs)
    window = { endMs: nowMs + perUs / 1_000, spent: 0 };
  const isAdmitted = window.spent < rate;
  if (isAdmitted) {
    window.spent++;
    windows.set(key, window); // a refused request begins no window
  }
  const remaining = Math.max(0, rate - window.spent);
  const headers = { "x-ratelimit-limit": rate, "x-ratelimit-remaining": remaining };
  if (!isAdmitted) headers["retry-after"] = Math.ceil((window.endMs - nowMs) / 1_000);
  return { isAdmitted, headers };
}

createServer((request, response) => {
  const [path] = request.url.split("?");
  if (path.startsWith("/weir-ready/"))
    return response.writeHead(path === \`/weir-ready/\${config.generation}\` ? 204 : 404).end();
  const { isAdmitted, headers } = decide(path, request.headers.authorization ?? "");
  if (!isAdmitted) return response.writeHead(429, headers).end();
  const { method, url } = request;
  const { host, port } = config.upstream;
  const forwarded = send(
    { host, port, method, path: url, headers: request.headers, agent: false },
    (received) => {
      response.writeHead(received.statusCode, { ...received.headers, ...headers });
      received.pipe(response);
    },
  );
  forwarded.on("error", () => response.writeHead(502).end());
  return request.pipe(forwarded);
}).listen(config.port, "127.0.0.1");
`;

const TRANSLATE = `// A pure function: from the limits of a world, and the place where the server runs, to its configuration. It names in
// \`enforces\` the ids of all limits that the server enforces; what the server cannot do is a sentence in \`cannot\`.
export function translate({ limits }, { port, upstream, generation }) {
  const cannot = limits.flatMap(({ id, rate, places }) => [
    ...(Number.isInteger(rate) && rate > 0 ? [] : [\`NAME takes integers from 1: \${id}\`]),
    ...(places.every(({ endpoint, except }) => endpoint === null && except.length === 0)
      ? []
      : [\`NAME has no limits of single endpoints: \${id}\`]),
  ]);
  if (cannot.length > 0) return { cannot };
  return {
    files: { "server.json": JSON.stringify({ port, upstream, generation, limits }) },
    enforces: limits.map(({ id }) => id),
  };
}
`;

const README = `# NAME

A gateway that Weir can examine. \`server.mjs\` limits and forwards, and \`translate.js\` writes its configuration from the
limits of a world. Both work as they are; replace them by your gateway. \`manifest.yaml\` has its start, the limits that
it can express and the promises of its documentation.

    weir implementations run ./NAME
    weir run scenarios/limits --implementation ./NAME

All fields are in docs/reference/implementation-manifest.md of Weir.
`;
