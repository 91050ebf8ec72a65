// The cost of an algorithm from saved measurements: Redis commands and bytes, and outputs on documentation pages.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MEASURED, type FormCosts } from "../../../lab/sim/measured-costs.ts";
import { formatCount } from "../../html/parts.ts";
import type { ShownCosts } from "./algorithm-page.ts";
import type { Subject } from "./subjects.ts";

/** Files that `npm run docs:figures -- --measured` renews; the first line of each is the command. */
const PARETO = "docs/figures/npm-run-silent-weir-pareto-gateways-3-markdown.txt";
const CORE = "docs/figures/npm-run-bench-core-quick.txt";

/** The measured log lengths that the page shows. */
const LOGS = [1, 128, 1024];

/** The costs of a subject; null if it has no measurements of its own. */
export function costsOf(root: string, { id, algorithm }: Subject): ShownCosts | null {
  const forms: Readonly<Record<string, FormCosts>> = MEASURED.forms;
  const names = Object.keys(forms).filter((name) =>
    id === "smoothing" ? name.endsWith(", smoothed") : name === algorithm,
  );
  const measured = algorithm === null ? [] : measurementsOf(root, algorithm);
  if (names.length === 0 && measured.length === 0) return null;
  return {
    rows: names.map((name) => rowOf(name, forms[name]!)),
    redis: MEASURED.redis,
    measured,
  };
}

function rowOf(
  name: string,
  { commands, background, recordBytes, logBytes }: FormCosts,
): readonly string[] {
  const logs = logBytes.filter(([stamps]) => LOGS.includes(stamps));
  return [
    name,
    commandsText(commands.admitted),
    commandsText(commands.refused),
    background === null ? "none" : commandsText(background),
    recordBytes === 0 ? "none" : `${formatCount(recordBytes)} B`,
    logs.length === 0
      ? "none"
      : logs
          .map(([stamps, bytes]) => `${formatCount(bytes)} B for ${formatCount(stamps)}`)
          .join(", "),
  ];
}

function commandsText(counts: FormCosts["commands"]["admitted"]): string {
  const all = Object.entries(counts);
  const sum = all.reduce((total, [, count]) => total + count, 0);
  const names = all.map(([name, count]) => (count === 1 ? name : `${count} ${name}`));
  return `${sum}: ${names.join(", ").toUpperCase()}`;
}

function measurementsOf(root: string, algorithm: string): ShownCosts["measured"] {
  const pareto = readFileSync(join(root, PARETO), "utf8");
  const core = readFileSync(join(root, CORE), "utf8");
  const rows = pareto.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  const heads = rows.find((cells) => cells.includes("operations")) ?? [];
  const row = rows.find((cells) => cells[2] === algorithm);
  const [operations, bytes, ms] = ["operations", "bytes", "ms"].map(
    (head) => row?.[heads.indexOf(head)],
  );
  const decisionNs = new RegExp(`^ {2}${algorithm} +([\\d,.]+) `, "m").exec(core)?.[1];
  return [
    ...(row === undefined
      ? []
      : [
          {
            text: `In a fleet of three gateways, a request takes ${operations} commands of the store and ${ms} ms on average, and a key at most ${bytes} B.`,
            command: commandIn(pareto),
          },
        ]),
    ...(decisionNs === undefined
      ? []
      : [
          {
            text: `In memory, a decision on one hot key takes ${decisionNs} ns.`,
            command: commandIn(core),
          },
        ]),
  ];
}

function commandIn(output: string): string {
  const command = /^# (.+?): commit /.exec(output)?.[1];
  if (command === undefined) throw new Error("a saved output begins with its command");
  return command;
}
