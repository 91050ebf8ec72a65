import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { commandOf } from "../report/command-line.ts";
import type { Action } from "./arguments.ts";
import { EXIT } from "./exit.ts";
import { DEFAULT_FOLDER } from "../run/scenario-files.node.ts";
import { whyUnreadable } from "../reading/text-file.node.ts";

const TEMPLATE = `title: five requests pass in a second, the sixth is refused
about: >
  Why this scenario is built as it is.
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 5, per: 1 } }
traffic:
  - { name: first, as: alice, send: GET /orders, burst: 6, at: 0s }
expect:
  - id: five pass, one does not
    sequence: { flow: first }
    equals: 5*200 1*429
  - id: agrees with the specification
    decisions: { as: alice }
    agreeWith: oracle
`;

export const newScenario: Action = ({ operands: [name = ""] }, { out, err }, refuse) => {
  const id = name.replace(/^scenarios\//, "").replace(/\.ya?ml$/, "");
  if (!/^[a-z0-9][a-z0-9.-]*\/[a-z0-9][a-z0-9.-]*$/.test(id))
    return refuse(
      `a scenario is called FOLDER/NAME in small letters, such as limits/first, not "${name}"`,
    );
  const file = join(DEFAULT_FOLDER, `${id}.yaml`);
  if (existsSync(file)) {
    err(`${file}: there is a scenario already; it was left alone`);
    return EXIT.usage;
  }
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, TEMPLATE, { flag: "wx" });
  } catch (error) {
    err(`${file}: ${whyUnreadable(error)}`);
    return EXIT.usage;
  }
  out(`wrote ${file}`);
  out(`run it: ${commandOf(["run", file])}`);
  return EXIT.passed;
};
