// One bash that runs the blocks of a page in their order, in a folder of its own, with free ports instead of those of the
// page. It ends every server that the blocks have started, also if this process is killed: then its input closes.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { entry } from "../built.ts";
import { asOwner, BIN, IS_ROOT } from "../gateway/management/records/postgres-server.ts";
import { freePort } from "../redis/server.ts";

export interface Session {
  readonly folder: string;
  /** The port in the place of this one of the page. */
  readonly portOf: (onPage: number) => number;
  /** Runs the next block, which contains `part`. Throws with all output if a command of it fails. */
  readonly run: (part: string) => Promise<void>;
  readonly countOfRest: () => number; // blocks that have not run
  readonly close: () => Promise<void>;
}

const BLOCK = /^```sh\n([\s\S]*?)^```$/gm;
const PORT = /\b(?:700[1-6]|5439|544[0-3]|808[12]|909[12])\b/g;
const DONE = "--- the block is done";

/** Whichever of them have ended before. Twice: one may just begin, and has not written its pid. */
const END = `set +e; for turn in 1 2; do
  for pid in $(cat redis-*/pid gw*.pid haproxy.pid; head -qn 1 */postmaster.pid); do kill -9 $pid; done; sleep 1
done`;

export async function openSession(page: string): Promise<Session> {
  const blocks = [...page.matchAll(BLOCK)].map(([, block = ""]) => block);
  const ports = new Map<number, number>();
  for (const [port] of page.matchAll(PORT))
    if (!ports.has(Number(port))) ports.set(Number(port), await freePort());
  const folder = mkdtempSync(join(tmpdir(), "weir-fleet-"));
  mkdirSync(join(folder, "bin"));
  const weir = `#!/bin/sh\nexec "${process.execPath}" "${entry()}" "$@"\n`;
  writeFileSync(join(folder, "bin/weir"), weir, { mode: 0o755 });
  if (IS_ROOT)
    chownSync(folder, Number(execFileSync("id", ["-u", "postgres"], { encoding: "utf8" })), -1);
  const path = [join(folder, "bin"), process.env["PATH"]].join(delimiter);
  const [program, args] = asOwner("bash");
  const shell = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, PATH: path, BIN, NO_COLOR: "1" },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const exit = once(shell, "exit");
  shell.stdin.on("error", () => {}); // it has ended: `run` reports it
  shell.stdin.write(`exec 2>&1\ntrap '(${END}) 2>/dev/null' EXIT\nset -eo pipefail\n`);
  let output = "";
  shell.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  let next = 0;
  return {
    folder,
    portOf: (onPage) => ports.get(onPage)!,
    run: async (part) => {
      const block = blocks[next++];
      if (block?.includes(part) !== true)
        throw new Error(`block ${next} of the page has no "${part}"`);
      const here = block.replaceAll(PORT, (port) => String(ports.get(Number(port))));
      writeFileSync(join(folder, `block-${next}`), here);
      output = "";
      shell.stdin.write(`source ./block-${next} </dev/null\necho '${DONE}'\n`);
      while (!output.includes(DONE)) {
        const how = await Promise.race([once(shell.stdout, "data"), exit.then(() => "ended")]);
        if (how === "ended")
          throw new Error(`block ${next} of the page fails:\n${here}\n${output}`);
      }
    },
    countOfRest: () => blocks.length - next,
    close: async () => {
      shell.stdin.end();
      await exit;
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}
