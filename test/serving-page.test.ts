// Follows the pages on serving: writes their files, starts their servers, types their commands and compares all output.
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { serving, type Serving } from "./cli/serving.ts";
import { entry } from "./built.ts";
import { folderWith, quietEnvironment } from "./cli/weir.ts";
import { hasShape, shape } from "./shape.ts";

/** A session may go on on another page. */
const pages = [["serving.md"], ["observing.md"], ["management.md", "webhooks.md"]];

type Step =
  | { readonly kind: "file"; readonly name: string; readonly text: string }
  | { readonly kind: "typed"; readonly command: string; readonly output: string };

const stepsOf = (name: string): readonly Step[] => {
  const page = readFileSync(join(import.meta.dirname, "../docs/serve", name), "utf8");
  return [...page.matchAll(/^```(yaml|console)\n([\s\S]*?)^```$/gm)].flatMap(stepsIn);
};

const stepsIn = ([, language, block = ""]: readonly string[]): readonly Step[] => {
  const [, name] = /^# (\S+\.yaml)\n/.exec(block) ?? [];
  if (language === "yaml") return name === undefined ? [] : [{ kind: "file", name, text: block }];
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = "", ...lines] = part.split("\n");
      return { kind: "typed", command, output: lines.join("\n").trim() };
    });
};

/** A status is the point of a session, so its digits are spelled as letters, which a shape compares. */
const STATUS = /^(?:HTTP\/1\.1 )?[1-5]\d\d\b/gm;
const spellStatuses = (text: string): string =>
  text.replaceAll(STATUS, (status) => status.replaceAll(/\d/g, (digit) => "abcdefghij"[+digit]!));

const fits = (output: string, wanted: string): boolean =>
  hasShape(shape(spellStatuses(output.replaceAll("\r", "").trim())), shape(spellStatuses(wanted)));

test.each(pages)("every session of %s prints what the page shows", async (...names) => {
  const steps = names.flatMap(stepsOf);
  const folder = folderWith({});
  mkdirSync(join(folder, "bin"));
  const program = `#!/bin/sh\nexec "${process.execPath}" "${entry()}" "$@"\n`;
  writeFileSync(join(folder, "bin/weir"), program, { mode: 0o755 });
  const path = [join(folder, "bin"), process.env["PATH"]].join(delimiter);
  const env = { ...quietEnvironment, PATH: path, NO_COLOR: "1" };
  let running: Serving | null = null;

  const serve = async (command: string, last: string): Promise<string> => {
    running?.kill("SIGKILL");
    running = await serving(folder, command.split(" ").slice(2));
    await running.waitFor(last);
    return running.output();
  };
  const type = async (command: string): Promise<string> => {
    const here = command
      .replaceAll("http://127.0.0.1:8080", running?.gateway ?? "")
      .replaceAll("http://127.0.0.1:8081", running?.admin ?? "");
    const shell = ["-c", `${here} || true`];
    return (await promisify(execFile)("bash", shell, { cwd: folder, env })).stdout;
  };

  for (const step of steps) {
    if (step.kind === "file") {
      writeFileSync(join(folder, step.name), step.text);
      continue;
    }
    const { command, output } = step;
    const last = output
      .split("\n")
      .at(-1)!
      .split(/  # |127\.0\.0\.1:\d+/)
      .at(-1)!; // without the port
    const printed = command.startsWith("weir serve")
      ? await serve(command, last)
      : await type(command);
    expect({ command, printed }).toSatisfy(() => fits(printed, output));
  }
  expect(steps.length).toBeGreaterThan(8);
});
