// Every error of a file is reported in the first round: of several mistakes in the files of the suite, each that is
// reported alone is reported together with the others.
import * as fc from "fast-check";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import type { Path } from "#src/kit/reading/problems.ts";
import type { PositionedProblem } from "#src/kit/reading/source.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";
import { traceReaderFor } from "#src/lab/run/scenario-files.node.ts";
import { root } from "../../docs/desk.ts";
import { holdsUntil, inRuns } from "../../runs.ts";

type Tree = Record<string | number, unknown>;

/** One change of the value at a path, of which no other mistake is above or below. */
interface Mistake {
  readonly path: Path;
  readonly what: "misspelt field" | "unknown field" | "misspelt value" | "wrong type" | "no map";
}

interface Reported extends Mistake {
  readonly errors: readonly PositionedProblem[];
}

const FILES = globSync("scenarios/**/*.yaml", { cwd: root })
  .toSorted()
  .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }))
  // Short ones with few variants: each run decodes a file several times.
  .filter(({ text }) => text.length < 3_000 && !/algorithm: (?:all|immediate|logs)/.test(text));

const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null;

function mistakesIn(value: unknown, path: Path = []): readonly Mistake[] {
  if (!isTree(value))
    return [
      { path, what: "misspelt value" },
      { path, what: "wrong type" },
    ];
  const isMap = !Array.isArray(value);
  const own: Mistake[] = isMap
    ? [
        { path, what: "unknown field" },
        { path, what: "no map" },
      ]
    : [{ path, what: "no map" }];
  return [
    ...own,
    ...Object.keys(value).flatMap((name): readonly Mistake[] => {
      const step = isMap ? name : Number(name);
      const below = [...path, step];
      const misspelt: Mistake[] = isMap ? [{ path: below, what: "misspelt field" }] : [];
      return [...misspelt, ...mistakesIn(value[step], below)];
    }),
  ];
}

const at = (tree: unknown, path: Path): Tree =>
  path.reduce<unknown>((value, step) => (value as Tree)[step], tree) as Tree;

const misspell = (name: string): string =>
  name.length < 3 ? `${name}x` : name.slice(0, 1) + name.slice(2);

function make({ path, what }: Mistake, tree: unknown): void {
  const parent = at(tree, path.slice(0, -1));
  const last = path.at(-1)!;
  const value = parent[last];
  if (what === "unknown field") (value as Tree)["qqq"] = 1;
  else if (what === "misspelt value") parent[last] = `${String(value)}x`;
  else if (what === "wrong type") parent[last] = typeof value === "string" ? 7 : "many";
  else if (what === "no map") parent[last] = 5;
  else {
    const fields = Object.entries(parent);
    for (const [name] of fields) delete parent[name];
    for (const [name, each] of fields) parent[name === last ? misspell(name) : name] = each;
  }
}

const isAbove = (a: Path, b: Path): boolean => a.every((step, index) => step === b[index]);

function errorsOf(file: string, tree: unknown): readonly PositionedProblem[] {
  const { problems } = decode(file, stringify(tree), traceReaderFor(join(root, file)));
  return problems.filter(({ severity }) => severity === "error");
}

/** Without the suggestion, which depends on the names that are left. */
const textOf = ({ code, message }: PositionedProblem): string =>
  `${code} ${message.replace(/; did you mean .*$/, "")}`;

const isIn = (part: string, { path }: Mistake): boolean => path[0] === part;
const isOneItem = (a: Mistake, b: Mistake): boolean =>
  typeof a.path[1] === "number" && isAbove(a.path.slice(0, 2), b.path);
const isWhere = ({ path }: Mistake): boolean => path[0] === "expect" && path[2] === "where";

/** By what an unknown name is the name of: the mistakes because of which the file may have more such names. */
const GIVES: readonly (readonly [unknown: RegExp, gives: (on: Mistake) => boolean])[] = [
  [/ no (?:flow|call) /, (on) => isIn("traffic", on) && isNaming(on)],
  [/ no key /, (on) => isIn("faults", on) || isWorld("keys", on)],
  [/ no API /, (on) => isWorld("apis", on)],
  [/ no policy /, (on) => isWorld("policies", on)],
  [
    / no gateway /,
    (on) => isIn("faults", on) || isWorld("fleet", on) || on.path.join(".") === "world.fleet.nodes",
  ],
];
const NAMING = new Set(["name", "as", "send", "stages", "call"]);
const isNaming = ({ path }: Mistake): boolean => path.length <= 2 || NAMING.has(String(path[2]));
const isWorld = (part: string, { path }: Mistake): boolean =>
  path[0] === "world" && path.length <= 2 && (path[1] ?? part) === part;

/** Mistakes that one cannot see before the other is mended, each with the reason. */
const DEPENDENT: readonly {
  readonly reason: string;
  readonly depends: (lost: Reported, on: Reported) => boolean;
}[] = [
  {
    reason: "it shows only in a part that the other mistake replaces",
    depends: ({ errors }, on) =>
      on.what !== "unknown field" && errors.every(({ path }) => isAbove(on.path, path)),
  },
  {
    reason: "a name is unknown only if every name is known, and one of them cannot be read",
    depends: ({ errors }, on) =>
      errors.every((error) =>
        GIVES.some(([unknown, gives]) => unknown.test(` ${textOf(error)}`) && gives(on)),
      ),
  },
  {
    reason:
      "values of the matrix mean something only where they are put in, and the axis has them all",
    depends: (lost, on) =>
      (isIn("matrix", lost) || isWhere(lost)) && (isIn("matrix", on) || isWhere(on)),
  },
  {
    reason:
      "a value of the matrix is checked where its variable is, which is misspelt or no longer there",
    depends: (lost, on) => isIn("matrix", lost) && !isIn("matrix", on),
  },
  {
    reason: "whether fields of one item go together is known once each of them is",
    depends: (lost, on) =>
      isOneItem(lost, on) &&
      lost.errors.every(({ code }) => /^SCN-(?:ONE-OF|VACUOUS|NAME|MISSING-FIELD)$/.test(code)),
  },
  {
    reason: "smoothing that is off is not checked, and whether it is on cannot be read",
    depends: (lost, on) =>
      isAbove(on.path.slice(0, -1), lost.path) && on.path.at(-2) === "smoothing",
  },
  {
    reason:
      "a world that is expected to have errors is not run, so that nothing else of it is read",
    depends: (_lost, on) => on.path.includes("configuration") && isIn("expect", on),
  },
];

