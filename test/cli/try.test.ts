import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { COMMANDS } from "#src/cli/commands.ts";
import { parseArguments } from "#src/cli/parse-arguments.node.ts";
import { tryQuestion } from "#src/cli/try-question.ts";
import type { TryResult } from "#src/studies/try/result.ts";
import { rng } from "#src/kit/chance/rng.ts";
import { POPULATION_NAMES } from "#src/studies/try/populations.ts";
import { patienceUs } from "#src/lab/sim/clients.ts";
import type { Behaviour } from "#src/lab/scenario/types.ts";
import { isFailure } from "#src/kit/reading/failure.ts";
import { folderWith, weir } from "./weir.ts";

const TRAFFIC = [
  "try",
  "--limit=5/s,100/1m",
  "--clients=3",
  "--rate=4/s",
  "--bursts=9@10s",
  "--retry=backoff",
  "--for=30s",
];

const command = COMMANDS.find(({ name }) => name === "try")!;

const jsonOf = async (folder: string, ...args: readonly string[]): Promise<TryResult> => {
  const { code, out } = await weir(folder, [...TRAFFIC, "--json", ...args]);
  expect(code).toBe(0);
  return JSON.parse(out) as TryResult;
};

test("one table has every algorithm under every limit", async () => {
  const { code, out, err } = await weir(folderWith({}), TRAFFIC);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const [answer = "", table = ""] = out.split("\n\n3 clients");
  expect(answer).toMatch(/^Take a token bucket: at 5 per second it refuses \d+ to \d+ attempts, /);
  const lines = `3 clients${table}`.split("\n");
  expect(lines.slice(0, 2)).toEqual([
    "3 clients send 4 requests a second each, evenly spaced, and 9 at once every 10s, each at times of its own, up to 100ms late, for 30s. Refused requests are sent again (backoff).",
    "441 requests, 1 gateway, seeds 1 to 5",
  ]);
  const rows = lines.filter((line) => /^ *(?:5\/1s|100\/1m) /.test(line));
  expect(rows).toHaveLength(20);
  for (const row of rows) expect(row).toMatch(/ \d+  +(?:\d+\.\d|100) %  /);
});

test("the columns are explained with --legend alone, and the document has the answer", async () => {
  const folder = folderWith({});
  const brief = await weir(folder, [...TRAFFIC, "--algorithm=drl,gcra"]);
  const whole = await weir(folder, [...TRAFFIC, "--algorithm=drl,gcra", "--legend"]);
  expect(whole.out.startsWith(brief.out)).toBe(true);
  expect(whole.out.slice(brief.out.length)).toContain("\nfairness: Jain's index over ");
  const { format, answer } = await jsonOf(folder, "--algorithm=drl,gcra");
  expect({ format, first: answer[0]!.text }).toEqual({
    format: "weir-try/1",
    first: brief.out.slice(0, brief.out.indexOf("\n")),
  });
});

test("weir run repeats a saved scenario with the same histories, and its expectations pass", async () => {
  const folder = folderWith({});
  const limiters = [
    "--algorithm=gcra,sliding_log,free_log",
    "--profile=nginx",
    "--burst=4",
    "--seed=7",
  ];
  const { candidates } = await jsonOf(folder, ...limiters, "--scenario=saved.yaml");
  const reference = join(folder, "reference.json");
  const run = await weir(folder, [
    "run",
    "saved.yaml",
    "--seed=7",
    "--reference",
    reference,
    "--write",
  ]);
  expect(run.code).toBe(0);
  expect(run.out).toContain("8 passed, 0 failed, 0 skipped");
  const { scenarios } = JSON.parse(readFileSync(reference, "utf8")) as {
    readonly scenarios: readonly {
      readonly variants: readonly { readonly variant: string; readonly history: string }[];
    }[];
  };
  expect(candidates.map(({ variant, history }) => ({ variant, history }))).toEqual(
    scenarios[0]!.variants.map(({ variant, history }) => ({ variant, history })),
  );
  expect(new Set(candidates.map(({ history }) => history)).size).toBe(8);
});

