// What a program sends besides the status, by the rules of its file: delays, and headers of remaining requests.
import { describe, expect, test } from "vitest";
import { micros, type Micros } from "#src/kit/units.ts";
import { memoryStore } from "#src/limiter/store/memory.ts";
import { findReader } from "#src/lab/implementations/readers.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import { startDeciding } from "#src/lab/sim/rules.ts";
import { mustRead } from "../implementations/read-and-play.ts";

/** A time at which each period up to a day begins. */
const DAY_US = 864_000_000_000;

const SENDER = { address: "192.0.2.1", header: () => null };

interface Answer {
  readonly status: number;
  readonly delayMs: number;
  readonly retryAfterS: number;
  readonly headers: string;
}

/** The answers to requests that are sent at these seconds. */
function answers(
  file: string,
  text: string,
  sent: readonly number[],
  target = "/",
): readonly Answer[] {
  const reader = requireValue(findReader({ file, text }, null))!;
  let now: Micros = micros(0);
  const decide = startDeciding(
    mustRead(reader, text),
    memoryStore(),
    (_, own) => own,
    () => now,
    true,
  );
  return sent.map((seconds) => {
    now = micros(DAY_US + Math.round(seconds * 1e6));
    const {
      refused,
      decision,
      headers = [],
    } = decide({ method: "GET", target, credential: null, sender: SENDER });
    return {
      status: refused?.status ?? 200,
      delayMs: decision!.delayUs / 1_000,
      retryAfterS: decision!.retryAfterUs / 1e6,
      headers: headers.map(([name, value]) => `${name}: ${value}`).join(", "),
    };
  });
}

const headersOf = (all: readonly Answer[]): readonly string[] => all.map(({ headers }) => headers);

describe("a request waits for its turn", () => {
  const waits = (all: readonly Answer[]): readonly (number | null)[] =>
    all.map(({ status, delayMs }) => (status === 200 ? delayMs : null));
  const nginx = (limits: string, more = ""): string =>
    `limit_req_zone $server_name zone=a:1m rate=10r/s; limit_req_zone $server_name zone=b:1m rate=5r/s;
     server { server_name x; listen 80; location / { ${limits} } ${more} }`;

  test.each([
    ["without nodelay above the rate", "limit_req zone=a burst=3;", [0, 100, 200, 300, null]],
    [
      "with delay above that number",
      "limit_req zone=a burst=4 delay=2;",
      [0, 0, 0, 100, 200, null],
    ],
    ["with nodelay never", "limit_req zone=a burst=2 nodelay;", [0, 0, 0, null]],
    ["without a burst never", "limit_req zone=a;", [0, null]],
    ["with a delay of the burst never", "limit_req zone=a burst=1 delay=1;", [0, 0, null]],
    ["in a dry run never", "limit_req zone=a burst=1; limit_req_dry_run on;", [0, 0, 0, 0]],
    [
      "for the longest of two limits",
      "limit_req zone=a burst=9; limit_req zone=b burst=2 delay=1;",
      [0, 100, 200, null],
    ],
  ])("at nginx %s", (_, limits, expected) => {
    expect(
      waits(
        answers(
          "nginx.conf",
          nginx(limits),
          expected.map(() => 0),
        ),
      ),
    ).toEqual(expected);
  });

  test("at nginx less, when time has passed, and by the limit of its own place", () => {
    const text = nginx(
      "limit_req zone=a burst=3;",
      "location /at-once { limit_req zone=a burst=3 nodelay; }",
    );
    expect(waits(answers("nginx.conf", text, [0, 0, 0.05, 1]))).toEqual([0, 100, 150, 0]);
    expect(waits(answers("nginx.conf", text, [0, 0, 0, 0, 0], "/at-once"))).toEqual([
      0,
      0,
      0,
      0,
      null,
    ]);
  });

  test("at Traefik for the rest of a token", () => {
    const text = `http:
  routers: { all: { rule: "PathPrefix(\`/\`)", service: s, middlewares: [limit] } }
  middlewares: { limit: { rateLimit: { average: 1, period: 1s, burst: 1 } } }
  services: { s: { loadBalancer: { servers: [{ url: "http://127.0.0.1:1" }] } } }
`;
    expect(waits(answers("traefik.yaml", text, [0, 0.4, 0.6]))).toEqual([0, null, 400]);
  });

  test.each([
    ["", [0, 500, null]],
    [", nodelay: true", [0, 0, null]],
  ])("at APISIX by limit-req%s", (more, expected) => {
    const text = `routes:
  - { id: 1, uri: /*, plugins: { limit-req: { rate: 2, burst: 1, key: remote_addr${more} } } }
`;
    expect(waits(answers("apisix.yaml", text, [0, 0, 0]))).toEqual(expected);
  });
});