const wordsOf = ({ path, what, errors }: Reported): string =>
  `${what} at ${path.join(".")}: ${errors.map(textOf).join(" | ")}`;

let examined = 0;
let exempt = 0;

test("each mistake of a file is reported in the first round, whatever the others are", async () => {
  await holdsUntil(
    inRuns(200),
    () => examined,
    fc.property(
      fc.constantFrom(...FILES),
      fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 2, maxLength: 4 }),
      ({ file, text }, draws) => {
        const tree: unknown = parse(text);
        const possible = mistakesIn(tree).filter(
          ({ path: [part, ...rest] }) =>
            part !== undefined && (rest.length > 0 || ["traffic", "world"].includes(String(part))),
        );
        const chosen: Mistake[] = [];
        // Each part of the file as often as any other: most places are in the longest.
        const parts = [...Map.groupBy(possible, ({ path }) => path[0]).values()];
        for (const [part, place] of draws) {
          const ofPart = parts[part % parts.length]!;
          const mistake = ofPart[place % ofPart.length]!;
          if (!chosen.some(({ path: a }) => isAbove(a, mistake.path) || isAbove(mistake.path, a)))
            chosen.push(mistake);
        }
        const alone = chosen.flatMap((mistake): readonly Reported[] => {
          const copy = structuredClone(tree);
          make(mistake, copy);
          const errors = errorsOf(file, copy);
          return errors.length === 0 ? [] : [{ ...mistake, errors }];
        });
        if (alone.length < 2) return;
        const copy = structuredClone(tree);
        // A field is renamed last, because the paths of the others begin with its name.
        for (const mistake of alone) make(mistake, copy);
        const together = new Set(errorsOf(file, copy).map(textOf));
        const lost = alone.filter(
          ({ errors }) => !errors.some((each) => together.has(textOf(each))),
        );
        const unexplained = lost.filter((each) => {
          const others = alone.filter((other) => other !== each);
          const why = DEPENDENT.find(({ depends }) => others.some((on) => depends(each, on)));
          if (why !== undefined) exempt++;
          return why === undefined;
        });
        examined += alone.length - (lost.length - unexplained.length);
        const others = alone.filter((each) => !unexplained.includes(each)).map(wordsOf);
        expect([file, unexplained.map(wordsOf), others]).toEqual([file, [], others]);
      },
    ),
    90,
  );
  expect(exempt).toBeLessThan(examined / 10);
});

test("mistakes in every part of a file, of which each could hide others, are reported at once", () => {
  const text = `title: many mistakes
matrix: { pace: 5, size: [8, 9] }
world:
  apis: { orders: { listen: /orders } }
  keys: { bob: { ratee: fast, per: 10, apis: [order] } }
traffic:
  - { as: bobb, send: GET /orders, burst: $pace }
  - { name: x, as: bob, send: GET /orders, brst: none }
  - { name: z, as: bob, send: GET /orders, burst: $size, stages: 1 }
faults:
  - { at: soon, configure: { keys: { bob: { per: -1 } } }, qqq: 1 }
  - { at: 5s, for: 1s, store: { ltency: $pace } }
expect:
  - { id: a, sequence: { flow: y, as: bobs, api: ordes }, equals: 8x200, where: { pace: 1, sise: 8 } }
  - { id: a, cont: { key: bod }, atMots: 3 }
`;
  const { scenario, problems } = decode("many.yaml", text);
  expect(scenario).toBeNull();
  expect(problems.map(({ line, column, message }) => `${line}:${column} ${message}`)).toEqual([
    '2:17 the axis "pace" needs a list with at least one value',
    '5:18 "ratee" is not a field of a key; did you mean "rate"?',
    '5:25 rate must be a number; got "fast"',
    '5:47 there is no API "order"; did you mean "orders"?',
    '7:11 no key of the world is called "bobb"; did you mean "bob"?',
    '8:44 "brst" is not a field of a flow; did you mean "burst"?',
    '8:50 "none" is not an integer from 1 to 50000000',
    '9:58 "burst" and "stages" are both given, and a flow takes one of them',
    '11:11 "soon" is not a duration',
    "11:50 per must be between 1 ms and 100 years; got -1 s",
    '11:60 "qqq" is not a field of an injected fault',
    '12:33 "ltency" is not a field of a slow store; did you mean "latency"?',
    '14:32 no flow is called "y"; did you mean "x"?',
    '14:39 no flow is sent as "bobs"; did you mean "bob"?',
    '14:50 no API has the id "ordes"; did you mean "orders"?',
    '14:67 "8x200" is not a row of statuses',
    '14:98 no axis of the matrix is called "sise"; did you mean "size"?',
    '15:11 two expectations are called "a"',
    '15:14 "cont" is not a field of an expectation; did you mean "count"?',
    '15:22 "key" is not a field of a filter',
    '15:27 no key is called "bod"; did you mean "bob"?',
    '15:34 "atMots" is not a field of an expectation; did you mean "atMost"?',
  ]);
});
