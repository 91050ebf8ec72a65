// Tables on a terminal of 80 columns: wider ones are continued below, and a pipe gets one line for each row.
import { expect, test } from "vitest";
import { table, type TableColumn } from "#src/kit/reading/table.ts";
import { folderWith, weir } from "./weir.ts";

const TRY = [
  "try",
  "--limit=100/1m",
  "--clients=3",
  "--rate=4/s",
  "--for=30s",
  "--algorithm=gcra,drl",
];
const LOG = Array.from(
  { length: 60 },
  (_, i) =>
    `10.0.0.${i % 4} - - [22/Nov/2026:10:00:${String(i).padStart(2, "0")} +0000] "GET /a HTTP/1.1" 200 1 "-" "${"agent ".repeat(20)}"`,
).join("\n");

const REPLAY = [
  "replay",
  "access.log",
  "--limit=2/30s",
  "--algorithm=sliding_log,fixed_window",
  "--clients=backoff",
];

const isSentence = (line: string): boolean => /[a-z]: |, |^--/.test(line);
const tooWide = (text: string): readonly string[] =>
  text.split("\n").filter((line) => line.length > 80 && !isSentence(line));

test.each([
  ["weir try", TRY],
  ["weir try with several kinds of retries", [...TRY, "--retry=backoff,retry-after"]],
  ["weir replay", REPLAY],
  ["weir replay by user agent", [...REPLAY, "--key=header:User-Agent"]],
])("%s fits into 80 columns, with every cell that a pipe gets", async (_, args) => {
  const folder = folderWith({ "access.log": `${LOG}\n` });
  const piped = await weir(folder, args);
  const narrow = await weir(folder, args, { NO_COLOR: "1" }, 80);
  // Without --legend, weir try has only the columns that matter most where two tables have no room for all.
  const all = args[0] === "try" ? [...args, "--legend"] : args;
  const whole = await weir(folder, all, { NO_COLOR: "1" }, 80);
  const wide = await weir(folder, args, { NO_COLOR: "1" }, 400);
  expect([piped.code, narrow.code]).toEqual([0, 0]);
  expect(tooWide(piped.out)).not.toEqual([]);
  expect([narrow.out, whole.out].flatMap(tooWide)).toEqual([]);
  expect(wide.out).toBe(piped.out);
  const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));
  // A name of a client is cut to what a terminal has room for.
  const cut = args.includes("--key=header:User-Agent") ? /^agent|\.\.\.$/ : /^$/;
  expect(
    [...wordsOf(piped.out)]
      .filter((word) => !wordsOf(whole.out).has(word))
      .filter((word) => !cut.test(word)),
  ).toEqual([]);
});

const column = (title: string, ...cells: readonly string[]): TableColumn => ({
  title,
  cells,
  isNumber: false,
});

test("each part of a table repeats the columns that name its rows, and tones follow their column", () => {
  const columns = [
    column("by", "log"),
    column("aaaa", "1"),
    column("bbbb", "2"),
    column("cccc", "3"),
  ];
  const tonesOf = (_: number, at: number): "bad" | null => (at === 3 ? "bad" : null);
  const lines = table(columns, (tone, text) => (tone === "bad" ? `!${text}` : text), tonesOf, {
    width: 15,
    named: 1,
  });
  expect(lines).toEqual(["by   aaaa  bbbb", "log  1     2", "", "by   cccc", "log  !3"]);
});
