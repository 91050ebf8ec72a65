// The files of weir recommend --out: Weir runs, replays and reads them, and the programs that they are for check them.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { thousands } from "#src/kit/reading/legible.ts";
import { ALGORITHMS } from "#src/limiter/core/algorithms.ts";
import { findImplementations } from "#src/lab/implementations/catalogue.node.ts";
import { TRANSLATED_NAMES } from "#src/cli/recommend-targets.ts";
import { homeOf, searchPath, whyNotRunnable } from "#src/lab/implementations/home.node.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import type { RecommendationDocument } from "#src/studies/recommend/result.ts";
import type { ReplayResult } from "#src/studies/replay/result.ts";
import { sampleLogs } from "../docs/sample-logs.ts";
import { folderWith, weir } from "./weir.ts";

/** A day before and an hour after with less traffic, and in between the ten minutes of the sample. */
const quiet = [4, 11].map(
  (hour) =>
    `${JSON.stringify({ time: `2026-01-05T${String(hour).padStart(2, "0")}:30:00.000Z`, method: "GET", path: "/", client: "192.0.2.10" })}\n`,
);
const LOG = [quiet[0], sampleLogs["api.ndjson"], quiet[1]].join("");
const TARGET = ["--refuse-at-most", "16%", "--clients-at-most", "20%"];

async function documentOf<Document>(folder: string, args: readonly string[]): Promise<Document> {
  const { out, err } = await weir(folder, [...args, "--json"]);
  expect(err).toBe("");
  return JSON.parse(out) as Document;
}

/** The limits to ship, with what each one alone refuses of all clients. */
const readShipped = ({ advice, ship }: RecommendationDocument) =>
  ship.map((place) => {
    const { limit, perUs, rate, candidate, atRate } = advice[place]!;
    const { refused } = atRate.find((each) => each.candidate === candidate)!;
    return { limit, perUs, rate, refused };
  });

test.each(ALGORITHMS.filter((name) => name !== "gcra"))(
  "the worst hour of %s is a scenario with the refusals of a replay of that hour, and the world has those of the log",
  async (algorithm) => {
    const folder = folderWith({ "api.ndjson": LOG });
    const args = ["recommend", "api.ndjson", "--per", "1m", ...TARGET, "--out", "found"];
    const by = ["--algorithm", algorithm];
    const result = await documentOf<RecommendationDocument>(folder, [...args, ...by]);
    const { limit, refused } = readShipped(result)[0]!;
    expect(refused).toBeGreaterThan(0);
    const lines = LOG.split("\n").filter((line) => line.includes("T10:"));
    writeFileSync(join(folder, "hour.ndjson"), lines.map((line) => `${line}\n`).join(""));
    const replay = ["replay", "hour.ndjson", "--limit", limit, ...by];
    const hour = await documentOf<ReplayResult>(folder, replay);
    const { code, out } = await weir(folder, ["run", "found/worst-hour.yaml"]);
    const { requests, candidates } = hour;
    const refusals = thousands(candidates[0]!.refused);
    expect(out).toMatch(new RegExp(`${thousands(requests)} requests,.* ${refusals} refused`));
    expect(code).toBe(0);
    const own = ["replay", "api.ndjson", "--world", "found/world.yaml"];
    const world = await documentOf<ReplayResult>(folder, own);
    expect(world.candidates[0]).toMatchObject({ refused, rejected: 0 });
  },
);

test("the worst hour of free_log runs as it was decided, and no gateway serves its world", async () => {
  const folder = folderWith({ "api.ndjson": LOG });
  const args = ["recommend", "api.ndjson", "--per", "1m", ...TARGET, "--out", "found"];
  const by = ["--algorithm", "free_log"];
  const result = await documentOf<RecommendationDocument>(folder, [...args, ...by]);
  const [candidate] = result.candidates;
  expect(candidate).toMatchObject({ algorithm: "free_log", mostInWindow: candidate!.rate });
  expect(result.files).toMatchObject([
    { file: "worst-hour.yaml", isWritten: true },
    {
      file: "world.yaml",
      isWritten: false,
      about: expect.stringContaining("for scenarios in virtual time, and not for a gateway"),
    },
  ]);
  const { code, out } = await weir(folder, ["run", "found/worst-hour.yaml"]);
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringMatching(/ [1-9]\d* refused/) });
});

