// Reads the classic API definition, as the specification and its users write it (EPT-3, LIM-7, LIM-9).
import type { ApiDefinition, GatewayOptions, OmittedLimit } from "../core/config.ts";
import type { Path } from "../../kit/reading/problems.ts";
import { readEntries, warnRepeated, type PlacedLimit, readGlobalRateLimit } from "./endpoints.ts";
import { keyByIn } from "./key-by.ts";
import { listenPathOf } from "./listen-path.ts";
import { CLASSIC_API, EXTENDED_PATHS, PROXY, VERSION, VERSION_DATA } from "./api-members.ts";
import {
  at,
  has,
  isObject,
  member,
  noteAt,
  open,
  openMember,
  show,
  type Findings,
  type PlacedObject,
} from "./place.ts";
import { targetFrom } from "./target.ts";
import { booleanIn, orElse, textIn } from "./values.ts";

export function readClassic(
  name: string,
  raw: unknown,
  path: Path,
  findings: Findings,
  wrapper: PlacedObject | null,
  options: GatewayOptions,
): ApiDefinition | null {
  const place = open(raw, path, findings, CLASSIC_API);
  if (place === null) return null;
  const proxy = openMember(place, "proxy", PROXY);
  const listenPath = listenPathOf(place, [
    [proxy, "listen_path"],
    [place, "listen"],
    [wrapper, "listen"],
  ]);
  const leftOut: OmittedLimit[] = [];
  const endpoints = [...readExtendedPaths(place, leftOut), ...versions(place, leftOut)];
  warnRepeated(place, endpoints, options);
  const api = {
    id: textIn(place, "api_id") ?? textIn(place, "id") ?? name,
    name: textIn(place, "name") ?? name,
    active: orElse(booleanIn(place, "active"), true),
    keyless: orElse(booleanIn(place, "use_keyless"), false),
    disableRateLimit: orElse(booleanIn(place, "disable_rate_limit"), false),
    globalRateLimit: readGlobalRateLimit(place, leftOut),
    endpoints: endpoints.map(({ limit }) => limit),
    ...targetFrom([proxy, "target_url"], wrapper),
    stripListenPath: proxy !== null && orElse(booleanIn(proxy, "strip_listen_path"), false),
    form: "classic" as const,
    ...keyByIn([place, wrapper]),
    ...(leftOut.length > 0 && { leftOut }),
  };
  return listenPath === null ? null : { ...api, listenPath };
}

function readExtendedPaths(place: PlacedObject, leftOut: OmittedLimit[]): readonly PlacedLimit[] {
  const extended = openMember(place, "extended_paths", EXTENDED_PATHS);
  return extended === null ? [] : readEntries(extended, "rate_limit", leftOut);
}

/** The gateway does not distinguish versions of an API, so the entries of every version apply, in their order. */
function versions(place: PlacedObject, leftOut: OmittedLimit[]): readonly PlacedLimit[] {
  const data = openMember(place, "version_data", VERSION_DATA);
  if (data === null || !has(data, "versions")) return [];
  const all = member(data, "versions");
  if (!isObject(all)) {
    noteAt(data, "versions", "CFG-TYPE", `versions must be an object; got ${show(all)}`);
    return [];
  }
  return Object.keys(all).flatMap((name) => {
    const version = open(all[name], [...at(data, "versions"), name], place.findings, VERSION);
    return version === null ? [] : readExtendedPaths(version, leftOut);
  });
}
