// Runs of properties that failed once: `holds` and `holdsLater` of test/runs.ts try them before any other run of their test.
// A run is repeated exactly as long as its generator draws the same. So the counterexample itself becomes a test too, or a
// scenario in scenarios/regressions; this list is for the time until then, and for inputs that are too large for a test.

export interface RecordedRun {
  /** File, blocks and title, with " > " between them; then " (property 2)" for the second property of a test. */
  readonly test: string;
  readonly seed: number;
  readonly path: string;
}

/** A property that fails prints its entry. */
export const RECORDED: readonly RecordedRun[] = [
  {
    test: "test/recorded-runs.test.ts > a recorded run is tried before the others",
    seed: 7,
    path: "3",
  },
  {
    test: "test/recorded-runs.test.ts > a property > whose answers come later has recorded runs too (property 2)",
    seed: 8,
    path: "2:0",
  },
  {
    test: "test/recorded-runs.test.ts > a property > that draws until it has examined enough tries its recorded runs once",
    seed: 2_000_007,
    path: "1",
  },
];

/** Entries whose file or title is not there. `read` returns the text of a file, or null. */
export function listUnknownTests(
  runs: readonly RecordedRun[],
  read: (file: string) => string | null,
): readonly string[] {
  return runs.flatMap(({ test }) => {
    const [file = "", ...titles] = test.replace(/ \(property \d+\)$/, "").split(" > ");
    const text = read(file);
    if (text === null) return [`${test}: there is no file ${file}`];
    const patterns = stringsIn(text).map(titlePattern);
    return titles
      .filter((title) => !patterns.some((pattern) => pattern.test(title)))
      .map((title) => `${test}: ${file} has no test or block "${title}"`);
  });
}

const stringsIn = (text: string): readonly string[] =>
  [...text.matchAll(/"((?:[^"\\\n]|\\.)+)"|`((?:[^`\\\n]|\\.)+)`/g)].map(
    ([, quoted, template]) => quoted ?? template!,
  );

/** Titles of tables have places for values: %s, $name and ${...}. A title of such places alone names no test. */
function titlePattern(title: string): RegExp {
  const parts = title.split(/%[a-z#]|\$\{[^}]*\}|\$\w+/);
  if (parts.every((part) => !/[a-z]/i.test(part))) return /^(?!)/;
  const escaped = parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`^${escaped.join(".*")}$`);
}
