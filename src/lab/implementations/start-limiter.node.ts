// Starts a limiter that decides by lines, and compares its description with its manifest: checks of a program whose
// clock differs from the manifest would be wrong.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Implementation } from "./catalogue.node.ts";
import { homeOf, searchPath } from "./home.node.ts";
import { lineLimiter, type LineLimiter } from "./lines.node.ts";
import { startProgram } from "./process.node.ts";

export async function startLimiter(
  implementation: Implementation,
  environment: Readonly<Record<string, string>> = {},
  silenceMs?: number,
): Promise<LineLimiter> {
  const { folder, variant, manifest } = implementation;
  const { name, version, clock, install, capabilities } = manifest;
  const home = homeOf(implementation);
  const dir = mkdtempSync(join(tmpdir(), `weir-${basename(folder)}-`));
  const fill = (text: string): string =>
    text
      .replaceAll("{dir}", dir)
      .replaceAll("{home}", home)
      .replaceAll("{folder}", folder)
      .replaceAll("{variant}", variant ?? "");
  const program = startProgram({
    name,
    command: manifest.start.map(fill),
    dir,
    ownsDir: true,
    env: {
      ...searchPath(home),
      ...environment,
      ...Object.fromEntries(Object.entries(manifest.env).map(([key, text]) => [key, fill(text)])),
    },
  });
  const limiter = lineLimiter(name, program, silenceMs);
  const stop = async (): Promise<void> => {
    await limiter.stop();
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    const described = await limiter.describe();
    const { packages } = install;
    if (packages.length > 0 && !packages.some((each) => each.includes(described.id)))
      throw new Error(
        `${name} reports that it is ${described.id}, and its manifest installs ${packages.join(", ")}; correct one of them`,
      );
    if (described.clock !== clock)
      throw new Error(
        `${name} reports that its clock is ${described.clock}, and its manifest has ${clock}; correct one of them`,
      );
    if (described.version !== version)
      throw new Error(
        `${name} reports version ${described.version}, and its manifest has ${version}; correct one of them`,
      );
    // Otherwise costs would go to a program that counts each request as one, or would never be tested.
    if (described.cost !== capabilities.cost)
      throw new Error(
        `${name} reports cost: ${described.cost}, and the capabilities of its manifest have cost: ${capabilities.cost}; correct one of them`,
      );
  } catch (error) {
    await stop();
    throw error;
  }
  return { ...limiter, stop };
}
