// A recommended limit as the text of a world file.
import { formatDuration } from "../../kit/units.ts";
import { Failure } from "../../kit/reading/failure.ts";
import { FREE_LOG_FIELDS, type ReplayLimit } from "../replay/candidates.ts";
import { FREE_LOG } from "../replay/choices.ts";
import { selectorText, type Selector } from "../replay/selectors.ts";
import { DEFAULT_OPTIONS } from "../../limiter/world/options.ts";

/** The name of weir serve among the programs that can have a limit. */
export const SERVE = "serve";

/** The gateway options of a rule, as fields of a map. */
export function gatewayFields({ by, options }: Pick<ReplayLimit, "by" | "options">): string {
  if (by.name === FREE_LOG) return FREE_LOG_FIELDS;
  const own = `${by.kind}: ${by.name}`;
  const hasBurst = by.kind === "algorithm" && options.burst !== DEFAULT_OPTIONS.burst;
  return hasBurst ? `${own}, burst: ${options.burst}` : own;
}

/** The text of a world; a failure if no world can count by this key. `without`: the clients that the limit is not for. */
export function formatWorld(
  limit: ReplayLimit,
  key: readonly Selector[],
  without: string | null,
): string | Failure {
  const keyBy = keyByOf(key);
  if (keyBy === null)
    return new Failure(
      `a world counts by address, by one header or for all clients together, and not by ${key.map(selectorText).join("+")}`,
    );
  const { rate, perUs } = limit.limit;
  return [
    `# A limit that weir recommend found${without === null ? "" : ` without ${without}`}. The target is the address of your API server.`,
    "apis:",
    `  api: { listen: /, target: "http://127.0.0.1:3000", keyless: true, rate: ${rate}, per: ${formatDuration(perUs)}${keyBy} }`,
    `gateway: { ${gatewayFields(limit)}${keyBy.includes(" ip") ? ", ipv6_prefix: 128" : ""} }`,
    "",
  ].join("\n");
}

function keyByOf(key: readonly Selector[]): string | null {
  const [first] = key;
  if (first === undefined) return "";
  if (key.length > 1) return null;
  if (first.kind === "header") return `, key_by: { header: ${JSON.stringify(first.name)} }`;
  return first.kind === "field of every log" && first.name === "ip" ? ", key_by: ip" : null;
}