test("a saved scenario of algorithms alone has them as an axis", async () => {
  const folder = folderWith({});
  await jsonOf(folder, "--algorithm=gcra,drl", "--scenario=saved.yaml", "--gateways=2");
  expect(readFileSync(join(folder, "saved.yaml"), "utf8")).toContain("algorithm: [gcra, drl]");
  expect(await weir(folder, ["run", "saved.yaml", "--quiet"])).toMatchObject({ code: 0 });
});

test.each(POPULATION_NAMES)(
  "the scenario of the population %s has the same history",
  async (name) => {
    const folder = folderWith({});
    const args = ["--algorithm=gcra", "--limit=5/s", "--clients=4", "--rate=4/s", "--for=20s"];
    const { out } = await weir(folder, [
      "try",
      ...args,
      `--population=${name}`,
      "--retry=equal-jitter",
      "--scenario=saved.yaml",
      "--json",
    ]);
    const { candidates } = JSON.parse(out) as TryResult;
    const run = await weir(folder, ["run", "saved.yaml", "--reference", "kept.json", "--write"]);
    expect(run.code).toBe(0);
    expect(readFileSync(join(folder, "kept.json"), "utf8")).toContain(
      `"history":"${candidates[0]!.history}"`,
    );
  },
);

test("the scenario of offices, herds and several kinds of retry has the same histories", async () => {
  const folder = folderWith({});
  const args = [
    "--algorithm=gcra,drl",
    "--limit=5/s",
    "--clients=9",
    "--per-address=3",
    "--rate=2/s",
    "--population=scraper",
    "--bursts=4@5s+2s",
    "--retry=patient,atb,aatb",
    "--sequential",
    "--for=20s",
  ];
  const { out } = await weir(folder, ["try", ...args, "--scenario=saved.yaml", "--json"]);
  const { candidates, traffic } = JSON.parse(out) as TryResult;
  expect(traffic).toBe(
    "9 clients send 2 requests a second each, at random, the first client 20 times as many in addition, evenly, and 4 at once every 5s, each at times of its own, up to 2s late, for 20s. Refused requests are sent again (patient, or atb, or aatb). Each client sends one request at a time. Every 3 clients share an address and its budget.",
  );
  expect(new Set(candidates.map(({ history }) => history)).size).toBe(6);
  const run = await weir(folder, ["run", "saved.yaml", "--reference", "kept.json", "--write"]);
  expect(run).toMatchObject({ code: 0, out: expect.stringContaining("6 passed") });
  const reference = readFileSync(join(folder, "kept.json"), "utf8");
  for (const { history } of candidates) expect(reference).toContain(`"history":"${history}"`);
});

test("the waits of a retry with jitter fill the part of each step that its name states", () => {
  const behaviourOf = (retry: string): Behaviour => {
    const parsed = parseArguments(command, ["--limit=5/s", "--rate=1/s", `--retry=${retry}`]);
    const question = isFailure(parsed) ? parsed : tryQuestion(parsed);
    if (isFailure(question)) throw new Error(question.message);
    return question.retries[0]!.behaviour;
  };
  const DRAWS = 20_000;
  for (const [retry, least] of [
    ["full-jitter", 0],
    ["equal-jitter", 0.5],
  ] as const) {
    const behaviour = behaviourOf(retry);
    for (const attempt of [0, 3]) {
      const random = rng(1, retry);
      const waits = Float64Array.from(
        { length: DRAWS },
        () => patienceUs(behaviour, attempt, null, random)! / (1_000_000 * 2 ** attempt),
      ).toSorted();
      // Uniform from `least` to 1: by Kolmogorov and Smirnov, passed by one in a thousand samples.
      const farthest = waits.reduce(
        (most, wait, at) => Math.max(most, Math.abs((wait - least) / (1 - least) - at / DRAWS)),
        0,
      );
      expect(farthest * Math.sqrt(DRAWS)).toBeLessThan(1.95);
    }
  }
  expect(patienceUs(behaviourOf("stubborn"), 98, null, rng(1, ""))).toBe(1_000_000);
  expect(patienceUs(behaviourOf("stubborn"), 99, null, rng(1, ""))).toBe(null);
  expect(patienceUs(behaviourOf("at-once"), 98, null, rng(1, ""))).toBe(100_000);
});

