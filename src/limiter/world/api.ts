// Reads one API, and finds out its form: short form, classic definition, or OAS document.
import type { ApiDefinition, GatewayOptions, OmittedLimit } from "../core/config.ts";
import type { Limit } from "../core/limit.ts";
import type { Path, Problem } from "../../kit/reading/problems.ts";
import { readClassic } from "./classic.ts";
import { readEntries, warnRepeated, readGlobalRateLimit } from "./endpoints.ts";
import { readLimit } from "./limit.ts";
import { keyByIn } from "./key-by.ts";
import { listenPathOf } from "./listen-path.ts";
import { DEFAULT_OPTIONS } from "./options.ts";
import {
  MARKS_OF_A_CLASSIC_API,
  SHORT_API,
  WRAPPED_DEFINITION,
  WRAPPED_OAS,
} from "./api-members.ts";
import { readOas } from "./oas.ts";
import {
  has,
  isObject,
  note,
  noteAt,
  open,
  findingsOfPasted,
  reportUnused,
  show,
  strictFindings,
  type PlacedObject,
} from "./place.ts";
import { targetsIn } from "./target.ts";
import { booleanIn, orElse, textIn } from "./values.ts";

const carries = (raw: Readonly<Record<string, unknown>>, name: string): boolean =>
  Object.hasOwn(raw, name);

export function readApi(
  name: string,
  raw: unknown,
  path: Path,
  problems: Problem[],
  options: GatewayOptions = DEFAULT_OPTIONS,
): ApiDefinition | null {
  if (!isObject(raw)) {
    note(problems, "CFG-TYPE", path, `an API must be an object; got ${show(raw)}`);
    return null;
  }
  if (carries(raw, "openapi")) {
    return isObject(raw["openapi"])
      ? readWrapped(name, raw, path, problems, options, "openapi")
      : readPasted(name, raw, path, problems, options, null);
  }
  // A classic definition may have a field `definition`, so its other characteristic fields are tested first.
  if (MARKS_OF_A_CLASSIC_API.some((mark) => carries(raw, mark))) {
    return readPasted(name, raw, path, problems, options, null);
  }
  if (carries(raw, "definition"))
    return readWrapped(name, raw, path, problems, options, "definition");
  const place = open(raw, path, strictFindings(problems, path), SHORT_API);
  return place === null ? null : readShort(name, place, options);
}

function readWrapped(
  name: string,
  raw: Readonly<Record<string, unknown>>,
  path: Path,
  problems: Problem[],
  options: GatewayOptions,
  form: "definition" | "openapi",
): ApiDefinition | null {
  const table = form === "openapi" ? WRAPPED_OAS : WRAPPED_DEFINITION;
  const wrapper = open(raw, path, strictFindings(problems, path), table);
  return readPasted(name, raw[form], [...path, form], problems, options, wrapper);
}

function readPasted(
  name: string,
  raw: unknown,
  path: Path,
  problems: Problem[],
  options: GatewayOptions,
  wrapper: PlacedObject | null,
): ApiDefinition | null {
  const findings = findingsOfPasted(problems, path);
  const isOas = isObject(raw) && carries(raw, "openapi");
  const api = isOas
    ? readOas(name, raw, path, findings, wrapper, options)
    : readClassic(name, raw, path, findings, wrapper, options);
  reportUnused(findings);
  return api;
}

function readShort(
  name: string,
  place: PlacedObject,
  options: GatewayOptions,
): ApiDefinition | null {
  const leftOut: OmittedLimit[] = [];
  const endpoints = readEntries(place, "endpoints", leftOut);
  warnRepeated(place, endpoints, options);
  const listenPath = listenPathOf(place, [[place, "listen"]]);
  const api = {
    id: name,
    name: textIn(place, "name") ?? name,
    active: orElse(booleanIn(place, "active"), true),
    keyless: orElse(booleanIn(place, "keyless"), false),
    disableRateLimit: orElse(booleanIn(place, "disable_rate_limit"), false),
    globalRateLimit: shortGlobalLimit(place, leftOut),
    endpoints: endpoints.map(({ limit }) => limit),
    ...targetsIn(place, "target"),
    stripListenPath: orElse(booleanIn(place, "strip_listen_path"), false),
    form: "classic" as const,
    ...keyByIn([place]),
    ...(leftOut.length > 0 && { leftOut }),
  };
  return listenPath === null ? null : { ...api, listenPath };
}

/** `rate` and `per` of the short form are a shorter way to write `global_rate_limit`. */
function shortGlobalLimit(place: PlacedObject, leftOut: OmittedLimit[]): Limit | null {
  const short = readLimit(place, { smoothing: null, per: "world" });
  if (has(place, "global_rate_limit") && (has(place, "rate") || has(place, "per"))) {
    const message = "rate with per and global_rate_limit both set the limit of the API";
    noteAt(place, "global_rate_limit", "CFG-CONFLICT", message, "keep one of them");
  }
  return has(place, "global_rate_limit") ? readGlobalRateLimit(place, leftOut) : short;
}
