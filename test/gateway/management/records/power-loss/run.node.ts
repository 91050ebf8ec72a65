// npm run power-loss: `weir serve` writes records, the power goes off at many moments of that, and what a disk may hold then is started
// again. Every change that was answered has to be there, whole.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { losePower, type PowerLossResult } from "./lose-power.node.ts";
import { compileShim } from "./shim.node.ts";
import { runWorkload } from "./workload.node.ts";

const HELP = `npm run power-loss -- [flags]: start weir serve again after simulated power losses

  --images N     moments and disks to try (default 1000)
  --seed N       of the workload, the moments and what is lost (default: the time)
  --rounds N     changes of each of 12 clients, three times (default 40)
  --log FILE     try the log of an earlier run, which a failure names; with its --seed
  --from N       begin with this image (default 0)
  --help         print this

Exit codes: 0 nothing is lost, 1 something is, or the control finds nothing, 2 it cannot run here.
Linux only, with a C compiler (cc).`;

const MOST_SHOWN = 10;
/** Images of the control, whose SQLite syncs nothing: about every third one has lost something. */
const CONTROL_IMAGES = 60;
const CONTROL_ROUNDS = 10;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function end(why: string): never {
  process.stderr.write(`power-loss: ${why}\n`);
  process.exit(2);
}

const { values } = ((): { values: Record<string, string | boolean | undefined> } => {
  try {
    return parseArgs({
      options: {
        images: { type: "string", default: "1000" },
        seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
        rounds: { type: "string", default: "40" },
        log: { type: "string" },
        from: { type: "string", default: "0" },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    return end((error as Error).message);
  }
})();
if (values["help"] === true) {
  print(HELP);
  process.exit(0);
}
const numberOf = (name: string): number => {
  const value = Number(values[name]);
  if (!Number.isSafeInteger(value) || value < 0) end(`--${name} is an integer of at least 0`);
  return value;
};
const [images, seed, rounds, from] = ["images", "seed", "rounds", "from"].map(numberOf) as [
  number,
  number,
  number,
  number,
];

const place = realpathSync(mkdtempSync(join(tmpdir(), "weir-power-loss-")));
let isRetained = false; // the log of a failed run
process.once("exit", () => {
  if (!isRetained) rmSync(place, { recursive: true, force: true });
});
const shim = join(place, "shim.so");
const root = join(place, "disk");
const folder = join(place, "image");

const progress = (done: number, all: number): void =>
  void process.stderr.write(`${done} of ${all} images\n`);

function summary({
  images: tried,
  failures,
  unstarted,
  operations,
  syncs,
  answers,
}: PowerLossResult): string {
  return `${tried} power losses within ${operations} changes of files, ${syncs} syncs and ${answers} answers: ${failures.length} with something lost or damaged; ${unstarted} of a first start that had answered nothing do not start again`;
}

if (typeof values["log"] === "string") {
  const log = readFileSync(values["log"]);
  const lost = await losePower({ log, root: null, folder, seed, from, images, progress });
  for (const failure of lost.failures.slice(0, MOST_SHOWN)) print(failure);
  print(summary(lost));
  process.exit(lost.failures.length === 0 ? 0 : 1);
}

const missing = compileShim(shim);
if (missing !== null) end(missing);
print(`seed ${seed}: ${images} images`);
const began = performance.now();
const log = join(place, "log");
await runWorkload({ root, log, shim, seed, rounds, isSynced: true });
print(`served for ${Math.round((performance.now() - began) / 1_000)} s`);
const lost = await losePower({
  log: readFileSync(log),
  root,
  folder,
  seed,
  from,
  images,
  progress,
});
for (const failure of lost.failures.slice(0, MOST_SHOWN)) print(failure);
print(summary(lost));

// The same with a SQLite that syncs nothing: if that is not noticed, the other results mean nothing.
const control = join(place, "control");
const controlLog = join(place, "control-log");
const controlRounds = Math.min(rounds, CONTROL_ROUNDS);
await runWorkload({
  root: control,
  log: controlLog,
  shim,
  seed,
  rounds: controlRounds,
  isSynced: false,
});
const noticed = await losePower({
  log: readFileSync(controlLog),
  root: control,
  folder,
  seed,
  from: 0,
  images: CONTROL_IMAGES,
  progress: () => {},
});
print(`control, without syncs of SQLite: ${summary(noticed)}`);
const isSound = lost.failures.length === 0 && noticed.failures.length > 0;
if (noticed.failures.length === 0) print("the control has lost nothing: this run shows nothing");
if (lost.failures.length > 0) {
  isRetained = true;
  print(`again: npm run power-loss -- --log ${log} --seed ${seed} --from IMAGE --images 1`);
}
print(`${Math.round((performance.now() - began) / 1_000)} s`);
process.exitCode = isSound ? 0 : 1;