test("one seed gives one document, and profiles have no commands", async () => {
  const folder = folderWith({});
  const args = ["--profile=nginx,guava", "--algorithm=token_bucket"];
  const first = await jsonOf(folder, ...args);
  expect(await jsonOf(folder, ...args)).toEqual(first);
  expect(await jsonOf(folder, ...args, "--seed=2")).not.toEqual({ ...first, seed: 2 });
  expect(first.candidates.map(({ commands }) => commands === null)).toEqual([
    false,
    true,
    true,
    false,
    true,
    true,
  ]);
});

test("--html saves a page with the table and three charts for each candidate", async () => {
  const folder = folderWith({});
  const page = join(folder, "page.html");
  const args = ["--algorithm=gcra,drl", "--profile=nginx", "--html", page];
  expect(await weir(folder, [...TRAFFIC, ...args])).toMatchObject({ code: 0 });
  const html = readFileSync(page, "utf8");
  expect(html).toContain("<td>profile nginx");
  expect(html).toMatch(/<h\d[^>]*>Take nginx: at 5 per second it refuses /);
  expect(
    [...html.matchAll(/<figure class="small"><figcaption>([^<]*) </g)].map(([, name = ""]) =>
      name.replace(/, from \d+\ss$/, ", at its time"),
    ),
  ).toEqual(
    ["", "", ", at its time"].flatMap((herd) =>
      ["5/1s", "100/1m"].flatMap((limit) =>
        ["gcra", "drl", "profile nginx"]
          // It refuses none, so that none returns.
          .filter((by) => herd === "" || limit !== "100/1m" || by !== "profile nginx")
          .map((by) => `${limit} ${by}${herd}`),
      ),
    ),
  );
  expect(await weir(folder, [...TRAFFIC, "--html=page.txt"])).toMatchObject({
    code: 2,
    err: expect.stringContaining('the file of a page must end in .html; got "page.txt"'),
  });
});

