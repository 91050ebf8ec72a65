// What the settings of a process may hold beyond what scenario files know.
import { targetOf } from "../core/read/target.ts";
import { scn, shape, shown, wholeNumber, type Shape } from "../scenario/read/shape.ts";
import { isProblem, redisAddress } from "../store/redis-address.ts";

export const port = wholeNumber(0, 65_535);

/** More processes than any machine has processors for are a slip of the hand. */
export const workers = wholeNumber(1, 256);

/** No number of bytes or connections can be larger than this and be meant. */
const MOST = 1_000_000_000;
export const count = wholeNumber(1, MOST);

export const yesOrNo: Shape<boolean> = shape("true or false", { type: "boolean" }, (value) =>
  typeof value === "boolean" ? value : undefined,
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
    return scn(problems, "SCN-VALUE", at, `upstream is ${what} ${target}`, fix);
  },
};

/** What is said of a bad address never shows the password in it. */
export const storeUrl: Shape<string> = {
  called: "memory, or the address of a Redis or Valkey",
  schema: { type: "string", pattern: String.raw`^memory$|^rediss?(\+(sentinel|cluster))?://` },
  read: (value, at, problems) => {
    if (value === "memory") return value;
    const address = redisAddress(typeof value === "string" ? value : shown(value));
    return isProblem(address)
      ? scn(problems, "SCN-VALUE", at, address.problem, 'or "memory"')
      : (value as string);
  },
};

/** What a header cannot carry as it stands could never be said. A wrong one may be nearly right: it is not shown. */
export const secret: Shape<string> = {
  called: "a text of printable ASCII without blanks",
  schema: { type: "string", pattern: "^[!-~]+$" },
  read: (value, at, problems) =>
    typeof value === "string" && /^[!-~]+$/.test(value)
      ? value
      : scn(
          problems,
          "SCN-VALUE",
          at,
          `this is not ${secret.called}`,
          "quote it where it is a number",
        ),
};

/** A brace would decide in which slot of a cluster a budget lies. */
export const prefix: Shape<string> = shape(
  "a text without braces",
  { type: "string", pattern: "^[^{}]+$" },
  (value) => (typeof value === "string" && /^[^{}]+$/.test(value) ? value : undefined),
);
