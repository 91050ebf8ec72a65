// The console blocks of a page: commands, and the output that the page shows. The tests compare it with the present
// output, digits included; `npm run docs:figures` writes it again.

export interface Session {
  readonly command: string;
  readonly shown: readonly string[];
  /** Figures of a machine: not printed the same twice, so they are compared with a saved output. */
  readonly isMeasured: boolean;
}

/** The line before a block whose figures depend on the machine. */
const MEASURED = "<!-- measured -->\n\n";
const BLOCK = /(<!-- measured -->\n\n)?^```console\n([\s\S]*?)^```$/gm;

export const sessionsOf = (text: string): readonly Session[] =>
  [...text.matchAll(BLOCK)].flatMap(([, measured, block = ""]) =>
    partsOf(block).map(([command, ...shown]) => ({
      command: command ?? "",
      shown,
      isMeasured: measured !== undefined,
    })),
  );

/** The page with each session's output replaced by what `renew` returns for it. */
export const withOutputs = (text: string, renew: (session: Session) => readonly string[]): string =>
  text.replaceAll(BLOCK, (_, measured: string | undefined, block: string) => {
    const parts = partsOf(block).map(([command = "", ...shown]) => {
      const session = { command, shown, isMeasured: measured !== undefined };
      return [`$ ${command}`, ...renew(session)].join("\n");
    });
    const between = block.includes("\n\n$ ") ? "\n\n" : "\n";
    return `${measured === undefined ? "" : MEASURED}\`\`\`console\n${parts.join(between)}\n\`\`\``;
  });

const partsOf = (block: string): readonly (readonly string[])[] =>
  block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => part.trimEnd().split("\n"));

/** A Markdown table that a command prints: `<!-- measured: COMMAND -->` is the line before it. */
export interface MarkedTable {
  readonly command: string;
  readonly rows: readonly string[];
}

const TABLE = /^(<!-- measured: (.+) -->\n\n)((?:\|.*\n)+)/gm;

export const tablesOf = (text: string): readonly MarkedTable[] =>
  [...text.matchAll(TABLE)].map(([, , command = "", rows = ""]) => ({
    command,
    rows: rows.trimEnd().split("\n"),
  }));

export const withTables = (
  text: string,
  renew: (table: MarkedTable) => readonly string[],
): string =>
  text.replaceAll(
    TABLE,
    (_, mark: string, command: string, rows: string) =>
      `${mark}${renew({ command, rows: rows.trimEnd().split("\n") }).join("\n")}\n`,
  );

/** The first table in what was printed. */
export function tableIn(printed: readonly string[]): readonly string[] {
  const first = printed.findIndex((line) => line.startsWith("|"));
  const rest = first === -1 ? [] : printed.slice(first);
  const end = rest.findIndex((line) => !line.startsWith("|"));
  return end === -1 ? rest : rest.slice(0, end);
}

/** The formatter pads cells. */
export const cellsOf = (rows: readonly string[]): readonly (readonly string[])[] =>
  rows.map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim().replace(/^-+(:?)$/, "-$1")),
  );

/**
 * The shown lines with the printed figures; "..." means omitted lines. A string is the line of the page that was not
 * printed, so the page is outdated.
 */
export function renew(
  shown: readonly string[],
  printed: readonly string[],
): readonly string[] | string {
  if (!shown.includes("...")) return printed;
  const lines: string[] = [];
  let next = 0;
  let isAnywhere = false;
  for (const line of shown) {
    if (line === "...") isAnywhere = true;
    else {
      const wanted = apartFromFigures(line);
      const at = printed.findIndex(
        (one, index) => index >= next && apartFromFigures(one) === wanted,
      );
      if (at === -1 || (!isAnywhere && at !== next)) return line;
      next = at + 1;
      isAnywhere = false;
    }
    lines.push(line === "..." ? line : printed[next - 1]!);
  }
  return isAnywhere || next === printed.length ? lines : (printed[next] ?? "");
}

/** Digits in a name, such as LIM-1 or sha256, are no figures. */
const apartFromFigures = (line: string): string =>
  line.replaceAll(/(?<![\w-])\d[\d.,]*/g, "0").replaceAll(/ +/g, " ");

/** Where the output of a measured command is saved. */
export const figuresFile = (command: string): string =>
  `docs/figures/${command.replaceAll(/[^\w]+/g, "-").replaceAll(/^-|-$/g, "")}.txt`;