describe("headers of remaining requests", () => {
  const kong = (config: string, plugin = "rate-limiting"): string =>
    `_format_version: "3.0"
services:
  - { name: s, url: "http://127.0.0.1:1", routes: [{ name: r, paths: [/] }] }
plugins:
  - { name: ${plugin}, config: { ${config} } }
`;

  test("of Kong are those of each period, and of the one with the fewest", () => {
    const all = answers("kong.yaml", kong("minute: 2, hour: 2, policy: local"), [10, 11, 12.5]);
    const [minute, hour] = [
      "Limit-Minute: 2, X-RateLimit-Remaining-Minute",
      "Limit-Hour: 2, X-RateLimit-Remaining-Hour",
    ];
    expect(headersOf(all)).toEqual([
      `X-RateLimit-${minute}: 1, X-RateLimit-${hour}: 1, RateLimit-Limit: 2, RateLimit-Remaining: 1, RateLimit-Reset: 3590`,
      `X-RateLimit-${minute}: 0, X-RateLimit-${hour}: 0, RateLimit-Limit: 2, RateLimit-Remaining: 0, RateLimit-Reset: 3589`,
      `X-RateLimit-${minute}: 0, X-RateLimit-${hour}: 0, RateLimit-Limit: 2, RateLimit-Remaining: 0, RateLimit-Reset: 3588`,
    ]);
    expect(all.map(({ status }) => status)).toEqual([200, 200, 429]);
    const fewer = answers("kong.yaml", kong("second: 3, hour: 9, policy: local"), [0.1]);
    expect(fewer[0]!.headers).toContain(
      "RateLimit-Limit: 3, RateLimit-Remaining: 2, RateLimit-Reset: 1",
    );
  });

  test("of Kong are hidden, and Retry-After with them", () => {
    const hidden = answers("kong.yaml", kong("minute: 1, hide_client_headers: true"), [0, 1]);
    expect(headersOf(hidden)).toEqual(["", ""]);
    expect(hidden[1]).toMatchObject({ status: 429, retryAfterS: Number.POSITIVE_INFINITY });
    const shown = answers("kong.yaml", kong("minute: 1"), [0, 1]);
    expect(shown[1]).toMatchObject({ status: 429, retryAfterS: 59 });
  });

  test("of rate-limiting-advanced name a window by its period or its seconds", () => {
    const text = kong(
      "limit: [5, 9], window_size: [30, 60], window_type: fixed",
      "rate-limiting-advanced",
    );
    expect(headersOf(answers("kong.yaml", text, [0]))).toEqual([
      "X-RateLimit-Limit-30: 5, X-RateLimit-Remaining-30: 4, X-RateLimit-Limit-Minute: 9, X-RateLimit-Remaining-Minute: 8, RateLimit-Limit: 5, RateLimit-Remaining: 4, RateLimit-Reset: 30",
    ]);
  });

  test.each([
    ["", ["1, X-RateLimit-Reset: 60", "0, X-RateLimit-Reset: 58", "0, X-RateLimit-Reset: 50"]],
    [", show_limit_quota_header: false", null],
  ])("of APISIX%s", (more, expected) => {
    const text = `routes:
  - { id: 1, uri: /*, plugins: { limit-count: { count: 2, time_window: 60, key: remote_addr${more} } } }
`;
    expect(headersOf(answers("apisix.yaml", text, [5, 7.5, 15.2]))).toEqual(
      expected?.map((each) => `X-RateLimit-Limit: 2, X-RateLimit-Remaining: ${each}`) ?? [
        "",
        "",
        "",
      ],
    );
  });

  // As Envoy 1.40.0 and Spring Cloud Gateway 4.2.7 answered.
  test("of Envoy are of the first bucket, and its reset is the wait for a token", () => {
    const filter = (headers: string): string => `http_filters:
- name: envoy.filters.http.local_ratelimit
  typed_config:
    stat_prefix: a
    ${headers}
    filter_enabled: { default_value: { numerator: 100 } }
    filter_enforced: { default_value: { numerator: 100 } }
    token_bucket: { max_tokens: 2, tokens_per_fill: 1, fill_interval: 10s }
`;
    const sent = [0, 1, 2.5, 10];
    expect(
      headersOf(
        answers("envoy.yaml", filter("enable_x_ratelimit_headers: DRAFT_VERSION_03"), sent),
      ),
    ).toEqual([
      "x-ratelimit-limit: 2, x-ratelimit-remaining: 1, x-ratelimit-reset: 0",
      "x-ratelimit-limit: 2, x-ratelimit-remaining: 0, x-ratelimit-reset: 9",
      "x-ratelimit-limit: 2, x-ratelimit-remaining: 0, x-ratelimit-reset: 8",
      "x-ratelimit-limit: 2, x-ratelimit-remaining: 0, x-ratelimit-reset: 10",
    ]);
    expect(headersOf(answers("envoy.yaml", filter(""), sent))).toEqual(["", "", "", ""]);
  });

  test("of Spring Cloud Gateway are tokens", () => {
    const text = `spring:
  cloud:
    gateway:
      routes:
        - id: a
          uri: http://127.0.0.1:1
          predicates: ["Path=/**"]
          filters:
            - name: RequestRateLimiter
              args: { redis-rate-limiter.replenishRate: 2, redis-rate-limiter.burstCapacity: 9, redis-rate-limiter.requestedTokens: 4, key-resolver: "#{@all}" }
`;
    const rest =
      "X-RateLimit-Requested-Tokens: 4, X-RateLimit-Burst-Capacity: 9, X-RateLimit-Replenish-Rate: 2";
    expect(headersOf(answers("application.yml", text, [0, 0, 0, 1.5]))).toEqual(
      [5, 1, 1, 3].map((left) => `X-RateLimit-Remaining: ${left}, ${rest}`),
    );
  });
});
