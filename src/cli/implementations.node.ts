// Lists, installs and runs foreign limiters.
import {
  findImplementations,
  ownImplementations,
  type Implementation,
} from "../lab/implementations/catalogue.node.ts";
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { hasOption, type Action } from "./arguments.ts";
import { installAll } from "./implementations-install.node.ts";
import { listImplementations } from "./implementations-list.node.ts";
import { writeImplementation } from "./implementations-new.node.ts";

const ACTIONS = ["list", "install", "run", "prove", "new"] as const;

export const implementations: Action = async (args, terminal, refuse) => {
  const { operands, switches, values } = args;
  const [what = "list", ...names] = operands;
  const action = ACTIONS.find((each) => each === what);
  if (action === undefined)
    return refuse(`"${what}" is no action; use one of ${ACTIONS.join(", ")}`);
  const foreign = OPTIONS.find(({ name, of }) => !of.includes(action) && hasOption(args, name));
  if (foreign !== undefined)
    return refuse(`--${foreign.name} needs weir implementations ${foreign.of.join(" or ")}`);
  if (what === "install" && names.length === 0 && !switches.has("all"))
    return refuse("weir implementations install needs names, or --all");
  if (action === "new")
    return writeImplementation(names, values.get("kind") ?? "decide", terminal, refuse);
  const selected = await findAll(names.length === 0 ? ownImplementations() : names);
  if (isFailure(selected)) return refuse(selected.message);
  switch (action) {
    case "list":
      return listImplementations(selected, switches.has("json"), terminal);
    case "install":
      return installAll(selected, names.length === 0, terminal);
    case "run": {
      if (values.has("config")) {
        const foreignToFile = OF_BEHAVIOURS.find((name) => hasOption(args, name));
        if (foreignToFile !== undefined)
          return refuse(`--${foreignToFile} is of behaviours, and --config of a file; remove one`);
        const { proveAndReport } = await import("./implementations-prove.node.ts");
        return proveAndReport(selected, args, terminal, refuse);
      }
      const ofFile = ["worlds", "max-duration", "set"].find((name) => hasOption(args, name));
      if (ofFile !== undefined)
        return refuse(`--${ofFile} needs --config or prove; add --config FILE`);
      const { runAndReport } = await import("./implementations-run.node.ts");
      return runAndReport(selected, args, terminal, refuse);
    }
    case "prove": {
      const { proveAndReport } = await import("./implementations-prove.node.ts");
      return proveAndReport(selected, args, terminal, refuse);
    }
  }
};

/** Flags that only some actions read. */
const OPTIONS: readonly { readonly name: string; readonly of: readonly string[] }[] = [
  { name: "kind", of: ["new"] },
  { name: "html", of: ["run"] },
  { name: "legend", of: ["run"] },
  { name: "only", of: ["run"] },
  { name: "out", of: ["run", "prove"] },
  { name: "require", of: ["run", "prove"] },
  { name: "seed", of: ["run", "prove"] },
  { name: "config", of: ["run"] },
  { name: "set", of: ["run"] },
  { name: "worlds", of: ["run", "prove"] },
  { name: "configurations", of: ["prove"] },
  { name: "queue", of: ["prove"] },
  { name: "max-duration", of: ["run", "prove"] },
];

/** Flags of the behaviours that are run. */
const OF_BEHAVIOURS = ["html", "legend", "only"];

async function findAll(names: readonly string[]): Promise<readonly Implementation[] | Failure> {
  const found = await Promise.all(names.map((name) => findImplementations(name)));
  const problems = found.flatMap((each) => (isFailure(each) ? each.problems : []));
  return problems.length > 0
    ? new Failure(...problems)
    : found.flatMap((each) => (isFailure(each) ? [] : each));
}
