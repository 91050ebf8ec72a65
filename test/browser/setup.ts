// One browser for all files of this folder, and a folder for the pages that they open.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { chromiumProgram, startChromium } from "./chromium.ts";

declare module "vitest" {
  export interface ProvidedContext {
    readonly browser: string | null; // where it is reached; null: there is none
    readonly folder: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "weir-browser-"));
  const program = chromiumProgram();
  const server = program === null ? null : await startChromium(program, folder);
  project.provide("browser", server?.wsEndpoint() ?? null);
  project.provide("folder", folder);
  return async () => {
    await server?.close();
    rmSync(folder, { recursive: true });
  };
}
