// The real command as a child process, from source, in a folder of its own.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

export const entry = join(import.meta.dirname, "../../src/cli/weir.node.ts");

/** What a shell would have, without what the test's own terminal or build machine says of colours. */
export const quietEnvironment: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) =>
      !name.startsWith("GITHUB_") &&
      !["NO_COLOR", "FORCE_COLOR", "CI", "WEIR_DEBUG", "NODE_OPTIONS"].includes(name),
  ),
);

export interface Said {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export function weir(
  folder: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Said {
  const { status, stdout, stderr } = spawnSync(process.execPath, [entry, ...args], {
    cwd: folder,
    encoding: "utf8",
    timeout: 120_000, // one that serves where it ought to refuse would never end
    env: { ...quietEnvironment, ...environment },
  });
  return { code: status, out: stdout, err: stderr };
}

/** A folder that holds these files and is gone after the test. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "weir-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}
