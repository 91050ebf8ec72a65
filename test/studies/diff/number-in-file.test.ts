// The numbers of a limit in its file, whichever program it is of.
import { expect, test } from "vitest";
import { Failure } from "#src/kit/reading/failure.ts";
import { findNumbers } from "#src/studies/diff/number-in-file.ts";
import { editableOf, nginx } from "./editable.ts";
import { envoyWith } from "./envoy-file.ts";

type Digits = string | null;

/** The digits of the rate, of the time and of the burst. */
const OTHERS: readonly (readonly [
  file: string,
  text: string,
  rate: Digits,
  time: Digits,
  burst: Digits,
])[] = [
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
    null,
    null,
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
    null,
    null,
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
    null,
    null,
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
    null,
    "5",
  ],
  ["nginx.conf", nginx(4, "s", 9), "4", null, "9"],
  ["envoy.yaml", envoyWith(7, "1.5s"), null, "1.5", "7"],
];

test.each(OTHERS)("the numbers of the limit in %s are found", (file, text, ...wanted) => {
  const configuration = editableOf(file, text);
  const numbers = findNumbers(configuration, configuration.candidate.configuration.rules[0]!);
  const found = (["rate", "time", "burst"] as const).map((what) => {
    const number = numbers[what];
    return number === null
      ? null
      : text.split("\n")[number.line - 1]!.slice(number.from, number.to);
  });
  expect(found).toEqual(wanted);
});

test("there is no number for a rule whose limit is made of other words", () => {
  const configuration = editableOf("nginx.conf", nginx(1, "s", 1));
  const [rule] = configuration.candidate.configuration.rules;
  const readAgain = (): Failure => new Failure("unreadable");
  expect(findNumbers({ ...configuration, readAgain }, rule!)).toEqual({
    rate: null,
    time: null,
    burst: null,
  });
});