test("a worst hour without refusals, whose counters are new, reports that the log has some", async () => {
  const at = (minute: number): string => new Date(Date.UTC(2026, 0, 5, 10, minute)).toISOString();
  const lineOf = (minute: number): string =>
    `${JSON.stringify({ time: at(minute), ip: `192.0.2.${minute === 50 ? 2 : 1}` })}\n`;
  const log = Array.from({ length: 20 }, (_, i) => lineOf(50 + i)).join("");
  const folder = folderWith({ "a.ndjson": log });
  const args = ["recommend", "a.ndjson", "--per", "19m", "--algorithm", "sliding_log"];
  const outOf = async (share: string): Promise<string> => {
    const target = ["--refuse-at-most", share, "--clients-at-most", "60%"];
    return (await weir(folder, [...args, ...target, "--out", share])).out;
  };
  const why =
    "0 of 10 requests of 1 client refused, for weir run; the log has refusals in this hour, because of requests of earlier";
  expect(await outOf("20%")).toContain(why);
  expect(await outOf("0%")).not.toContain("the log has refusals");
});

test("--without-outliers ships the limits of the answer without it, and leaves the outliers of each out", async () => {
  const folder = folderWith(sampleLogs);
  const args = ["recommend", "api.ndjson", "--per", "1m,1s"];
  const earlier = await documentOf<RecommendationDocument>(folder, args);
  const outliers = earlier.advice.map((each) => each.outliers!.clients.map(({ client }) => client));
  expect(outliers).toEqual([["198.51.100.7"], ["192.0.2.10"]]);
  const left = [...args, "--without-outliers"];
  const text = await weir(folder, [...left, "--out", "text"]);
  expect(text).toMatchObject({ code: 0, err: "" });
  const limits = readShipped(earlier);
  const [second, minute] = limits.map(({ rate }) => rate);
  expect(text.out).toMatch(
    new RegExp(`^Ship ${second} per second and ${minute} per minute for each client by a token`),
  );
  const result = await documentOf<RecommendationDocument>(folder, [...left, "--out", "found"]);
  expect(result.advice.map(({ limit }) => limit)).toEqual(limits.map(({ limit }) => limit));
  const sum = (of: "requests" | "refused"): number =>
    result.leftOut.reduce((total, each) => total + each[of], 0);
  expect(text.out).toContain(
    `Left out: 198.51.100.7 and 192.0.2.10, with ${sum("requests")} requests, of which the limits refuse ${sum("refused")}.`,
  );
  expect(text.out).toContain("850 requests of 2 clients left out");
  expect(text.out).not.toContain("bad");
  expect(result).toMatchObject({
    leftOut: [{ requests: 400 }, { requests: 450 }],
    requests: earlier.requests - 850,
    clients: earlier.clients - 2,
    badRequests: 0,
    badClients: 0,
  });
  for (const { limit, perUs, rate, refused } of limits) {
    const per = limit.split("/")[1]!;
    const file = `found/world-${per}.yaml`;
    expect(readFileSync(join(folder, file), "utf8")).toContain(
      `rate: ${rate}, per: ${perUs / 1_000_000}s`,
    );
    const world = ["replay", "api.ndjson", "--world", file];
    const replay = await documentOf<ReplayResult>(folder, world);
    expect(replay.candidates[0]).toMatchObject({ refused });
    const hour = await weir(folder, ["run", `found/worst-hour-${per}.yaml`]);
    expect(hour.out).toContain(`2,103 requests, ${refused} refused`);
  }
});

test("a world by a header counts as the log does, and no world counts by a path", async () => {
  const named = sampleLogs["api.ndjson"]!.replaceAll("X-Api-Key", "X-Client");
  const folder = folderWith({ ...sampleLogs, "api.ndjson": named });
  const args = ["recommend", "api.ndjson", "--per", "1m", ...TARGET];
  const key = ["--key", "header:X-Client"];
  const byHeader = ["--out", "by-header", "--algorithm", "token_bucket"];
  const result = await documentOf<RecommendationDocument>(folder, [...args, ...key, ...byHeader]);
  const { refused } = readShipped(result)[0]!;
  const world = ["replay", "api.ndjson", "--world", "by-header/world.yaml", ...key];
  const replay = await documentOf<ReplayResult>(folder, world);
  expect(replay.candidates[0]).toMatchObject({ refused, rejected: 0 });
  const byPath = ["--key", "path", "--out", "by-path", "--to", "nginx"];
  const { code, out } = await weir(folder, ["recommend", "api.ndjson", "--per", "1m", ...byPath]);
  expect(code).toBe(0);
  const why = "not written: a world counts by address, by one header or for all clients together";
  for (const file of ["world.yaml", "nginx"])
    expect(out).toMatch(new RegExp(`${file} +${why}, and not by path`));
  expect(existsSync(join(folder, "by-path/world.yaml"))).toBe(false);
});

