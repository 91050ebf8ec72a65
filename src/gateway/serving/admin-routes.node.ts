// The routes of the admin listener: reload and dry run.
import { parseAddress } from "../../limiter/core/address.ts";
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import { withFix } from "../../kit/reading/problem-line.ts";
import type { Problem } from "../../kit/reading/problems.ts";
import type { DryRun, DryRunRequest } from "../dry-run.ts";
import { MOST_SHOWN, readJson } from "../management/json.ts";
import { record } from "../../kit/reading/record.ts";
import { mapOf, optional, mandatory, shape, text, type Json } from "../../kit/reading/shape.ts";
import { adminError, adminJson, type AdminRoute } from "../management/http/admin-routes.node.ts";
import { credentialIn, hasTwoCredentials } from "../credential.ts";
import { RejectedConfiguration, reload, type Reloading } from "./reload.node.ts";

const LOOPBACK = "127.0.0.1";

const target = shape(
  "a path that begins with a slash",
  { type: "string", pattern: "^/" },
  (value) => (typeof value === "string" && value.startsWith("/") ? value : undefined),
);

const address = shape("an address", { type: "string" }, (value) =>
  typeof value === "string" && parseAddress(value) !== null ? value : undefined,
);

const dryRunShape = record("a dry run", {
  path: mandatory(target, "The path of the request, with its query if it has one."),
  method: optional(text, "GET", "Its method."),
  key: optional(text, null, "The id of its key."),
  credential: optional(text, null, "Its credential, instead of the id."),
  headers: optional(mapOf(text), {}, "Its headers; Authorization or X-API-Key is its credential."),
  address: optional(address, LOOPBACK, "The address of its client, before trusted proxies."),
});

export const reloadRoute = (reloading: Reloading): AdminRoute => ({
  method: "POST",
  path: "/admin/reload",
  respond: async () => {
    const reloaded = await reload(reloading);
    if (reloaded instanceof RejectedConfiguration)
      return adminError(
        400,
        `The new configuration is rejected, and the old one stays in effect: ${reloaded.message}`,
      );
    if (isFailure(reloaded)) return adminError(500, `The ${reloaded.message}`);
    const late = reloaded.workers?.pending.length ?? 0;
    if (late === 0) return adminJson(200, { Status: "OK", Message: "reloaded", Meta: reloaded });
    const of = late + reloaded.workers!.reloaded.length;
    const Message = `reloaded, but ${late} of ${of} processes may still serve the old configuration`;
    return adminJson(202, { Status: "OK", Message, Meta: reloaded });
  },
});

export const dryRunRoute = (
  dryRun: (request: DryRunRequest) => Promise<DryRun | null>,
): AdminRoute => ({
  method: "POST",
  path: "/admin/dry-run",
  respond: async (body) => {
    const request = dryRunRequest(body);
    if (isFailure(request)) return adminError(400, request.message);
    const result = await dryRun(request);
    return result === null
      ? adminError(503, "No gateway responds; try again")
      : adminJson(200, result);
  },
});

/** The most characters of a dry run's body: 16 KiB of headers (`limits.header_bytes`), and room for JSON escapes. */
const MOST_LETTERS = 65_536;
const MOST_VALUES = 500;

/** Decodes a dry run's body. A failure lists the first problems with their paths (MGT-C1). */
function dryRunRequest(body: string): DryRunRequest | Failure {
  if (body.length > MOST_LETTERS)
    return new Failure(
      `The body has ${body.length} characters, and a dry run accepts at most ${MOST_LETTERS}: shorten the path or the headers`,
    );
  const parsed = readJson(body, MOST_VALUES, "leave out headers that decide nothing");
  const problems: Problem[] = [...parsed.problems];
  const fields =
    problems.length > 0 ? undefined : dryRunShape.read(JSON.parse(body) as Json, [], problems);
  if (problems.some(({ code }) => code === "JSN-SYNTAX"))
    return new Failure("The body is not JSON");
  if (fields === undefined) return new Failure(...formatProblems(problems));
  const { key, method, path } = fields;
  const entries = Object.entries(fields.headers);
  const headers = Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
  if (hasTwoCredentials(entries.flat()))
    return new Failure("the same credential header is given in two spellings; remove one of them");
  const fromHeaders = credentialIn(headers);
  const identities = [key, fields.credential, fromHeaders].filter((each) => each !== null);
  if (identities.length > 1)
    return new Failure(
      "the request has more than one of: key, credential, a header with a credential; keep one",
    );
  const credential = fields.credential ?? fromHeaders;
  return { method, path, key, credential, headers, address: fields.address };
}

const formatProblems = (problems: readonly Problem[]): readonly string[] => [
  ...problems.slice(0, MOST_SHOWN).map(formatByPath),
  ...(problems.length > MOST_SHOWN ? ["and more"] : []),
];

const formatByPath = ({ path, message, fix }: Problem): string =>
  `${path.length === 0 ? "The body" : path.join(".")}: ${withFix({ message, fix })}`;
