// `--fleet`: the instances that a configuration runs on, as 4,own,sticky or as a file.
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { readText } from "../kit/reading/text-file.node.ts";
import { parseYaml, textIn, type YamlNode } from "../lab/implementations/yaml-tree.ts";
import { FLEET_BALANCERS, MOST_INSTANCES, type Fleet } from "../studies/replay/fleet.ts";

const COUNTERS = ["own", "shared"];
const FIELDS = ["instances", "counters", "balancer"];
const EXAMPLE = "write 4, or 4,shared, or 4,own,sticky, or the name of a file";

/** Reads `4`, `4,shared` or `4,own,sticky`, or a file with a map `fleet:`. */
export function readFleet(typed: string): Fleet | Failure {
  const [instances = "", ...words] = typed.split(",").map((each) => each.trim());
  if (!/^\d+$/.test(instances)) return readFleetFile(typed);
  const counters = words.filter((word) => COUNTERS.includes(word));
  const balancers = words.filter((word) => isBalancer(word));
  const unknown = words.find((word) => !COUNTERS.includes(word) && !isBalancer(word));
  if (unknown !== undefined || counters.length > 1 || balancers.length > 1)
    return new Failure(
      unknown === undefined
        ? `--fleet: "${typed}" has two words of a kind; ${EXAMPLE}`
        : `--fleet: "${unknown}" is none of ${[...COUNTERS, ...FLEET_BALANCERS].join(", ")}; ${EXAMPLE}`,
    );
  return fleetOf({ instances, counters: counters[0], balancer: balancers[0] }, "--fleet");
}

function readFleetFile(file: string): Fleet | Failure {
  const text = readText(file);
  if (isFailure(text))
    return new Failure(`--fleet: "${file}" is no number and no file that can be read; ${EXAMPLE}`);
  const roots = parseYaml({ file, text });
  if (isFailure(roots)) return roots;
  const fleet = roots[0]!.fields?.get("fleet");
  if (fleet?.fields === null || fleet === undefined)
    return new Failure(`${file} has no map "fleet"; write fleet: { instances: 4 }`);
  const unknown = [...fleet.fields.values()].find(({ name }) => !FIELDS.includes(name));
  if (unknown !== undefined)
    return new Failure(
      `${file}:${unknown.line}: "${unknown.name}" is no field of fleet; there are ${FIELDS.join(", ")}`,
    );
  const valueOf = (name: string): string | undefined => {
    const node: YamlNode | undefined = fleet.fields!.get(name);
    return node === undefined ? undefined : textIn(node);
  };
  return fleetOf(
    {
      instances: valueOf("instances") ?? "",
      counters: valueOf("counters"),
      balancer: valueOf("balancer"),
    },
    `${file}:${fleet.line}`,
  );
}

interface TypedFleet {
  readonly instances: string;
  readonly counters: string | undefined;
  readonly balancer: string | undefined;
}

function fleetOf({ instances, counters, balancer }: TypedFleet, place: string): Fleet | Failure {
  const count = /^\d{1,9}$/.test(instances) ? Number(instances) : 0;
  if (count < 1 || count > MOST_INSTANCES)
    return new Failure(
      `${place}: instances must be an integer from 1 to ${MOST_INSTANCES}; got "${instances}"`,
    );
  if (counters !== undefined && !COUNTERS.includes(counters))
    return new Failure(`${place}: counters must be ${COUNTERS.join(" or ")}; got "${counters}"`);
  if (balancer !== undefined && !isBalancer(balancer))
    return new Failure(
      `${place}: balancer must be ${FLEET_BALANCERS.join(" or ")}; got "${balancer}"`,
    );
  return {
    instances: count,
    sharesCounters: counters === undefined ? null : counters === "shared",
    balancer: balancer ?? "round-robin",
  };
}

const isBalancer = (word: string): word is Fleet["balancer"] =>
  FLEET_BALANCERS.some((each) => each === word);
