// `weir run --swarm N`: runs random worlds, and writes a scenario file for each failure.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { digest } from "../lab/scenario/history/digest.node.ts";
import { SwarmTally, tallyLines, type RuleCounts } from "../studies/swarm/tally.ts";
import { textOf, type Counterexample } from "../studies/swarm/try-seed.ts";
import { DIFFERS, tryText } from "../studies/swarm/trial.ts";
import { trySeeds, type Seeds } from "../studies/swarm/try-seeds.node.ts";
import type { ShareOut } from "../kit/pool.node.ts";
import { commandLine } from "../kit/command-line.ts";
import { hasOption, type Arguments, type Refuse } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { interruption } from "./interruption.node.ts";
import { many } from "../kit/reading/legible.ts";
import { DEFAULT_FOLDER } from "../lab/run/scenario-files.node.ts";
import { withQueue } from "./queue-option.node.ts";
import type { Terminal } from "./terminal.ts";
import { createFolders, whyNoFolder } from "../kit/reading/folder.node.ts";
import { whyUnreadable } from "../kit/reading/text-file.node.ts";

const MOST = 1_000_000;
const SMALL = 10; // requests; the output notes if a failing world could not be reduced to this number
const NOT_WITH = [
  "only",
  "history",
  "html",
  "open",
  "serve",
  "inconclusive",
  "write",
  "watch",
  "driver",
  "stretch",
  "max-duration",
  "sample",
  "require",
  "store",
];

/** Returns the problem if the arguments allow no swarm, else null. */
function refusal(args: Arguments): string | null {
  const { operands, values } = args;
  const typed = values.get("swarm") ?? "";
  const other = NOT_WITH.find((name) => hasOption(args, name));
  if (!/^\d+$/.test(typed) || Number(typed) < 1 || Number(typed) > MOST)
    return `--swarm must be an integer from 1 to ${MOST}; got "${typed}"`;
  if (operands.length > 0)
    return `--swarm generates its scenarios, so it takes no path such as ${operands[0]}`;
  return other === undefined ? null : `--swarm cannot be combined with --${other}`;
}

/** The folder for failing worlds. */
const SAVED = `${DEFAULT_FOLDER}/regressions`;

interface SavedFailure {
  readonly found: Counterexample;
  readonly file: string | null; // null if the world is not saved
  readonly why: string | null; // why the world is not saved
  readonly again: string;
}

export async function swarm(
  args: Arguments,
  seed: number,
  terminal: Terminal,
  refuse: Refuse,
): Promise<ExitCode> {
  const problem = refusal(args);
  if (problem !== null) return refuse(problem);
  const count = Number(args.values.get("swarm"));
  if (!Number.isSafeInteger(seed + count))
    return refuse(`--seed ${seed} is too large for ${count} seeds; choose a smaller one`);
  const unwritable = args.switches.has("no-save") ? null : whyNoFolder(SAVED);
  if (unwritable !== null)
    return refuse(`${unwritable}; add --no-save to print failures without saving them`);
  return withQueue(args, terminal, refuse, (share) =>
    tryAndReport({ from: seed, count }, args, terminal, share),
  );
}