test("a header with secrets counts in a recommendation, and in no world", async () => {
  const folder = folderWith(sampleLogs);
  const key = ["--key", "header:X-Api-Key", "--out", "found"];
  const { code, out } = await weir(folder, ["recommend", "api.ndjson", "--per", "1m", ...key]);
  expect(code).toBe(0);
  expect(out).toMatch(/world\.yaml +not written: .*"X-Api-Key" carries a secret/);
  expect(existsSync(join(folder, "found/world.yaml"))).toBe(false);
});

test.each([
  [["--key", "ip", "--with-outliers"]], // an answer about outliers has no room for the sentence
  [["--key", "none"]],
  [["--key", "header:X-Client"]],
  [["--key", "header:X-Api-Key"]],
  [["--key", "path"]],
  [["--algorithm", "free_log"]],
  [["--algorithm", "gcra", "--burst", "3"]],
  [["--profile", "nginx"]],
])(
  "with %j the answer names the programs for which files are written, and no other",
  async (by) => {
    const named = sampleLogs["api.ndjson"]!.replace('"X-Api-Key"', '"X-Client":"a","X-Api-Key"');
    const folder = folderWith({ "api.ndjson": named });
    const args = ["recommend", "api.ndjson", "--per", "1m", "--top", "1", ...by];
    const { answer, canShipTo } = await documentOf<RecommendationDocument>(folder, args);
    const out = ["--out", "found", "--to", TRANSLATED_NAMES.join(",")];
    const { files } = await documentOf<RecommendationDocument>(folder, [...args, ...out]);
    const isProfile = by.includes("--profile");
    const written = files
      .filter(({ file, isWritten }) => isWritten && file !== "worst-hour.yaml" && !isProfile)
      .map(({ file }) => (file === "world.yaml" ? "serve" : file.split("/")[0]));
    expect(canShipTo).toEqual(written);
    const sentence = answer.find(({ id }) => id === "ship")?.text ?? "";
    const claimed = [...TRANSLATED_NAMES, "serve"].filter((name) => sentence.includes(name));
    expect(new Set(claimed)).toEqual(new Set(written));
  },
);

const PROGRAMS: readonly (readonly [string, string, readonly string[]])[] = [
  ["nginx", "nginx.conf", ["-t", "-p", ".", "-e", "stderr", "-c"]],
  ["haproxy", "haproxy.cfg", ["-c", "-f"]],
];

test("lines to paste and whole configurations have the limit, or a sentence why not", async () => {
  const folder = folderWith(sampleLogs);
  const to = ["--to", "nginx,haproxy,envoy,spring,tyk", "--out"];
  const by = ["--per", "1m", "--algorithm", "token_bucket"];
  const target = ["--refuse-at-most", "5%", "--clients-at-most", "5%"];
  const args = ["recommend", "api.ndjson", ...by, ...target, ...to];
  const pasted = await documentOf<RecommendationDocument>(folder, [...args, "pasted"]);
  const whole = [...args, "whole", "--complete"];
  const result = await documentOf<RecommendationDocument>(folder, whole);
  const { rate, limit } = readShipped(result)[0]!;
  const aboutOf = ({ files }: RecommendationDocument): readonly string[] =>
    files.map(({ about }) => about);
  expect(aboutOf(pasted)).toEqual(aboutOf(result));
  expect(aboutOf(pasted)[1]).toBe(
    `${limit} by token_bucket, found without 192.0.2.10, for weir serve and weir replay --world`,
  );
  const namesOf = ({ files }: RecommendationDocument): readonly string[] =>
    files.slice(2).map(({ file }) => file);
  const names = ["nginx/limit.conf", "haproxy/limit.cfg", "envoy/filter.yaml", "spring/filter.yml"];
  expect(namesOf(pasted)).toEqual([...names, "tyk"]);
  const readPasted = (file: string): string => readFileSync(join(folder, "pasted", file), "utf8");
  expect(readPasted("nginx/limit.conf")).toContain(`rate=${rate}r/m`);
  expect(readPasted("nginx/limit.conf")).not.toContain("daemon off");
  expect(readPasted("haproxy/limit.cfg")).toContain(`ge ${rate} }`);
  expect(readPasted("envoy/filter.yaml")).toContain(`tokens_per_fill: ${rate}`);
  expect(readPasted("spring/filter.yml")).toContain(`redis-rate-limiter.replenishRate: ${rate}`);
  const read = (file: string): string => readFileSync(join(folder, "whole", file), "utf8");
  expect(read("nginx/nginx.conf")).toContain(`rate=${rate}r/m`);
  expect(read("nginx/nginx.conf")).toContain(`burst=${rate - 1} nodelay`);
  expect(read("haproxy/haproxy.cfg")).toContain(`ge ${rate}`);
  expect(read("envoy/envoy.json")).toContain(`"tokens_per_fill": ${rate}`);
  expect(read("spring/application.yml")).toContain(`"redis-rate-limiter.replenishRate": ${rate}`);
  const [, , , haproxy] = result.files;
  expect(haproxy!.about).toMatch(/: the target is missed$/);
  expect(result.answer[1]!.text).toMatch(
    /^Of --to, haproxy misses the target: it refuses [\d,]+ of [\d,]+ requests; envoy limits 20 clients at once; tyk is not written\.$/,
  );
  const { refused, requests } = haproxy!.translation!.effect!;
  expect(haproxy!.about).toContain(` refuses ${refused} of ${thousands(requests)} requests `);
  const tyk = result.files.find(({ file }) => file === "tyk");
  expect(tyk).toMatchObject({ isWritten: false });
  expect(tyk!.about).toContain("does not identify a client by its ip");
});

