// The changes to the code that no test notices, each with the reason why none can: what mutation-survivors.yaml has, and
// where it is no longer true.
import { parse } from "yaml";
import { z } from "zod";

/** Each place of `code` in the file may become `becomes`, one at a time. */
interface Survivor {
  readonly file: string;
  readonly code: string;
  readonly becomes: string;
  readonly because: string;
  readonly places: number;
}

export interface Survivors {
  readonly folders: readonly string[]; // whose survivors all need a reason
  readonly rows: readonly Survivor[];
}

const text = z.string().regex(/\S/, "is empty");
const row = z.strictObject({
  code: text,
  becomes: z.string(),
  because: text,
  places: z.int().min(2).optional(),
});
const schema = z.record(z.string(), z.record(z.string(), z.array(row)));

/** Throws for a row without a reason, or with any other field. */
export function readSurvivors(yaml: string): Survivors {
  const read = schema.parse(parse(yaml));
  return {
    folders: Object.keys(read),
    rows: Object.entries(read).flatMap(([folder, files]) =>
      Object.entries(files).flatMap(([name, rows]) =>
        rows.map(({ places = 1, ...one }) => ({ file: `${folder}/${name}`, places, ...one })),
      ),
    ),
  };
}

/** Line breaks and indents are the formatter's. */
const onOneLine = (code: string): string => code.replaceAll(/\s+/g, " ").trim();

const nameOf = ({ file, code, becomes }: Survivor): string =>
  `${file}: "${onOneLine(code)}" as "${onOneLine(becomes)}"`;

/** The file, which is `before` on one line, with the change at each place: two changes are the same if these texts are. */
function textsWith({ code, becomes }: Survivor, before: string): readonly string[] {
  const wanted = onOneLine(code);
  const texts: string[] = [];
  for (let at = before.indexOf(wanted); at >= 0; at = before.indexOf(wanted, at + 1))
    texts.push(onOneLine(before.slice(0, at) + becomes + before.slice(at + wanted.length)));
  return texts;
}

/** Rows that are not about the code as it is. `read` returns null if there is no such file. */
export function findStaleRows(
  { rows }: Survivors,
  read: (file: string) => string | null,
): readonly string[] {
  const known = new Set<string>();
  const sources = new Map<string, string>(); // on one line
  return rows.flatMap((one) => {
    const source = sources.get(one.file) ?? read(one.file);
    if (source === null) return [`${one.file}: there is no such file`];
    const before = sources.get(one.file) ?? onOneLine(source);
    sources.set(one.file, before);
    const texts = textsWith(one, before);
    if (texts.length !== one.places)
      return [`${nameOf(one)}: the code occurs ${texts.length} times, and not ${one.places}`];
    if (texts.includes(before)) return [`${nameOf(one)}: this changes nothing`];
    const isTwice = texts.some((each) => known.has(`${one.file} ${each}`));
    for (const each of texts) known.add(`${one.file} ${each}`);
    return isTwice ? [`${nameOf(one)}: another row has this change, too`] : [];
  });
}

interface Position {
  readonly line: number; // both from 1
  readonly column: number;
}

/** The part of Stryker's report that counts here. */
export interface MutationReport {
  readonly files: Readonly<Record<string, MutatedFile>>;
}

interface MutatedFile {
  readonly source: string;
  readonly mutants: readonly {
    readonly status: string;
    readonly replacement?: string;
    readonly location: { readonly start: Position; readonly end: Position };
  }[];
}

interface Change {
  readonly name: string;
  readonly text: string; // of the whole file, on one line
  readonly hasSurvived: boolean;
}

function changesIn(file: string, { source, mutants }: MutatedFile): readonly Change[] {
  const lineStarts = [0];
  for (const line of source.split("\n")) lineStarts.push(lineStarts.at(-1)! + line.length + 1);
  const offsetOf = ({ line, column }: Position): number => lineStarts[line - 1]! + column - 1;
  return mutants.map(({ status, replacement = "", location: { start, end } }) => {
    const [from, to] = [offsetOf(start), offsetOf(end)];
    const code = onOneLine(source.slice(from, to));
    return {
      name: `${file}:${start.line} "${code}" as "${onOneLine(replacement)}"`,
      text: onOneLine(source.slice(0, from) + replacement + source.slice(to)),
      hasSurvived: status === "Survived" || status === "NoCoverage",
    };
  });
}

/** Survivors without a reason, and reasons for what a test notices. Files in none of the folders are left out. */
export function compareWithReport(
  { folders, rows }: Survivors,
  { files }: MutationReport,
): readonly string[] {
  return Object.entries(files)
    .filter(([file]) => folders.some((folder) => file.startsWith(`${folder}/`)))
    .flatMap(([file, mutated]) => {
      const changes = changesIn(file, mutated);
      const survivors = new Set(
        changes.flatMap(({ text: each, hasSurvived }) => (hasSurvived ? each : [])),
      );
      const before = onOneLine(mutated.source);
      const own = rows
        .filter((one) => one.file === file)
        .map((one) => ({ one, texts: textsWith(one, before) }));
      const explained = new Set(own.flatMap(({ texts }) => texts));
      return [
        ...changes
          .filter(({ text: each, hasSurvived }) => hasSurvived && !explained.has(each))
          .map(({ name }) => `${name}: it survives without a reason`),
        ...own.flatMap(({ one, texts }) => {
          const lost = texts.filter((each) => !survivors.has(each)).length;
          return lost === 0 && texts.length > 0
            ? []
            : [`${nameOf(one)}: ${lost} of ${texts.length} places do not survive; remove it`];
        }),
      ];
    });
}
