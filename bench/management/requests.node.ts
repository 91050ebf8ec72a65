// One candidate of the suite management: requests a second of a gateway in a process of its own, with its key from
// records or from a file.
import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { secondsToMicros } from "../../src/kit/units.ts";
import { errorsOf, type LoadFigures } from "../../src/studies/bench/load/load.ts";
import { startLoad } from "../../src/studies/bench/load/start-load.node.ts";
import { readInput, printValue } from "../program.node.ts";
import { PREFIX, type Subject } from "./serve.node.ts";

interface Served {
  readonly url: string;
  readonly process: ChildProcess;
}

function serve(subject: Subject): Promise<Served> {
  return new Promise((resolve, reject) => {
    const program = join(import.meta.dirname, "serve.node.ts");
    const child = spawn(process.execPath, [program, subject], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    child.on("error", reject);
    process.once("exit", () => child.kill());
    child.on("exit", (code) => reject(new Error(`the ${subject} ended with ${code}`)));
    child.stdout.setEncoding("utf8").once("data", (url: string) => {
      resolve({ url: url.trim(), process: child });
    });
  });
}

const WARM = 40_000; // requests, after which all hot code is compiled
const MOST_ROUNDS = 20;

const { subject, seconds } = readInput() as { readonly subject: Subject; readonly seconds: number };
const served = await serve(subject);
const load = startLoad();

async function play(lastsSeconds: number): Promise<LoadFigures> {
  const figures = await load.run({
    url: served.url,
    loadModel: "closed",
    connections: 32,
    perSecond: null,
    lastsUs: secondsToMicros(lastsSeconds),
    keys: "one",
    keyCount: 1,
    keyPrefix: PREFIX,
    seed: 1,
  });
  const { answers, statuses } = figures;
  if (errorsOf(figures) > 0 || statuses["200"] !== answers)
    throw new Error(`${subject} answered ${JSON.stringify(statuses)}`);
  return figures;
}

// By requests and not by time: on a busy machine a second may have a tenth of them.
let warm = 0;
for (let i = 0; i < MOST_ROUNDS && warm < WARM; i++) warm += (await play(1)).answers;
const { answers, tookUs } = await play(seconds);
served.process.kill();
await load.stop();
printValue((answers / tookUs) * 1e6);
