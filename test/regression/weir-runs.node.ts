// Runs `weir run` of a checkout from its source, and reads what failed.
import { spawn } from "node:child_process";

export interface WeirRun {
  /** "unclear": nothing was run, or the result is neither. */
  readonly outcome: "passes" | "fails" | "unclear";
  readonly document: RunDocument | null;
  readonly why: string; // the reason, of what is unclear
}

/** The part that is read of the documents of `weir run --json`, with --swarm or without. */
interface RunDocument {
  readonly failures?: readonly SwarmFailureText[];
}

export interface SwarmFailureText {
  readonly expectation: string;
  readonly file: string | null;
  readonly why: string | null; // it was not saved
  readonly again: string;
}

export async function runWeir(folder: string, ...args: readonly string[]): Promise<WeirRun> {
  const child = spawn(process.execPath, ["src/cli/weir.node.ts", "run", ...args, "--json"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const end = (): void => void child.kill();
  process.once("exit", end);
  let [text, problems] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (problems += chunk));
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once("close", resolve).once("error", reject);
  const code = await promise;
  process.off("exit", end);
  const document = parseDocument(text);
  // A process that breaks has the exit code of an expectation that fails.
  if (code === 0 || (code === 1 && document !== null))
    return { outcome: code === 0 ? "passes" : "fails", document, why: "" };
  const why = problems.trim().split("\n").at(-1)!;
  return { outcome: "unclear", document, why: `exit code ${code}${why === "" ? "" : `, ${why}`}` };
}

function parseDocument(text: string): RunDocument | null {
  try {
    return JSON.parse(text) as RunDocument;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
