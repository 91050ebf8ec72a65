// Gateway options of Tyk (tyk.conf): which of its limiters counts, and where its other files are.
import { optionsFrom } from "../../../limiter/world/options.ts";
import type { GatewayOptions } from "../../../limiter/core/config.ts";
import { isFailure } from "../../../kit/reading/failure.ts";
import type { ConfigurationFile, Includes } from "../reading.ts";
import { textIn, type YamlNode } from "../yaml-tree.ts";
import type { TykDocument } from "./read-documents.ts";
import { fieldOf, isTrue, readAt, type TykContext } from "./read-limits.ts";

export type TykLimiter = "drl" | "rolling" | "sentinel" | "fixed-window";

/** The options that select a limiter, in the order in which Tyk looks at them. */
const FLAGS: readonly (readonly [TykLimiter, string])[] = [
  ["fixed-window", "enable_fixed_window_rate_limiter"],
  ["sentinel", "enable_sentinel_rate_limiter"],
  ["rolling", "enable_redis_rolling_limiter"],
];

export const ALGORITHMS: Readonly<Record<TykLimiter, GatewayOptions>> = {
  drl: optionsFrom({ profile: "tyk", algorithm: "drl" }),
  rolling: optionsFrom({ profile: "tyk", algorithm: "sliding_log" }),
  sentinel: optionsFrom({ profile: "tyk", algorithm: "sentinel" }),
  "fixed-window": optionsFrom({ profile: "tyk", algorithm: "fixed_window" }),
};

export const COUNTED_QUOTA = optionsFrom({
  algorithm: "fixed_window",
  fixed_window_start: "first_request",
});

const DEFAULT_THRESHOLD = 5; // requests per second for each gateway

export interface TykOptions {
  readonly limiterOf: (limit: { readonly rate: number; readonly per: number }) => TykLimiter;
}

/** `options`: the file of options; null: there is none, so that the limiter is a question. */
export function readOptions(
  options: TykDocument | null,
  context: TykContext,
  place: { readonly file: string; readonly line: number },
): TykOptions {
  const { questions } = context;
  if (options === null) {
    return {
      limiterOf: () => {
        const taken = questions.takeValue("limiter", "drl", place);
        if (Object.hasOwn(ALGORITHMS, taken)) return taken as TykLimiter;
        context.problems.push(
          `--set limiter=${taken} is no limiter of Tyk; write ${Object.keys(ALGORITHMS).join(", ")}`,
        );
        return "drl";
      },
    };
  }
  const { node, file } = options;
  const ofOrganisations = readAt(node, "enforce_org_quotas", context);
  if (isTrue(ofOrganisations))
    context.notes.note(
      ofOrganisations!,
      "not understood",
      "limits of organisations are in Redis, and are missing here",
    );
  const isOn = FLAGS.map(([, flag]) => isTrue(readAt(node, flag, context)));
  const chosen = FLAGS[isOn.indexOf(true)]?.[0];
  if (chosen !== undefined) return { limiterOf: () => chosen };
  const written = readAt(node, "drl_threshold", context);
  const sentinel = fieldOf(node, "drl_enable_sentinel_rate_limiter");
  if (isTrue(sentinel))
    context.notes.note(
      sentinel!,
      "not understood",
      "where the log replaces DRL it admits one request less",
    );
  const threshold = Number(written?.value ?? 0) || DEFAULT_THRESHOLD;
  const line = (written ?? node).line;
  return {
    limiterOf: ({ rate, per }) => {
      const gateways = Number(questions.takeValue("gateways", "1", { file, line }));
      if (!Number.isInteger(gateways) || gateways < 1)
        context.problems.push("--set gateways must be an integer of at least 1");
      return gateways <= 1 || gateways * threshold < rate / per ? "drl" : "rolling";
    },
  };
}

/** The files that the options name: API definitions and policies, in their folders or next to the options. */
export function filesOf(
  { node }: TykDocument,
  includes: Includes,
  context: TykContext,
): readonly ConfigurationFile[] {
  const { notes } = context;
  const files: ConfigurationFile[] = [];
  for (const [field, names] of placesIn(node)) {
    notes.note(field, "read");
    const found = names
      .map((name) => includes(name))
      .find((each) => !isFailure(each) && each.length > 0);
    if (found === undefined || isFailure(found))
      notes.note(field, "not understood", "no file is there, so its limits are missing");
    else files.push(...found);
  }
  const isOfDashboard = fieldOf(node, "use_db_app_configs");
  if (isTrue(isOfDashboard))
    notes.note(
      isOfDashboard!,
      "not understood",
      "the API definitions are in a dashboard; name a folder with this file and their exports",
    );
  return files;
}

/** Each field with a place, and the patterns by which its files are looked for: as written, then next to the options. */
function placesIn(node: YamlNode): readonly (readonly [YamlNode, readonly string[]])[] {
  const places: (readonly [YamlNode, readonly string[]])[] = [];
  const folder = (field: YamlNode): void => {
    const parts = textIn(field).split("/");
    const end = parts.findLastIndex((part) => part !== "") + 1;
    const path = parts.slice(0, end).join("/");
    const last = parts[end - 1] ?? "";
    places.push([field, [`${path}/*.json`, `${last}/*.json`]]);
  };
  const apps = fieldOf(node, "app_path");
  const isOfDashboard = isTrue(fieldOf(node, "use_db_app_configs"));
  if (apps !== null && !isOfDashboard && textIn(apps) !== "") folder(apps);
  const policies = fieldOf(node, "policies");
  const source = textIn(fieldOf(policies, "policy_source"));
  const folderOfPolicies = fieldOf(policies, "policy_path");
  const record = fieldOf(policies, "policy_record_name");
  if (folderOfPolicies !== null && textIn(folderOfPolicies) !== "") folder(folderOfPolicies);
  else if (record !== null && textIn(record) !== "" && !/^(?:service|rpc)$/.test(source)) {
    const path = textIn(record);
    places.push([record, [path, path.split("/").slice(-2).join("/"), path.split("/").at(-1)!]]);
  }
  return places;
}