async function tryAndReport(
  { from: seed, count }: Pick<Seeds, "from" | "count">,
  { switches }: Arguments,
  terminal: Terminal,
  share: ShareOut,
): Promise<ExitCode> {
  const { out, err, status, isWatched } = terminal;
  const isPlain = !switches.has("json");
  const isQuiet = switches.has("quiet");
  const stop = interruption();
  if (isPlain && !isQuiet) out(`seeds ${seed} to ${seed + count - 1}`);
  const started = performance.now();
  const counts = { requests: 0, refused: 0, rejected: 0, lost: 0 };
  const tally = new SwarmTally();
  const failures: SavedFailure[] = [];
  const digests: string[] = [];
  let over = false;
  // With --bail, a batch has one trial, so that the first failure is reported before others are reduced.
  const batch = switches.has("bail") ? 1 : 10;
  for await (const trial of trySeeds({ from: seed, count, batch }, stop.stop, share)) {
    digests.push(trial.digest);
    counts.requests += trial.requests;
    counts.refused += trial.refused;
    counts.rejected += trial.rejected;
    counts.lost += trial.lost;
    tally.add(trial);
    if (trial.counterexample !== null) {
      const failure = keep(trial.counterexample, switches.has("no-save"));
      failures.push(failure);
      if (isPlain) for (const line of failureLines(failure, terminal)) out(line);
      over = switches.has("bail");
    }
    const done = digests.length;
    status(`${done} of ${many(count, "world")}, ${tally.worlds.failed} failed`);
    if (isPlain && !isQuiet && !isWatched && done % 1000 === 0 && done < count)
      out(`${done} of ${many(count, "world")}, ${tally.worlds.failed} failed`);
    if (over) break;
  }
  const played = digests.length;
  const fingerprint = digest(digests);
  const cost = `${many(played, "world")} in ${((performance.now() - started) / 1000).toFixed(1)} s`;
  err(stop.isWanted() || over ? `stopped after ${cost}` : cost);
  const { passed, failed, skipped, ...unproven } = tally.worlds;
  if (isPlain) {
    if (!isQuiet) {
      out(
        `${many(counts.requests, "request")}, ${counts.refused} refused, ${counts.rejected} rejected, ${counts.lost} lost, histories ${fingerprint}`,
      );
      for (const line of tallyLines(tally)) out(line);
    }
  } else
    out(
      JSON.stringify(
        {
          format: "weir-swarm/2",
          seed,
          worlds: count,
          requests: counts.requests,
          refused: counts.refused,
          rejected: counts.rejected,
          lost: counts.lost,
          histories: fingerprint,
          decisions: tally.decisions,
          proved: worldsOf(tally, "passed"),
          vacuous: worldsOf(tally, "vacuous"),
          inconclusive: worldsOf(tally, "inconclusive"),
          failures: failures.map(documentOf),
          footer: { complete: played === count, passed, failed, skipped, ...unproven },
        },
        null,
        2,
      ),
    );
  (isPlain ? out : err)(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  if (stop.isWanted()) return EXIT.interrupted;
  if (failed > 0) return EXIT.failed;
  return passed > 0 ? EXIT.passed : EXIT.unproven;
}

/** For each rule, the number of worlds with this outcome; a rule without such a world is omitted. */
const worldsOf = (
  { rules }: SwarmTally,
  outcome: Exclude<keyof RuleCounts, "rule">,
): Readonly<Record<string, number>> =>
  Object.fromEntries(
    rules.flatMap((counts) => (counts[outcome] === 0 ? [] : [[counts.rule, counts[outcome]]])),
  );

/** Saves the failing world under the first name that is free, or whose file already has the same text. */
function keep(found: Counterexample, isUnwanted: boolean): SavedFailure {
  const fromSeed = commandLine(`run --swarm 1 --seed ${found.seed}`);
  if (isUnwanted) return { found, file: null, why: "--no-save", again: fromSeed };
  for (let copy = 1; ; copy++) {
    const name = copy === 1 ? found.name : `${found.name}-${copy}`;
    const file = `${SAVED}/${name}.yaml`;
    const text = textOf({ ...found, name });
    const again = commandLine(
      `run ${file}${found.runSeed === 1 ? "" : ` --seed ${found.runSeed}`}`,
    );
    try {
      createFolders(dirname(file));
      writeFileSync(file, text, { flag: "wx" });
    } catch (error) {
      const why = whyUnreadable(error);
      if ((error as NodeJS.ErrnoException).code !== "EEXIST")
        return { found, file: null, why: `${file}: ${why}`, again: fromSeed };
      if (isSame(file, text)) return { found, file, why: null, again };
      continue;
    }
    // Random numbers depend on the file's name, so the saved world may pass. If the failure is that two runs differ,
    // no expectation fails either. In both cases, only the swarm's seed shows the failure again.
    const shows =
      found.failure.what !== DIFFERS && tryText(text, found.runSeed, digest).failure !== null;
    return { found, file, why: null, again: shows ? again : fromSeed };
  }
}

function isSame(file: string, text: string): boolean {
  try {
    return readFileSync(file, "utf8") === text;
  } catch (error) {
    whyUnreadable(error);
    return false;
  }
}

function failureLines(
  { found, file, why, again }: SavedFailure,
  { paint }: Terminal,
): readonly string[] {
  const { seed, kind, failure, requestsLeft: left, requests } = found;
  const row = (name: string, text: string): string => `  ${paint("faint", name.padEnd(9))} ${text}`;
  const size =
    left > SMALL
      ? `${left} of ${requests}: no way was found to fail with ${SMALL}`
      : `${left} of ${requests}`;
  return [
    "",
    `${paint("bad", "FAIL")} ${paint("strong", `seed ${seed}`)}, ${kind}: ${failure.what}`,
    row("expected", failure.expected),
    row("observed", failure.observed),
    row("requests", size),
    ...(file === null ? [row("not saved", why ?? "")] : [row("saved", file)]),
    row("again", again),
    ...(file === null
      ? textOf(found)
          .trimEnd()
          .split("\n")
          .map((line) => `    ${line}`)
      : []),
  ];
}

const documentOf = ({ found, file, why, again }: SavedFailure): unknown => ({
  seed: found.seed,
  kind: found.kind,
  expectation: found.failure.what,
  expected: found.failure.expected,
  observed: found.failure.observed,
  requests: found.requests,
  left: found.requestsLeft,
  file,
  why,
  again,
  scenario: textOf(found),
});
