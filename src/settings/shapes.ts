// What the settings of a process may hold beyond what scenario files know.
import { targetOf } from "../world/target.ts";
import { SECOND, type Micros } from "../core/units.ts";
import { shape, shown, wholeNumber, type Shape } from "../reading/shape.ts";
import { reportReading } from "../reading/codes.ts";
import { durationIn, someTime } from "../reading/duration.ts";
import { isProblem, parseRedisAddress, withoutSecret } from "../store/redis-address.ts";

export const port = wholeNumber(0, 65_535);

/** More processes than any machine has processors for are a slip of the hand. */
export const workers = wholeNumber(1, 256);

/** No number of bytes or connections can be larger than this and be meant. */
const MOST = 1_000_000_000;
export const count = wholeNumber(1, MOST);

export const yesOrNo: Shape<boolean> = shape("true or false", { type: "boolean" }, (value) =>
  typeof value === "boolean" ? value : undefined,
);

/** 24 days: Node's timers hold less than 25, and the server adds a second to some. */
const LONGEST_TIMEOUT_US = 24 * 24 * 3_600 * SECOND;

export const timeout: Shape<Micros> = shape(
  "a duration above 0, at most 576h",
  someTime.schema,
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
    const text = typeof value === "string" ? value : shown(value);
    const target = targetOf(text);
    if (typeof target !== "string") return text;
    // A password that stands there by mistake is not for the eyes of whoever reads the message.
    const what = text.includes("@") ? "an address" : `${shown(value)},`;
    const fix = 'write "http://127.0.0.1:3000", or "echo" to be answered by the gateway itself';
    return reportReading(problems, "SCN-VALUE", at, `upstream is ${what} ${target}`, fix);
  },
};

/** What is said of a bad address never shows the password in it. */
export const storeUrl: Shape<string> = {
  called: "memory, or the address of a Redis or Valkey",
  schema: { type: "string", pattern: String.raw`^memory$|^rediss?(\+(sentinel|cluster))?://` },
  read: (value, at, problems) => {
    if (value === "memory") return value;
    const address = parseRedisAddress(typeof value === "string" ? value : shown(value));
    return isProblem(address)
      ? reportReading(problems, "SCN-VALUE", at, address.problem, 'or "memory"')
      : (value as string);
  },
};

export const SHORTEST_SECRET = 16;
const MAKE_ONE = "make one with: openssl rand -base64 24";

/** What is wrong with a secret, wherever it is set; null: nothing. A wrong one may be nearly right: it is not shown. */
export function weakness(text: string): { readonly what: string; readonly fix: string } | null {
  if (!/^[!-~]+$/.test(text))
    return {
      what: "is not a string of printable ASCII without blanks",
      fix: "quote it where it is a number",
    };
  if (text.length >= SHORTEST_SECRET) return null;
  return { what: `has fewer than ${SHORTEST_SECRET} letters, and could be guessed`, fix: MAKE_ONE };
}

/** What a header cannot carry as it stands could never be said. */
export const secret: Shape<string> = {
  called: `a string of at least ${SHORTEST_SECRET} letters of printable ASCII without blanks`,
  schema: { type: "string", pattern: `^[!-~]{${SHORTEST_SECRET},}$` },
  read: (value, at, problems) => {
    const wrong = weakness(typeof value === "string" ? value : "");
    return wrong === null
      ? (value as string)
      : reportReading(problems, "SCN-VALUE", at, `this ${wrong.what}`, wrong.fix);
  },
};

/** A brace would decide in which slot of a cluster a budget lies. */
export const prefix: Shape<string> = shape(
  "a string without braces",
  { type: "string", pattern: "^[^{}]+$" },
  (value) => (typeof value === "string" && /^[^{}]+$/.test(value) ? value : undefined),
);

const POSTGRES =
  /^postgres(?:ql)?:\/\/(?:[^@/?#]*@)?(?:\[[0-9a-fA-F:.]+\]|[^@:/?#[\]]+)(?::\d{1,5})?\/[^/?#]+(?:\?[^#]*)?$/;
const PLACES: readonly string[] = ["sqlite", "memory", "off"];

export const isPostgres = (records: string): boolean => records.startsWith("postgres");

export const records: Shape<string> = {
  called: "sqlite, memory, off, or the address of a PostgreSQL",
  schema: { type: "string", pattern: String.raw`^(sqlite|memory|off)$|^postgres(ql)?://` },
  read: (value, at, problems) => {
    if (typeof value === "string" && (PLACES.includes(value) || POSTGRES.test(value))) return value;
    const what = typeof value === "string" ? `"${withoutSecret(value)}"` : shown(value);
    const fix = 'write "sqlite", "memory", "off" or "postgres://USER:PASSWORD@HOST:PORT/NAME"';
    return reportReading(problems, "SCN-VALUE", at, `${what} is not ${records.called}`, fix);
  },
};

/** The largest list that still is an answer and not a download. */
export const pageSize = wholeNumber(1, 1_000);

/** Behind which an interface's own paths stand; the root is one where its port is its own. */
export const base: Shape<string> = shape(
  "a path that begins with a slash and does not end in one",
  { type: "string", pattern: "^/$|^(/[A-Za-z0-9._~-]+)+$" },
  (value) =>
    typeof value === "string" && /^\/$|^(?:\/[A-Za-z0-9._~-]+)+$/.test(value) ? value : undefined,
  'write "/manage", say',
);

/** What an upstream is asked for. */
export const askedPath: Shape<string> = shape(
  "a path that begins with a slash",
  { type: "string", pattern: "^/[!-~]*$" },
  (value) => (typeof value === "string" && /^\/[!-~]*$/.test(value) ? value : undefined),
  'write "/healthz", say',
);

export const SHORTEST_KEY = 32;

/** Never shown: a wrong one may be nearly right. */
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

/** Whether the network is one is for whoever knows addresses. */
export const allowed: Shape<string> = shape(
  "a network and a port",
  { type: "string", pattern: String.raw`^([0-9./]+|\[[0-9a-fA-F:./]+\]):(\d{1,5}|\*)$` },
  (value) =>
    typeof value === "string" && /^(?:[0-9./]+|\[[0-9a-fA-F:./]+\]):(?:\d{1,5}|\*)$/.test(value)
      ? value
      : undefined,
  'write "10.0.0.0/8:443", "[fd00::/8]:443", or "127.0.0.1:*"',
);
