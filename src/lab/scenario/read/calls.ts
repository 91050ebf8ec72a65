// Requests to the management APIs: the operation, the credential, and the body.
import type { Path, Problem } from "../../../kit/reading/problems.ts";
import type { Micros } from "../../../kit/units.ts";
import { record } from "../../../kit/reading/record.ts";
import {
  anything,
  isJsonMap,
  isNear,
  mapOf,
  oneOf,
  optional,
  reportName,
  mandatory,
  formatValue,
  text,
  wholeNumber,
  type Fields,
  type Shape,
  type Values,
  type Json,
} from "../../../kit/reading/shape.ts";
import { scn } from "./codes.ts";
import { name } from "./traffic-shapes.ts";
import { CALL_CREDENTIALS, type ManagementCall } from "../types.ts";
import { MANAGEMENT_INTERFACES, type ManagementInterface } from "../world.ts";
import { checkMethod, type Send } from "./values.ts";
import { duration } from "../../../kit/reading/duration.ts";

/** The management API, by the first two parts of a path. */
const INTERFACE_OF: Readonly<Record<string, ManagementInterface>> = {
  "admin/org": "admin",
  "api/apis": "dashboard",
  "api/portal": "dashboard",
  "api/users": "dashboard",
  "api/v1": "studio",
  "api/profiles": "broker",
  "portal-api/webhooks": "portal",
};

const CALL = /^([A-Z]+) ([^\s/]\S*)$/;

const callShape: Shape<Send> = {
  called: "a method and a path after the interface's base",
  schema: { type: "string", pattern: CALL.source },
  read: (value, at, problems) => {
    const [, method, path] = CALL.exec(typeof value === "string" ? value : "") ?? [];
    if (method === undefined || path === undefined)
      return scn(
        problems,
        "SCN-VALUE",
        at,
        `${formatValue(value)} is not a method and a path after the interface's base`,
        'write "PUT admin/org/keys/alice": the method in capitals, a space, the path without a slash before it',
      );
    return checkMethod({ method, path }, at, problems);
  },
};

const MOST_BYTES = 16_777_216;

const ifMatch: Shape<string> = {
  called: "a version",
  schema: { type: ["integer", "string"] },
  read: (value, at, problems) =>
    typeof value === "number" ? `"${value}"` : text.read(value, at, problems),
};

export const CALL_FIELDS = {
  name: optional(name, null, "Its name in expectations. Left out: the text of `call`."),
  call: mandatory(
    callShape,
    "Method and path, as the specification has them: `PUT admin/org/keys/alice`.",
  ),
  on: optional(
    oneOf(MANAGEMENT_INTERFACES),
    null,
    "Which interface is called. Left out: the interface that has such paths.",
  ),
  at: optional(duration, 0 as Micros, "The time of the call. Requests at the same time follow it."),
  as: optional(
    oneOf(CALL_CREDENTIALS),
    "valid",
    "Which credential it sends: a valid one of its interface, an invalid one, an empty one or none.",
  ),
  headers: optional(
    mapOf(text),
    {},
    "More headers. The default Content-Type of a body is application/json.",
  ),
  if_match: optional(ifMatch, null, "The version to change, such as 1, or `*`: a header If-Match."),
  body: optional(anything, null, "The body of the request, as JSON."),
  raw: optional(text, null, "The body as a string, if it has to be exact, or no JSON."),
  size: optional(
    wholeNumber(1, MOST_BYTES),
    null,
    "The body is padded with blanks to this many bytes.",
  ),
} as const satisfies Fields;

const written = record("a call", CALL_FIELDS);

export const CALL_EXAMPLES: readonly string[] = [
  "{ at: 5s, name: raise, call: PUT admin/org/keys/alice, body: { rate: 7 }, if_match: 1 }",
  "{ name: nonsense, call: POST api/users/search, raw: nonsense, as: invalid }",
];

/** Whether an item of traffic is a call, even with a misspelt `call`: then messages list the fields of calls. */
export const isCall = (value: Json): boolean =>
  isJsonMap(value) &&
  (Object.hasOwn(value, "call") ||
    (!Object.hasOwn(value, "send") && Object.keys(value).some((each) => isNear(each, ["call"]))));

export const call: Shape<ManagementCall> = {
  called: written.called,
  schema: written.schema,
  ...(written.fields === undefined ? {} : { fields: written.fields }),
  read: (value, at, problems) => {
    const read = written.read(value, at, problems);
    if (read === undefined) return undefined;
    const on = read.on ?? interfaceOf(read.call.path, [...at, "call"], problems);
    const body = bodyOf(read, isJsonMap(value) && Object.hasOwn(value, "body"), at, problems);
    if (on === undefined || body === undefined) return undefined;
    const { method, path } = read.call;
    return {
      name: read.name ?? `${method} ${path}`,
      on,
      method,
      path: `/${path}`,
      as: read.as,
      headers: {
        ...(body === null ? {} : { "Content-Type": "application/json" }),
        ...(read.if_match === null ? {} : { "If-Match": read.if_match }),
        ...read.headers,
      },
      body,
      atUs: read.at,
    };
  },
};

function interfaceOf(path: string, at: Path, problems: Problem[]): ManagementInterface | undefined {
  const begins = path.split(/[?#]/, 1)[0]!.split("/").slice(0, 2).join("/");
  return (
    INTERFACE_OF[begins] ??
    reportName(
      problems,
      "SCN-NAME",
      at,
      `no interface has paths that begin with "${begins}"`,
      begins,
      Object.keys(INTERFACE_OF),
      `write on: and one of ${MANAGEMENT_INTERFACES.join(", ")}`,
    )
  );
}

function bodyOf(
  { body, raw, size }: Values<typeof CALL_FIELDS>,
  hasBody: boolean,
  at: Path,
  problems: Problem[],
): string | null | undefined {
  if (hasBody && raw !== null)
    return scn(problems, "SCN-ONE-OF", [...at, "raw"], '"body" and "raw" exclude each other');
  const sent = hasBody ? JSON.stringify(body) : raw;
  if (size === null) return sent;
  const bytes = encodeURIComponent(sent ?? "").replaceAll(/%../g, "x").length; // length in UTF-8
  return size >= bytes
    ? (sent ?? "") + " ".repeat(size - bytes)
    : scn(
        problems,
        "SCN-VALUE",
        [...at, "size"],
        `the body has ${bytes} bytes, so it cannot be padded to ${size}`,
      );
}
