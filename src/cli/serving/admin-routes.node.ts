// The doors of the admin listener, for as long as there are only these.
import { parseAddress } from "../../core/address.ts";
import type { Problem } from "../../core/problems.ts";
import type { DryRun, DryRunRequest } from "../../gateway/dry-run.ts";
import { LOOPBACK } from "../../scenario/history.ts";
import { record } from "../../scenario/read/record.ts";
import { mapOf, optional, required, shape, text } from "../../scenario/read/shape.ts";
import type { Json } from "../../scenario/types.ts";
import { adminError, adminJson, type AdminRoute } from "../../servers/doors.node.ts";
import { credentialIn, hasTwoCredentials } from "../../gateway/credential.ts";
import { reload, type Reloading } from "./reload.node.ts";

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
  answer: async () => {
    const { faults, meta } = await reload(reloading);
    return faults.length === 0
      ? adminJson(200, { Status: "OK", Message: "reloaded", Meta: meta })
      : adminError(400, `The new configuration is refused: ${faults.join("\n")}`);
  },
});

export const dryRunRoute = (
  dryRun: (asked: DryRunRequest) => Promise<DryRun | null>,
): AdminRoute => ({
  method: "POST",
  path: "/admin/dry-run",
  answer: async (body) => {
    const asked = dryRunRequest(body);
    if (typeof asked === "string") return adminError(400, asked);
    const said = await dryRun(asked);
    return said === null ? adminError(503, "No gateway answers; try again") : adminJson(200, said);
  },
});

/** A text says everything that is wrong with it, each by its path (MGT-C1). */
function dryRunRequest(body: string): DryRunRequest | string {
  let raw: Json;
  try {
    raw = JSON.parse(body) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) return "The body is not JSON";
    throw error;
  }
  const problems: Problem[] = [];
  const asked = asking.read(raw, [], problems);
  if (asked === undefined) return problems.map(sentence).join("\n");
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

const sentence = ({ path, message, fix }: Problem): string =>
  `${path.length === 0 ? "The body" : path.join(".")}: ${message}${fix === "" || message.endsWith("?") ? "" : `; ${fix}`}`;
