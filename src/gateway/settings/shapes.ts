// Types of values that only settings have, not fields of scenario files.
import { isFailure } from "../../kit/reading/failure.ts";
import { targetOf } from "../../limiter/world/target.ts";
import { SECOND, type Micros } from "../../kit/units.ts";
import { shape, formatValue, wholeNumber, type Shape } from "../../kit/reading/shape.ts";
import { reportReading } from "../../kit/reading/codes.ts";
import { durationIn, durationAbove0 } from "../../kit/reading/duration.ts";
import { parseRedisAddress, withoutSecret } from "../../limiter/store/redis-address.ts";

export const port = wholeNumber(0, 65_535);

/** Number of worker processes. No machine has more than 256 processors, so a larger number is a mistake. */
export const workers = wholeNumber(1, 256);

/** The largest number of bytes or connections; a larger number is a mistake. */
const MOST = 1_000_000_000;
export const count = wholeNumber(1, MOST);

export const yesOrNo: Shape<boolean> = shape("true or false", { type: "boolean" }, (value) =>
  typeof value === "boolean" ? value : undefined,
);

/** 24 days: a timer of Node can last less than 25 days, and the server adds a second to some timeouts. */
const LONGEST_TIMEOUT_US = 24 * 24 * 3_600 * SECOND;

export const timeout: Shape<Micros> = shape(
  "a duration above 0, at most 576h",
  durationAbove0.schema,
  (value) => {
    const us = durationIn(value);
    return us === undefined || us === 0 || us > LONGEST_TIMEOUT_US ? undefined : us;
  },
  'write it in us, ms, s, m or h: "1.1s", "250ms", "1m30s"',
);

export const upstream: Shape<string> = {
  called: "an http or https address, or echo",
  schema: { type: "string", pattern: "^https?://|^echo$" },
  read: (value, at, problems) => {
    if (value === "echo") return value;
    const text = typeof value === "string" ? value : formatValue(value);
    const target = targetOf(text);
    if (!isFailure(target)) return text;
    // The message must not show a password that was written in the wrong setting.
    const what = text.includes("@") ? "an address" : `${formatValue(value)},`;
    const fix = 'write "http://127.0.0.1:3000", or "echo" to let the gateway respond itself';
    return reportReading(problems, "SCN-VALUE", at, `upstream is ${what} ${target.message}`, fix);
  },
};

/** Messages about an address never show its password. */
export const storeUrl: Shape<string> = {
  called: "memory, or the address of a Redis or Valkey",
  schema: { type: "string", pattern: String.raw`^memory$|^rediss?(\+(sentinel|cluster))?://` },
  read: (value, at, problems) => {
    if (value === "memory") return value;
    const address = parseRedisAddress(typeof value === "string" ? value : formatValue(value));
    return isFailure(address)
      ? reportReading(problems, "SCN-VALUE", at, address.message, 'or "memory"')
      : (value as string);
  },
};

const SHORTEST_SECRET = 16;
const MAKE_ONE = "make one with: openssl rand -base64 24";

/** Why a secret is invalid; null: it is valid. The reason never contains the secret, which may be almost correct. */
export function findSecretProblem(
  text: string,
): { readonly what: string; readonly fix: string } | null {
  if (!/^[!-~]+$/.test(text))
    return {
      what: "is not a string of printable ASCII without blanks",
      fix: "quote it where it is a number",
    };
  if (text.length >= SHORTEST_SECRET) return null;
  return { what: `has fewer than ${SHORTEST_SECRET} letters, and could be guessed`, fix: MAKE_ONE };
}

/** A secret that requests send in a header, where characters outside printable ASCII might be changed. */
export const secret: Shape<string> = {
  called: `a string of at least ${SHORTEST_SECRET} letters of printable ASCII without blanks`,
  schema: { type: "string", pattern: `^[!-~]{${SHORTEST_SECRET},}$` },
  read: (value, at, problems) => {
    const problem = findSecretProblem(typeof value === "string" ? value : "");
    return problem === null
      ? (value as string)
      : reportReading(problems, "SCN-VALUE", at, `this ${problem.what}`, problem.fix);
  },
};

