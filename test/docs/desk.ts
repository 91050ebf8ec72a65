// A folder to type the commands of a page in: a copy of the suite, and `weir` as the source has it.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

export const root = join(import.meta.dirname, "../..");

export interface Desk {
  readonly folder: string;
  readonly type: (command: string) => string;
}

export function desk(files: Readonly<Record<string, string>> = {}): Desk {
  const folder = mkdtempSync(join(tmpdir(), "weir-docs-"));
  cpSync(join(root, "scenarios"), join(folder, "scenarios"), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  mkdirSync(join(folder, "bin"));
  writeFileSync(
    join(folder, "bin/weir"),
    `#!/bin/sh\nexec "${process.execPath}" "${join(root, "src/cli/weir.node.ts")}" "$@"\n`,
    { mode: 0o755 },
  );
  const path = [join(folder, "bin"), process.env["PATH"]].join(delimiter);
  const env = { ...process.env, PATH: path, NO_COLOR: "1" };
  return {
    folder,
    type: (command) => {
      // The page says in words what an exit code means, and a failing example has one.
      const shell = `(${command}) 2>errors || true; grep -v ' of traffic in ' errors || true`;
      return execFileSync("bash", ["-c", shell], { cwd: folder, encoding: "utf8", env }).trim();
    },
  };
}

/**
 * How a command of the README is typed at a desk; null: it needs the checkout, and takes long. Progress and times go to
 * standard error, and are not shown.
 */
export function atDesk(command: string): string | null {
  const typed =
    command === "npm start"
      ? "weir run scenarios"
      : command.replace(/^npm run --silent weir -- /, "weir ");
  return typed.startsWith("weir ") ? `(${typed}) 2>/dev/null` : null;
}
