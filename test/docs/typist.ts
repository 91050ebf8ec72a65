// A hand that types what a page shows, at a desk of its own which is gone after the tests. To start `weir` takes longer than
// most of what the pages show: it runs in this process, and the shell of the page gets what it wrote.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll } from "vitest";
import { weirInOrder, type Written } from "../cli/weir.ts";
import { desk, DESKS } from "./desk.ts";

export function typist(page: string): (command: string) => Promise<string> {
  const { files, shell } = DESKS[page]!;
  const { folder, type } = desk(files?.());
  afterAll(() => rmSync(folder, { recursive: true }));
  return async (command) => {
    const typed = shell(command);
    if (typed === null) throw new Error(`${command} takes long: put <!-- measured --> before it`);
    const words = wordsOfWeir(typed);
    if (words === null) return type(typed);
    const { written } = await weirInOrder(folder, words);
    const script = join(folder, "bin/output");
    writeFileSync(script, scriptOf(written));
    return type(typed, `weir() { . '${script}'; }`);
  };
}

/** The arguments if the line begins with the only `weir` in it, and the shell has no part in them. */
function wordsOfWeir(typed: string): readonly string[] | null {
  const [, words, rest = ""] =
    /^\(?weir((?: +(?:'[^']*'|[\w./:=@%+,-]+))+)(?=\)| \||$)(.*)$/.exec(typed) ?? [];
  if (words === undefined || rest.includes("weir ")) return null;
  return [...words.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
}

const scriptOf = (written: Written): string =>
  written
    .map(([stream, text]) => {
      const quoted = text.replaceAll("'", String.raw`'\''`);
      return `printf %s '${quoted}' >&${stream === "out" ? 1 : 2}\n`;
    })
    .join("");