test.each([
  [[], "--limit is needed, such as 100/1m, or 10,20,40/s; or --config FILE"],
  [
    ["--limit=5/s"],
    "there is no traffic; add --rate, such as 3/s, or --bursts, such as 50@1m, or both",
  ],
  [
    ["--limit=5/s", "--rate=3/s", "--together"],
    "--together is about --bursts, and none is given; add --bursts, such as 50@1m",
  ],
  [
    ["--limit=5/s", "--rate=3"],
    '--rate: "3" is no rate; write the requests of each client, such as 3/s, 20/m or 1.5/h, at most 1000000/s',
  ],
  [
    ["--limit=5/s", "--bursts=50"],
    '--bursts: "50" is no burst; write requests@time, the time in us, ms, s, m or h, such as 50@1m for 50 at once every minute, or 50@1m+5s if each client may be 5 s late',
  ],
  [
    ["--limit=5/s,6/s", "--rate=3/s", "--retry=atb,aatb"],
    "--retry aatb needs a single --limit, because its clients are given that limit; remove the others",
  ],
  [
    ["--limit=5/s", "--rate=3/s", "--clients=4", "--per-address=5"],
    '--per-address must be an integer from 1 to 4; got "5"',
  ],
  [
    ["--limit=5/s", "--bursts=50@1m+5"],
    '--bursts: "50@1m+5" is no burst; write requests@time, the time in us, ms, s, m or h, such as 50@1m for 50 at once every minute, or 50@1m+5s if each client may be 5 s late',
  ],
  [
    ["--limit=5/s", "--rate=3/s", "--for=10"],
    '--for must be a time above 0 and of at most a year, in us, ms, s, m or h, such as 30s or 10m; got "10"',
  ],
  [
    ["--limit=5/s", "--rate=3/s", "--for=365d"],
    '--for must be a time above 0 and of at most a year, in us, ms, s, m or h, such as 30s or 10m; got "365d"',
  ],
  [
    ["--limit=5/s", "--rate=0.005/h", "--for=8000h"],
    "--rate: 0.005/h would run as 0.0036/h, because a scenario stores the summed rate of all clients with six decimals; write at least 1.8/h",
  ],
  [
    ["--limit=5/s", "--rate=0.011/h", "--clients=100", "--population=scraper", "--for=8000h"],
    "--rate: 0.011/h would run as 0.01098/h, because a scenario stores the summed rate of all clients with six decimals; write at least 0.09/h",
  ],
  [
    ["--limit=5/s", "--rate=3/s", "--retry=backof"],
    'there is no kind of retry "backof"; did you mean backoff?',
  ],
  [
    ["--limit=5/s", "--rate=3/s", "--retry=none,immediately"],
    'there is no kind of retry "immediately"; did you mean at-once?',
  ],
  [
    ["--limit=5/s", "--rate=3/s", "--algorithm=gcr"],
    'there is no algorithm "gcr"; did you mean gcra?',
  ],
  [
    ["--limit=5/s", "--rate=3/s", "--profile=ngin"],
    'there is no profile "ngin"; did you mean nginx?',
  ],
  [
    ["--limit=5/s", "--rate=3/s", "--algorithm=drl", "--burst=3"],
    "--burst needs gcra, or a profile that decides by gcra; add --algorithm gcra",
  ],
  [
    ["--limit=5/s", "--rate=3/s", "--population=flet"],
    'there is no population "flet"; did you mean fleet?',
  ],
  [
    ["--limit=5/s", "--bursts=3@1m", "--population=fleet"],
    "--population spreads the requests of --rate, and none is given; add --rate",
  ],
  [["--limit=5,5/s", "--rate=3/s"], "5/1s by fixed_window is given twice; remove one"],
  [
    ["--limit=5/s", "--clients=0", "--rate=3/s"],
    '--clients must be an integer from 1 to 100000; got "0"',
  ],
  [
    ["--limit=5/s", "--clients=1000", "--rate=3/s"],
    "the traffic is 1,800,000 requests; at most 1,000,000 are tried, so write fewer --clients, or a shorter --for",
  ],
  [
    ["--limit=5/s", "--rate=1/h", "--for=1ms"],
    "the traffic is less than one request; write a longer --for",
  ],
  [
    ["--limit=5/s", "--bursts=1@1ms"],
    "--bursts: a burst every 1ms for 10m is more than 1000 bursts; write a shorter --for",
  ],
])("%j: %s", (args, sentence) => {
  const parsed = parseArguments(command, args);
  if (isFailure(parsed)) throw new Error(parsed.message);
  const question = tryQuestion(parsed);
  expect(isFailure(question) && question.message).toBe(sentence);
});

test("as many requests are planned as the sentence names", async () => {
  const traffic = ["--limit=5/s", "--clients=200", "--rate=0.01/h", "--for=8000h"];
  const { out } = await weir(folderWith({}), ["try", ...traffic, "--algorithm=drl", "--json"]);
  const result = JSON.parse(out) as TryResult;
  expect(result.traffic).toContain("200 clients send 0.01 requests an hour each, evenly spaced");
  const planned = 200 * 0.01 * 8000;
  expect(Math.abs(result.candidates[0]!.requests - planned)).toBeLessThanOrEqual(planned / 1000);
});

test("a place for the scenario that is none is an error before the work", async () => {
  const { code, out, err } = await weir(folderWith({ file: "" }), [
    ...TRAFFIC,
    "--algorithm=drl",
    "--scenario=file/t.yaml",
  ]);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain("weir try: file: a part of the path is not a folder");
});

test("a scenario that cannot be saved in the end is an error after the result", async () => {
  const { code, out, err } = await weir(folderWith({}), [
    ...TRAFFIC,
    "--algorithm=drl",
    "--scenario=/dev/full",
  ]);
  expect(code).toBe(2);
  expect(out).toContain("drl");
  expect(err).toMatch(/^weir try: \/dev\/full: no space is left/);
});