test("without an address the fields of Tyk's API definition have the limit of all clients", async () => {
  const folder = folderWith(sampleLogs);
  const args = ["recommend", "api.ndjson", "--per", "1m", "--key", "none", "--out", "found"];
  const result = await documentOf<RecommendationDocument>(folder, [...args, "--to", "tyk"]);
  const names = ["tyk/fields-of-api.json", "tyk/fields-of-tyk.conf"];
  expect(result.files.at(-1)).toMatchObject({ file: names.join(", "), isWritten: true });
  const fields = names.map((name) => JSON.parse(readFileSync(join(folder, "found", name), "utf8")));
  expect(fields).toEqual([
    {
      disable_rate_limit: false,
      global_rate_limit: { rate: result.candidates[result.choice!]!.rate, per: 60 },
    },
    { enable_redis_rolling_limiter: true },
  ]);
});

for (const [program, file, check] of PROGRAMS)
  test(`${program} accepts its whole configuration of two limits`, async (context) => {
    const [implementation] = requireValue(await findImplementations(program));
    const why = whyNotRunnable(implementation!);
    context.skip(why !== null, why ?? "");
    const folder = folderWith(sampleLogs);
    const args = [
      "recommend",
      "api.ndjson",
      "--per",
      "1s,1m",
      "--out",
      "found",
      "--to",
      program,
      "--complete",
    ];
    const { code, out } = await weir(folder, args);
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^${program}/${file} +as ${program}`, "mu")); // has both limits
    mkdirSync(join(folder, "tmp"));
    const env = { ...process.env, ...searchPath(homeOf(implementation!)) };
    const found = join(folder, "found", program, file);
    execFileSync(program, [...check, found], { cwd: folder, env });
  });

test.each([
  [["--out", "full"], "--out full has files; choose a folder that is empty or does not exist"],
  [["--to", "nginx"], "--to writes files into a folder; add --out found"],
  [["--out", "new", "--complete"], "--complete is about the configurations of --to"],
  [["--out", "new", "--to", "ngnix"], '--to: there is no "ngnix"; there are nginx, haproxy'],
  [["--out", "a.log"], "--out a.log: "],
  [["--out", "a.log/x"], "--out a.log/x: "],
  [["--out", ""], "--out needs the name of a folder"],
  [["--out", "/proc/foo"], "--out /proc/foo: "],
])("%j is wrong: %s", async (args, sentence) => {
  const folder = folderWith({ "a.log": "", "full/world.yaml": "" });
  const { code, err } = await weir(folder, ["recommend", "a.log", "--per", "1m", ...args]);
  expect(err).toContain(sentence);
  expect(code).toBe(2);
});

test("the size of the worst hour has separated thousands", async () => {
  const line = (client: number, second: number): string =>
    `{"time":"2026-01-05T10:0${Math.floor(second / 60)}:${String(second % 60).padStart(2, "0")}.000Z","ip":"192.0.2.${client}"}\n`;
  const log = Array.from({ length: 1_500 }, (_, i) => line(i < 1_400 ? 0 : i % 12, i % 120));
  const folder = folderWith({ "a.log": log.join("") });
  const args = ["--per", "1m", "--algorithm", "token_bucket", "--without-outliers"];
  const { out } = await weir(folder, ["recommend", "a.log", ...args, "--out", "found"]);
  expect(out).toMatch(/ 1,\d{3} of 1,500 requests of 12 clients refused, for weir run\n/);
});