/** The prefix of names in the store. In a Redis cluster, a brace in the prefix would change the slots of budgets. */
export const prefix: Shape<string> = shape(
  "a string without braces",
  { type: "string", pattern: "^[^{}]+$" },
  (value) => (typeof value === "string" && /^[^{}]+$/.test(value) ? value : undefined),
);

const POSTGRES =
  /^postgres(?:ql)?:\/\/(?:[^@/?#]*@)?(?:\[[0-9a-fA-F:.]+\]|[^@:/?#[\]]+)(?::\d{1,5})?\/[^/?#]+(?:\?[^#]*)?$/;
const NAMED_STORAGE: readonly string[] = ["sqlite", "memory", "off"];

export const isPostgres = (records: string): boolean => records.startsWith("postgres");

export const records: Shape<string> = {
  called: "sqlite, memory, off, or the address of a PostgreSQL",
  schema: { type: "string", pattern: String.raw`^(sqlite|memory|off)$|^postgres(ql)?://` },
  read: (value, at, problems) => {
    if (typeof value === "string" && (NAMED_STORAGE.includes(value) || POSTGRES.test(value)))
      return value;
    const what = typeof value === "string" ? `"${withoutSecret(value)}"` : formatValue(value);
    const fix = 'write "sqlite", "memory", "off" or "postgres://USER:PASSWORD@HOST:PORT/NAME"';
    return reportReading(problems, "SCN-VALUE", at, `${what} is not ${records.called}`, fix);
  },
};

/** The largest number of items on one page. */
export const pageSize = wholeNumber(1, 1_000);

/** The prefix of a management API's paths. It may be the root, if the API has its own port. */
export const base: Shape<string> = shape(
  "a path that begins with a slash and does not end in one",
  { type: "string", pattern: "^/$|^(/[A-Za-z0-9._~-]+)+$" },
  (value) =>
    typeof value === "string" && /^\/$|^(?:\/[A-Za-z0-9._~-]+)+$/.test(value) ? value : undefined,
  'write a path such as "/manage"',
);

/** The path of a health check. */
export const urlPath: Shape<string> = shape(
  "a path that begins with a slash",
  { type: "string", pattern: "^/[!-~]*$" },
  (value) => (typeof value === "string" && /^\/[!-~]*$/.test(value) ? value : undefined),
  'write a path such as "/healthz"',
);

export const SHORTEST_KEY = 32;

/** Messages never show an invalid key, because it may be almost the correct one. */
export const installationKey: Shape<string> = {
  called: `at least ${SHORTEST_KEY} letters of printable ASCII without blanks`,
  schema: { type: "string", pattern: `^[!-~]{${SHORTEST_KEY},}$` },
  read: (value, at, problems) =>
    typeof value === "string" && /^[!-~]*$/.test(value) && value.length >= SHORTEST_KEY
      ? value
      : reportReading(
          problems,
          "SCN-VALUE",
          at,
          `this is not ${installationKey.called}`,
          "make one with: openssl rand -base64 32",
        ),
};

/** A private network and a port that webhooks may use. `allowed-receivers.node.ts` parses the network. */
export const allowed: Shape<string> = shape(
  "a network and a port",
  { type: "string", pattern: String.raw`^([0-9./]+|\[[0-9a-fA-F:./]+\]):(\d{1,5}|\*)$` },
  (value) =>
    typeof value === "string" && /^(?:[0-9./]+|\[[0-9a-fA-F:./]+\]):(?:\d{1,5}|\*)$/.test(value)
      ? value
      : undefined,
  'write "10.0.0.0/8:443", "[fd00::/8]:443", or "127.0.0.1:*"',
);
