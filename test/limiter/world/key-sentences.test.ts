// The messages of the check about a key: the problem, and the correction.
import { expect, test } from "vitest";
import { messages, withKey } from "./worlds.ts";

const SMOOTHING = { enabled: true, threshold: 1, step: 1, trigger: 0.5, delay: 1 };

test.each([
  ["fixed_window", {}, "fixed_window"],
  ["drl", {}, "drl"],
  [null, { drl_threshold: 1 }, "drl, while drl_threshold chooses it,"],
  [null, { enable_fixed_window_rate_limiter: true }, "fixed_window"],
])(
  "under algorithm %j and %j a warning reports that %s does not smooth",
  (algorithm, more, subject) => {
    const alice = { rate: 5, per: 1, smoothing: SMOOTHING };
    expect(messages(withKey(alice, { algorithm, ...more }))).toEqual([
      `${subject} does not smooth, so the plain limit applies: choose a log-based algorithm`,
    ]);
  },
);

test.each<readonly [key: unknown, sentences: readonly string[]]>([
  [7, ["a key must be an object; got 7"]],
  [{ rate: "5", per: 1 }, ['rate must be a number; got "5": write rate: 5']],
  [{ rate: -2, per: 1 }, ["rate must be between 0 and 9007199254, or -1 for unlimited; got -2"]],
  [{ rate: 0.25, per: 1 }, ["rate 0.25 is below 1: write rate: 1, per: 4"]],
  [{ rate: 5, per: 4e9 }, ["per must be between 1 ms and 100 years; got 4000000000 s"]],
  [{ per: 1 }, ["per is set without rate: add rate, or take per away"]],
  [{ rate: 5 }, ["rate 5 needs a window above 0: add per, in seconds"]],
  [
    { rate: 5, per: "soon" },
    [
      'per must be a duration; got "soon": write seconds with at most 6 decimals, or text such as "10s" or "1m30s"',
    ],
  ],
  [
    { rate: 5, per: 1, allowance: 4 },
    ["allowance is 4 but rate is 5; only rate decides: write allowance: 5"],
  ],
  [{ rate: 1.0000001, per: 1 }, ["rate must have at most 6 decimals; got 1.0000001"]],
  [
    { shadow: true },
    ["shadow is true, but there is no limit to evaluate: add rate and per, or take shadow away"],
  ],
  [
    {
      rate: 5,
      per: 1,
      shadow: true,
      smoothing: { enabled: true, threshold: 1, step: 1, trigger: 0.5, delay: 1 },
    },
    ["a shadow limit cannot be smoothed: take smoothing or shadow away"],
  ],
  [
    {
      rate: 5,
      per: 1,
      shadow: true,
      smoothing: { enabled: false, threshold: 1, step: 1, trigger: 0.5, delay: 1 },
    },
    [],
  ],
  [{ rate: 5, per: 1, shadow: "yes" }, ['shadow must be true or false; got "yes"']],
  [
    { smoothing: { enabled: true, threshold: 1, step: 1, trigger: 0.5, delay: 1 } },
    ["smoothing is enabled, but there is no rate to smooth: add rate and per to the limit"],
  ],
  [
    {
      rate: 2e4,
      per: 1,
      smoothing: { enabled: true, threshold: 1, step: 1, trigger: 0.5, delay: 1 },
    },
    [
      "step 1 is too small: between threshold 1 and rate 20000 are more than 10000 steps: choose a step of at least 1.9999",
    ],
  ],
  [
    {
      rate: 5,
      per: 1,
      smoothing: { enabled: true, threshold: 6, step: 1, trigger: 0.5, delay: 1 },
    },
    ["threshold 6 is above rate 5"],
  ],
  [
    { rate: 5, per: 1, smoothing: { enabled: true, threshold: 0, step: -1, trigger: 2, delay: 0 } },
    [
      "threshold of smoothing must be a number above 0 with at most 6 decimals; got 0",
      "step of smoothing must be a number above 0 with at most 6 decimals; got -1",
      "delay of smoothing must be a number above 0 with at most 6 decimals; got 0",
      "trigger 2 is above 1, more than a whole step",
    ],
  ],
  [
    { throttle_interval: 4e9 + 0.5, throttle_retry_limit: 1 },
    ["throttle_interval must be -1 or 0 (off), or above 0 and at most 100 years"],
  ],
  [
    { throttle_interval: 1, throttle_retry_limit: 1.5 },
    ["throttle_retry_limit must be an integer of at least -1; got 1.5"],
  ],
  [
    { quota_max: 5, quota_renewal_rate: 4e9 + 0.5 },
    ["quota_renewal_rate must be -1 or 0 (off), or above 0 and at most 100 years"],
  ],
  [
    { quota_max: 1.5, quota_renewal_rate: 1 },
    ["quota_max must be an integer of at least -1; got 1.5"],
  ],
  [
    { apis: ["orders"], access_rights: {} },
    ["apis and access_rights are both present: keep one of them"],
  ],
  [{ access_rights: [] }, ["access_rights must be an object; got a list"]],
  [{ apis: "orders" }, ['apis must be a list; got "orders"']],
  [
    { apis: ["orders", 7, ""] },
    ["apis must be a list of names; got 7", 'apis must be a list of names; got ""'],
  ],
  [{ apis: ["order"] }, ['there is no API "order"; did you mean "orders"?: write "orders"']],
  [{ access_rights: { orders: 7 } }, ["an access right must be an object; got 7"]],
  [
    { key_id: "one", count: 2 },
    ["count makes several keys, which cannot share one key_id: take key_id away"],
  ],
  [{ count: 0 }, ["count must be an integer from 1 to 1000000; got 0"]],
  [{ is_inactive: "no" }, ['is_inactive must be true or false; got "no"']],
  [{ key_id: 7 }, ["key_id must be a string; got 7"]],
  [
    { ratee: 5 },
    [
      '"ratee" is not a field of a key; did you mean "rate"?: write "rate"',
      "rate 5 needs a window above 0: add per, in seconds",
    ],
  ],
  [
    { rat: "5", per: -1 },
    [
      '"rat" is not a field of a key; did you mean "rate"?: write "rate"',
      'rate must be a number; got "5": write rate: 5',
      "per must be between 1 ms and 100 years; got -1 s",
    ],
  ],
  [
    { rate: 0.5, per: "x" },
    [
      'per must be a duration; got "x": write seconds with at most 6 decimals, or text such as "10s" or "1m30s"',
      "rate 0.5 is below 1: write a longer window and an integer",
    ],
  ],
  [
    { entirely_different: 5 },
    [
      '"entirely_different" is not a field of a key: known here: key_id, rate, per, smoothing, shadow, allowance, quota_max, quota_renewal_rate, throttle_interval, throttle_retry_limit, apply_policies, apply_policy_id, access_rights, apis, count, is_inactive, expires, meta_data, hmac_enabled, enable_http_signature_validation, certificate, mtls_static_certificate_bindings',
    ],
  ],
  [
    { hmac_enabled: true },
    [
      "the gateway does not enforce hmac_enabled, so it rejects the key with 403: take hmac_enabled away",
    ],
  ],
  [
    { mtls_static_certificate_bindings: ["one"] },
    [
      "the gateway does not enforce mtls_static_certificate_bindings, so it rejects the key with 403: take mtls_static_certificate_bindings away",
    ],
  ],
  [
    { apply_policies: ["gold"], access_rights: { orders: {} } },
    [
      "the policies of the key decide its access; its own access_rights is stored only: take access_rights away",
    ],
  ],
  [
    { apply_policies: ["gold"], apis: ["orders"] },
    ["the policies of the key decide its access; its own apis is stored only: take apis away"],
  ],
  [
    { access_rights: { orders: { versions: ["v2"] } } },
    ["the gateway does not enforce versions, so it rejects the key with 403: take versions away"],
  ],
  [{ access_rights: { orders: { versions: ["Default"] } } }, []],
  [
    { access_rights: { orders: { versions: ["Default", "v2"] } } },
    ["the gateway does not enforce versions, so it rejects the key with 403: take versions away"],
  ],
  [
    { access_rights: { orders: { allowed_urls: ["Default"], field_access_rights: { a: 1 } } } },
    ["allowed_urls", "field_access_rights"].map(
      (name) =>
        `the gateway does not enforce ${name}, so it rejects the key with 403: take ${name} away`,
    ),
  ],
  [{ access_rights: { orders: { allowed_urls: [], field_access_rights: {} } } }, []],
  [
    { expires: "soon" },
    ['expires must be a Unix time in seconds, or -1 or 0 for never; got "soon"'],
  ],
  [{ expires: -2 }, ["expires must be a Unix time in seconds, or -1 or 0 for never; got -2"]],
  [{ expires: -1 }, []],
  [
    { expires: 1_700_000_000_000 },
    [
      "expires 1700000000000 is after the year 2255, so the key never expires: write seconds, not milliseconds",
    ],
  ],
  [{ count: 1 }, []],
  [{ count: 1_000_000 }, []],
  [{ count: 1_000_001 }, ["count must be an integer from 1 to 1000000; got 1000001"]],
  [{ tags: ["a", "b"] }, []],
  [
    { quota_max: Number.POSITIVE_INFINITY },
    ["quota_max must be an integer of at least -1; got Infinity"],
  ],
  [{ rate: 9007199254, per: 3_153_600_000 }, []],
  ...(["an object", "a list"] as const).map(
    (what) =>
      [
        { rate: 1, per: what === "a list" ? ["1s"] : {} },
        [
          `per must be a duration; got ${what}: write seconds with at most 6 decimals, or text such as "10s" or "1m30s"`,
        ],
      ] as const,
  ),
  [
    { rate: 5, per: "soon", smoothing: SMOOTHING },
    [
      'per must be a duration; got "soon": write seconds with at most 6 decimals, or text such as "10s" or "1m30s"',
    ],
  ],
  [
    { rate: 5, per: 1, smoothing: { threshold: 1 } },
    ["smoothing has no field enabled, so it is off: add enabled: true or enabled: false"],
  ],
  [{ rate: 5, per: 1, smoothing: { ...SMOOTHING, delay: 3_153_600_000 } }, []],
  [
    { rate: 5, per: 1, smoothing: { ...SMOOTHING, delay: 4e9 } },
    ["delay of smoothing must be a number above 0 with at most 6 decimals; got 4000000000"],
  ],
  [
    { rate: 5, per: 1, smoothing: { ...SMOOTHING, threshold: "2", step: undefined } },
    [
      'threshold of smoothing must be a number above 0 with at most 6 decimals; got "2"',
      "step of smoothing must be a number above 0 with at most 6 decimals; got nothing",
    ],
  ],
  [{ rate: 5, per: 1, smoothing: { ...SMOOTHING, step: 2 } }, []],
  [{ rate: 10_001, per: 1, smoothing: SMOOTHING }, []],
  [{ access_rights: { orders: { endpoints: [7] } } }, ["an endpoint must be an object; got 7"]],
  [
    {
      access_rights: {
        orders: {
          endpoints: [{ path: "/x", methods: [{ name: "GET", limit: { rate: 0.5, per: 1 } }] }],
        },
      },
    },
    ["rate 0.5 is below 1: write rate: 1, per: 2"],
  ],
  [
    { apply_policies: ["silver"] },
    ['there is no policy "silver", and nothing else limits this key: known: gold'],
  ],
  [
    { apply_policies: ["silver", "golden"], rate: 5, per: 1 },
    [
      'there is no policy "silver", so it is skipped: known: gold',
      'there is no policy "golden", so it is skipped; did you mean "gold"?: write "gold"',
      "none of the policies of this key is known, so the gateway refuses it with 403: list a policy that is there",
    ],
  ],
  [
    { meta_data: { rate_limit_pattern: 7 } },
    ["rate_limit_pattern must be a string; got 7: write $gw_meta.NAME or plain text, joined by |"],
  ],
  [{ throttle_interval: 3_153_600_000, throttle_retry_limit: 1 }, []],
  [
    { meta_data: { rate_limit_pattern: "team|$x" } },
    [
      'part "$x" of rate_limit_pattern is neither $gw_meta.NAME nor text without "$": write $gw_meta.NAME or plain text, joined by |',
    ],
  ],
  [{ meta_data: { rate_limit_pattern: null } }, []],
  [{ meta_data: { rate_limit_pattern: undefined } }, []],
  [{ access_rights: { orders: null, gone: {} } }, ['there is no API "gone": known: orders']],
  [
    { access_rights: { orders: { rate: 5 } } },
    ["stored, but without effect here: access_rights.orders.rate"],
  ],
  [{ tags: 7 }, ["tags must be a list of strings; got 7"]],
  [{ tags: ["a", 7] }, ["tags must be a list of strings; got a list"]],
  [{ quota_remaining: "x" }, ['quota_remaining must be an integer; got "x"']],
  [{ oauth_keys: 7 }, ["oauth_keys must be an object; got 7"]],
])("a key %j has these problems", (alice, sentences) => {
  expect(messages(withKey(alice))).toEqual(sentences);
});
