// Requests a second that a gateway answers, in a process of its own, with its keys here or there.
import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { secondsToMicros } from "../../src/core/units.ts";
import { errorsOf, type LoadFigures } from "../../src/bench/load/load.ts";
import { startLoad } from "../../src/bench/load/start-load.node.ts";
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
    child.on("exit", (code) => reject(new Error(`the ${subject} ended with ${code}`)));
    child.stdout.setEncoding("utf8").once("data", (url: string) => {
      resolve({ url: url.trim(), process: child });
    });
  });
}

const WARM = 40_000; // requests, after which all that matters has been compiled
const MOST_ROUNDS = 20;

export async function measured(subject: Subject, seconds: number): Promise<number> {
  const served = await serve(subject);
  const load = startLoad();
  const play = async (lastsSeconds: number): Promise<LoadFigures> => {
    const figures = await load.play({
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
  };
  try {
    // By requests and not by time: on a busy machine a second may hold a tenth of them.
    let answered = 0;
    for (let i = 0; i < MOST_ROUNDS && answered < WARM; i++) answered += (await play(1)).answers;
    const { answers, tookUs } = await play(seconds);
    return (answers / tookUs) * 1e6;
  } finally {
    served.process.kill();
    await load.stop();
  }
}
