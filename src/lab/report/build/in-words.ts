// Describes world and traffic of a scenario: what all variants share, and what is special to each.
import { plural } from "../../../kit/reading/legible.ts";
import { formatDuration } from "../../../kit/units.ts";
import type { Fault, Variant } from "../../scenario/types.ts";
import type { Environment } from "../../scenario/world.ts";
import type { Json } from "../../../kit/reading/shape.ts";
import type { WordsReport } from "../model.ts";
import { apiText, keyTexts, policyText } from "./limits-in-words.ts";
import { trafficTexts } from "./traffic-in-words.ts";

interface InWords {
  readonly shared: WordsReport;
  readonly own: readonly WordsReport[]; // one for each variant
}

export function inWords(variants: readonly Variant[]): InWords {
  const all = variants.map((variant) => ({
    world: worldTexts(variant),
    traffic: trafficTexts(variant),
  }));
  const world = commonLines(all.map((each) => each.world));
  const traffic = commonLines(all.map((each) => each.traffic));
  const without = (lines: readonly string[], shared: readonly string[]): readonly string[] => {
    const known = new Set(shared);
    return cutLines(lines.filter((line) => !known.has(line)));
  };
  return {
    shared: { world: cutLines(world), traffic: cutLines(traffic) },
    own: all.map((each) => ({
      world: without(each.world, world),
      traffic: without(each.traffic, traffic),
    })),
  };
}

function commonLines([first = [], ...others]: readonly (readonly string[])[]): readonly string[] {
  const sets = others.map((lines) => new Set(lines));
  return first.filter((line) => sets.every((lines) => lines.has(line)));
}

const MOST_LINES = 24;
const LONGEST_LINE = 400;

function cutLines(lines: readonly string[]): readonly string[] {
  const shown = lines
    .slice(0, MOST_LINES)
    .map((line) => (line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE - 1)}…`));
  const more = lines.length - shown.length;
  return more === 0
    ? shown
    : [...shown, `And ${more} more ${plural(more, "line")} in the scenario's file.`];
}

function worldTexts({ world, faults }: Variant): readonly string[] {
  const { configuration, environment } = world;
  if (configuration === null)
    return ["The configuration has errors, so no gateway runs.", ...environmentTexts(environment)];
  return [
    ...[...configuration.apis.values()].map(apiText),
    ...[...configuration.policies.values()].map(policyText),
    ...keyTexts(configuration.keys),
    gatewayText(world.raw["gateway"]),
    ...environmentTexts(environment),
    ...faults.map(faultText),
  ];
}

/** Describes the options that the file sets: all others have their defaults. */
function gatewayText(gateway: Json | undefined): string {
  const options = Object.entries((gateway ?? {}) as { readonly [name: string]: Json }).map(
    ([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return options.length === 0
    ? "Gateway: default options (a sliding log)."
    : `Gateway: ${options.join(", ")}.`;
}

type Distribution = Environment["networkUs"];

function durationText(distribution: Distribution): string | null {
  switch (distribution.kind) {
    case "constant":
      return distribution.us === 0 ? null : formatDuration(distribution.us);
    case "uniform":
      return `${formatDuration(distribution.fromUs)} to ${formatDuration(distribution.toUs)}`;
    case "exponential":
      return `${formatDuration(distribution.meanUs)} on average (exponential)`;
    case "lognormal":
      return `${formatDuration(distribution.medianUs)} as a rule, one in a hundred over ${formatDuration(distribution.p99Us)}`;
  }
}

function environmentTexts(environment: Environment): readonly string[] {
  const { nodes, balancer, networkUs, storeUs, upstreamUs, storeCost, skewUs } = environment;
  const takes = (what: string, distribution: Distribution): readonly string[] => {
    const text = durationText(distribution);
    return text === null ? [] : [`${what} ${text}`];
  };
  const latencies = [
    ...takes("the network one way", networkUs),
    ...takes("the store one way", storeUs),
    ...takes("the upstream", upstreamUs),
    ...(storeCost.perCommandUs > 0 ? [`a store command ${storeCost.perCommandUs}us`] : []),
    ...(storeCost.perEntryUs > 0 ? [`an entry of the store ${storeCost.perEntryUs}us`] : []),
  ];
  const weights = balancer.kind === "weighted" ? ` ${balancer.weights.join(":")}` : "";
  const clocks = skewUs.flatMap((us, node) =>
    us === 0 ? [] : [`gateway ${node}'s is off by ${formatDuration(us)}`],
  );
  return [
    ...(nodes === 1
      ? []
      : [
          `Fleet: ${nodes} gateways, requests spread ${balancer.kind.replaceAll("_", " ")}${weights}.`,
        ]),
    ...(latencies.length === 0 ? [] : [`Time: ${latencies.join(", ")}.`]),
    ...(clocks.length === 0 ? [] : [`Clocks: ${clocks.join(", ")}.`]),
  ];
}

function faultText(fault: Fault): string {
  switch (fault.kind) {
    case "store_slow":
      return `From ${formatDuration(fault.fromUs)} to ${formatDuration(fault.toUs)} the store takes ${durationText(fault.latencyUs) ?? "no time"}.`;
    case "store_down":
      return `From ${formatDuration(fault.fromUs)} to ${formatDuration(fault.toUs)} the store is down.`;
    case "store_restart":
      return `At ${formatDuration(fault.atUs)} the store restarts empty.`;
    case "gateway_restart":
      return `At ${formatDuration(fault.atUs)} gateway ${fault.node} restarts.`;
    case "gateway_crash":
      return `At ${formatDuration(fault.atUs)} gateway ${fault.node} crashes.`;
    case "gateway_leave":
      return `At ${formatDuration(fault.atUs)} gateway ${fault.node} leaves.`;
    case "gateway_join":
      return `At ${formatDuration(fault.atUs)} ${fault.count === 1 ? "a gateway joins" : `${fault.count} gateways join`}.`;
    case "clock_skew":
      return `At ${formatDuration(fault.atUs)} the clock of gateway ${fault.node} is off by ${formatDuration(fault.skewUs)}.`;
    case "configure":
      return `At ${formatDuration(fault.atUs)} the configuration changes.`;
  }
}
