// The smallest change of a configuration: it meets the target, one less does not, and nothing but a number differs.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Failure, isFailure, requireValue } from "#src/kit/reading/failure.ts";
import type { ConfigurationFile } from "#src/lab/implementations/reading.ts";
import { findReader } from "#src/lab/implementations/readers.ts";
import type { RulesCandidate } from "#src/studies/replay/rules.ts";
import {
  findNumber,
  replaceNumber,
  type EditableConfiguration,
} from "#src/studies/diff/number-in-file.ts";
import { findSmallestChange, type ChangeQuestion } from "#src/studies/diff/smallest-change.ts";
import { formatPatch } from "#src/studies/diff/patch.ts";
import { holdsUntil } from "../../runs.ts";
import { addressOf, nameTable, randomLog, START_US, type LoggedRequest } from "./requests.ts";

function editableOf(file: string, text: string): EditableConfiguration {
  const main = { file, text };
  const reader = findReader(main, null);
  if (reader === null || isFailure(reader)) throw new Error(`no reader recognizes ${file}`);
  const readAgain = ([only]: readonly ConfigurationFile[]): RulesCandidate | Failure => {
    const configuration = reader.read(only!, () => [], new Map());
    return isFailure(configuration) ? configuration : { kind: "rules", file, configuration };
  };
  return { files: [main], candidate: requireValue(readAgain([main])), readAgain };
}

const nginx = (rate: number, unit: string, burst: number): string => `# 3 limits
limit_req_zone $remote_addr zone=all3:10m rate=${rate}r/${unit};
server {
  listen 80;
  limit_req zone=all3 burst=${burst};
}
`;

function questionOf(requests: readonly LoggedRequest[], share: number): ChangeQuestion {
  const targetOf = ({ client, path }: LoggedRequest): string =>
    `GET /${path}\u001F${addressOf(client)}`;
  const targets = [...new Set(requests.map(targetOf))];
  return {
    requests: {
      clients: requests.map(({ client }) => client),
      targets: requests.map((each) => targets.indexOf(targetOf(each))),
      atUs: requests.map(({ atUs }) => atUs),
    },
    names: {
      clients: nameTable([0, 1, 2, 3, 4, 5].map(addressOf)),
      targets: nameTable(targets),
      sender: [{ kind: "field of every log", name: "ip" }],
    },
    fleet: undefined,
    refusedAtMost: share,
    clientsAtMost: 1,
  };
}

let changed = 0;
test("a change meets the target, and a number that is one smaller does not", async () => {
  const property = fc.property(
    fc.integer({ min: 1, max: 4 }),
    fc.constantFrom("s", "m"),
    fc.integer({ min: 1, max: 3 }),
    randomLog,
    fc.constantFrom(0, 0.05, 0.2),
    (rate, unit, burst, requests, share) => {
      const configuration = editableOf("nginx.conf", nginx(rate, unit, burst));
      const question = questionOf(requests, share);
      const found = findSmallestChange(configuration, question);
      const allowed = share * requests.length;
      expect(found.isMet).toBe(found.present.refused <= allowed);
      expect(found.after === null).toBe(found.changes.length === 0);
      // With a small burst, requests of one instant are refused at each rate.
      fc.pre(!found.isMet && found.isMetAfter);
      changed++;
      expect(found.after!.refused).toBeLessThanOrEqual(allowed);
      const [change, ...others] = found.changes;
      expect(others).toEqual([]);
      const less = replaceNumber(configuration, change!.number, change!.value - 1);
      const again = findSmallestChange(
        { ...configuration, ...less, candidate: requireValue(less.candidate) },
        question,
      );
      expect(again.isMet).toBe(false);
      expect(found.files[0]!.text).toBe(nginx(change!.value, unit, burst));
    },
  );
  await holdsUntil(20, () => changed, property, 60);
});

test("numbers that meet the target are not changed", () => {
  const configuration = editableOf("nginx.conf", nginx(1, "s", 1));
  const requests = [{ atUs: START_US, client: 0, path: 0 }];
  expect(findSmallestChange(configuration, questionOf(requests, 0))).toMatchObject({
    present: { refused: 0 },
    isMet: true,
    isMetAfter: true,
    changes: [],
    after: null,
    files: configuration.files,
  });
});

const OTHERS: readonly (readonly [file: string, text: string, digits: string])[] = [
  [
    "haproxy.cfg",
    `frontend web
  mode http
  bind :8080
  stick-table type ip size 100k expire 30s store http_req_rate(10s)
  http-request track-sc0 src
  http-request deny deny_status 429 if { sc_http_req_rate(0) gt 20 }
  default_backend app
backend app
  mode http
  server one 127.0.0.1:8000
`,
    "20",
  ],
  [
    "ratelimit.yaml",
    `domain: shop
descriptors:
  - key: remote_address
    rate_limit:
      unit: minute
      requests_per_unit: 60
`,
    "60",
  ],
  [
    "default.vcl",
    `vcl 4.1;
import vsthrottle;
backend default { .host = "127.0.0.1"; .port = "8000"; }
sub vcl_recv {
  if (vsthrottle.is_denied(client.ip, 15, 10s)) {
    return (synth(429, "Too Many Requests"));
  }
}
`,
    "15",
  ],
  [
    "traefik.yaml", // twice its number is counted in other parts of a request
    `http:
  middlewares:
    few: { rateLimit: { average: 30, period: 1m, burst: 5 } }
  routers:
    all: { rule: "PathPrefix(\`/\`)", middlewares: [few] }
`,
    "30",
  ],
];

test.each(OTHERS)("the number of the limit in %s is found", (file, text, digits) => {
  const configuration = editableOf(file, text);
  const number = findNumber(configuration, configuration.candidate.configuration.rules[0]!)!;
  expect(text.split("\n")[number.line - 1]!.slice(number.from, number.to)).toBe(digits);
});

test("there is no number for a rule whose limit is made of other words", () => {
  const configuration = editableOf("nginx.conf", nginx(1, "s", 1));
  const [rule] = configuration.candidate.configuration.rules;
  const readAgain = (): Failure => new Failure("unreadable");
  expect(findNumber({ ...configuration, readAgain }, rule!)).toBeNull();
});

test("a unified diff has lines around a change, and marks a file that has no last end of line", () => {
  const lines = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`);
  const before = { file: "a.conf", text: lines.join("\n") };
  const text = before.text.replace("line 5\n", "line five\n").replace("line 20", "line twenty");
  expect(formatPatch([before], [{ ...before, text }])).toBe(`--- a.conf
+++ a.conf
@@ -2,7 +2,7 @@
 line 2
 line 3
 line 4
-line 5
+line five
 line 6
 line 7
 line 8
@@ -17,4 +17,4 @@
 line 17
 line 18
 line 19
-line 20
\\ No newline at end of file
+line twenty
\\ No newline at end of file
`);
  expect(formatPatch([before], [before])).toBe("");
});
