// The doors of the admin listener, for as long as there are only these.
import { parseAddress } from "../core/address.ts";
import type { Problem } from "../reading/problems.ts";
import type { DryRun, DryRunRequest } from "../gateway/dry-run.ts";
import { MOST_SHOWN, readJson } from "../management/json.ts";
import { record } from "../reading/record.ts";
import { mapOf, optional, required, shape, text, type Json } from "../reading/shape.ts";
import { adminError, adminJson, type AdminRoute } from "../management/http/doors.node.ts";
import { credentialIn, hasTwoCredentials } from "../gateway/credential.ts";
import { reload, type Reloading } from "./reload.node.ts";

const LOOPBACK = "127.0.0.1";

const target = shape(
  "a path that begins with a slash",
  { type: "string", pattern: "^/" },
  (value) => (typeof value === "string" && value.startsWith("/") ? value : undefined),
);

const address = shape("an address", { type: "string" }, (value) =>
  typeof value === "string" && parseAddress(value) !== null ? value : undefined,
);

const asking = record("a dry run", {
  path: required(target, "What the request asks for, with its query if it has one."),
  method: optional(text, "GET", "Its method."),
  key: optional(text, null, "The id of the key that it comes with."),
  credential: optional(text, null, "What it shows as its credential, instead of the id."),
  headers: optional(mapOf(text), {}, "Its headers; Authorization or X-API-Key is its credential."),
  address: optional(address, LOOPBACK, "Where its client is, behind trusted proxies."),
});

export const reloadRoute = (reloading: Reloading): AdminRoute => ({
  method: "POST",
  path: "/admin/reload",
  respond: async () => {
    const reloaded = await reload(reloading);
    if ("meta" in reloaded) {
      const { meta } = reloaded;
      const late = meta.workers?.pending.length ?? 0;
      if (late === 0) return adminJson(200, { Status: "OK", Message: "reloaded", Meta: meta });
      const of = late + meta.workers!.reloaded.length;
      const Message = `reloaded, but ${late} of ${of} processes may still serve the old configuration`;
      return adminJson(202, { Status: "OK", Message, Meta: meta });
    }
    if ("failure" in reloaded) return adminError(500, `The ${reloaded.failure}`);
    const problems = reloaded.faults.join("\n");
    return adminError(
      400,
      `The new configuration is refused, and the old one stays in force: ${problems}`,
    );
  },
});

export const dryRunRoute = (
  dryRun: (asked: DryRunRequest) => Promise<DryRun | null>,
): AdminRoute => ({
  method: "POST",
  path: "/admin/dry-run",
  respond: async (body) => {
    const asked = dryRunRequest(body);
    if (typeof asked === "string") return adminError(400, asked);
    const said = await dryRun(asked);
    return said === null ? adminError(503, "No gateway answers; try again") : adminJson(200, said);
  },
});

/** A request that is served has a head of 16 KiB (`limits.header_bytes`), which JSON may write with escapes. */
const MOST_LETTERS = 65_536;
const MOST_VALUES = 500;

/** A text says what is wrong with it, the first faults by their paths (MGT-C1). */
function dryRunRequest(body: string): DryRunRequest | string {
  if (body.length > MOST_LETTERS)
    return `The body has ${body.length} letters, and a dry run has at most ${MOST_LETTERS}: shorten the path or the headers`;
  const problems: Problem[] = [];
  const read = readJson(body, MOST_VALUES, "leave out headers that decide nothing");
  if ("problems" in read) problems.push(...read.problems);
  const asked =
    problems.length > 0 ? undefined : asking.read(JSON.parse(body) as Json, [], problems);
  if (problems.some(({ code }) => code === "JSN-SYNTAX")) return "The body is not JSON";
  if (asked === undefined) return firstOf(problems).join("\n");
  const { key, method, path } = asked;
  const shown = Object.entries(asked.headers);
  const headers = Object.fromEntries(shown.map(([name, value]) => [name.toLowerCase(), value]));
  if (hasTwoCredentials(shown.flat()))
    return "headers show a credential twice, under one name in two spellings; leave one of them";
  const fromHeaders = credentialIn(headers);
  const said = [key, asked.credential, fromHeaders].filter((each) => each !== null);
  if (said.length > 1) return "key, credential and the headers say who asks; one of them is enough";
  const credential = asked.credential ?? fromHeaders;
  return { method, path, key, credential, headers, address: asked.address };
}

const firstOf = (problems: readonly Problem[]): readonly string[] => [
  ...problems.slice(0, MOST_SHOWN).map(sentence),
  ...(problems.length > MOST_SHOWN ? ["and more"] : []),
];

const sentence = ({ path, message, fix }: Problem): string =>
  `${path.length === 0 ? "The body" : path.join(".")}: ${message}${fix === "" || message.endsWith("?") ? "" : `; ${fix}`}`;
