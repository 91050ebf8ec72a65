import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import {
  readImplementationsProof,
  type ImplementationsProof,
} from "#src/studies/implementations/proof.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import { findImplementation } from "#src/lab/implementations/catalogue.node.ts";
import { whyNotRunnable } from "#src/lab/implementations/home.node.ts";
import { sourceEntry } from "../built.ts";
import { folderWith, quietEnvironment, weir } from "./weir.ts";

/** The limiter that `weir implementations new` writes, with changes of its program and manifest. */
async function folderWithLimiter(
  changes: Readonly<Record<string, (text: string) => string>> = {},
): Promise<string> {
  const folder = folderWith({});
  expect(await weir(folder, ["implementations", "new", "my-limiter"])).toMatchObject({ code: 0 });
  for (const [name, change] of Object.entries(changes)) {
    const file = join(folder, "my-limiter", name);
    const text = readFileSync(file, "utf8");
    expect(change(text)).not.toBe(text);
    writeFileSync(file, change(text));
  }
  return folder;
}

const PROVE = ["implementations", "prove", "./my-limiter", "--worlds"];

const documentIn = (out: string): ImplementationsProof => JSON.parse(out) as ImplementationsProof;

test("a limiter that decides as its profile is proved, and the same worlds follow from the seed", async () => {
  const folder = await folderWithLimiter();
  const { code, out } = await weir(folder, [...PROVE, "30", "--json"]);
  const { format, implementations, footer } = documentIn(out);
  expect({ code, format, footer }).toMatchObject({
    code: 0,
    format: "weir-implementations-proof/1",
    footer: { proved: 1, partial: 0, differs: 0, vacuous: 0, failed: 0, notRun: 0 },
  });
  const [proof] = implementations;
  expect(proof!.again).toBe("weir implementations prove ./my-limiter --seed 1 --worlds 30");
  expect(proof!.cutBy).toBeNull();
  expect(proof).toMatchObject({ verdict: "proved", difference: null });
  expect(proof!.counts).toMatchObject({ worlds: 30, differing: 0, open: 0, failed: 0 });
  expect(proof!.counts.refused).toBeGreaterThan(100);
  const again = await weir(folder, [...PROVE, "30", "--json"]);
  expect(documentIn(again.out).implementations[0]!.counts).toEqual(proof!.counts);
  expect(existsSync(join(folder, "reports/implementations/proofs/my-limiter.json"))).toBe(true);
});

const WINDOW =
  'algorithm: fixed_window, fixed_window_start: first_request, rate_limit_headers: "off"';

test.each([
  ["algorithm", '{ algorithm: sliding_log, rate_limit_headers: "off" }', "decisions disagree"],
  ["imitation", `{ ${WINDOW}, imitate: { last_of_window: refused_by_client_limits } }`, "429"],
])(
  "a wrong %s differs, and the smallest world that shows it is a scenario",
  async (_, model, observed) => {
    const folder = await folderWithLimiter({
      "manifest.yaml": (text) => text.replace(/^model: .*$/m, `model: ${model}`),
    });
    const { code, out } = await weir(folder, [...PROVE, "20", "--json"]);
    expect(code).toBe(1);
    const [proof] = documentIn(out).implementations;
    expect(proof!.verdict).toBe("differs");
    const { scenario, sentence, requests, seed } = proof!.difference!;
    expect(requests).toBeLessThan(5);
    expect(sentence).toMatch(
      /^request \d+ at .*: it (admits|refuses), its profile (admits|refuses)$/,
    );
    // The world alone differs too, and so does its scenario.
    const alone = await weir(folder, [...PROVE, "1", "--seed", `${seed}`]);
    expect(alone.out).toContain("differs in 1 of 1 world");
    const file = join(folder, "least.yaml");
    writeFileSync(file, scenario);
    const run = await weir(folder, ["run", "least.yaml", "--implementation", "./my-limiter"]);
    expect(run.out).toContain(observed);
    expect(run.code).toBe(1);
  },
);

test("one request too many in windows of one length is found", async () => {
  const folder = await folderWithLimiter({
    "limiter.mjs": (text) =>
      text.replace(
        "window.spent + cost <= limit",
        "window.spent + cost <= limit + (perUs === 500_000 ? 1 : 0)",
      ),
  });
  const { code, out } = await weir(folder, [...PROVE, "40"]);
  expect(code).toBe(1);
  expect(out).toContain("it admits, its profile refuses");
});

test("a proof in which nothing is refused is vacuous", async () => {
  const folder = await folderWithLimiter({
    "limiter.mjs": (text) => text.replace('["it has one limit for a key"]', '["nothing"]'),
  });
  const file = join(folder, "my-limiter/limiter.mjs");
  const text = readFileSync(file, "utf8").replace("limits.length !== 1", "limits.length !== 0");
  writeFileSync(file, text);
  const { code, out } = await weir(folder, [...PROVE, "3"]);
  expect(out).toContain("0 proved, 0 partial, 0 differs, 1 vacuous");
  expect(code).toBe(5);
});

test("a proof that was cut short is partial, with the number of worlds that it compared", async () => {
  const folder = await folderWithLimiter();
  const { code, out } = await weir(folder, [...PROVE, "1000000", "--max-duration", "2s"]);
  expect(out).toMatch(/my-limiter 1\.0\.0: partial in \d+ worlds? of 1000000 that were wanted/);
  expect(out).toContain("cut short by --max-duration");
  expect(out).toContain("0 proved, 1 partial");
  expect(code).toBe(5);
  const saved = readFileSync(
    join(folder, "reports/implementations/proofs/my-limiter.json"),
    "utf8",
  );
  const [proof] = requireValue(readImplementationsProof(saved)).implementations;
  expect(proof).toMatchObject({ verdict: "partial", cutBy: "max-duration" });
});

test("a proof that was interrupted is no proof whose time was over, and nothing is saved", async () => {
  const folder = await folderWithLimiter({
    "limiter.mjs": (text) =>
      text
        .replace(/^/, 'import { writeFileSync } from "node:fs";\n')
        .replace("const admitted =", 'writeFileSync(process.env.BEGUN, ""); const admitted ='),
  });
  const begun = join(folder, "begun");
  const child = spawn(process.execPath, [sourceEntry, ...PROVE, "1000000"], {
    cwd: folder,
    env: { ...quietEnvironment, BEGUN: begun },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = Promise.all([readText(child.stdout), once(child, "exit") as Promise<[number]>]);
  while (!existsSync(begun)) await sleep(20);
  child.kill("SIGINT");
  const [out, [code]] = await ended;
  expect(out).toContain("cut short by an interruption, and not saved");
  expect(code).toBe(130);
  expect(existsSync(join(folder, "reports"))).toBe(false);
});

test("a limiter that ends is a failure", async () => {
  const folder = await folderWithLimiter({
    "limiter.mjs": (text) => text.replace("const admitted =", "process.exit(3); const admitted ="),
  });
  const { code, out } = await weir(folder, [...PROVE, "3"]);
  expect(out).toContain("3 worlds that could not be run");
  expect(code).toBe(1);
});

test("a missing installation is a line, and an error where it is required", async () => {
  const folder = folderWith({});
  const environment = { WEIR_IMPLEMENTATIONS: join(folder, "cache") };
  const prove = ["implementations", "prove", "nginx"];
  const without = await weir(folder, prove, environment);
  expect(without).toMatchObject({ code: 0 });
  expect(without.out).toContain("not run: nginx: ");
  const required = await weir(folder, [...prove, "--require", "all"], environment);
  expect(required.code).toBe(3);
});

test.each([
  [["prove", "nginx", "--worlds", "0"], "--worlds must be an integer from 1"],
  [["prove", "nginx", "--max-duration", "soon"], "--max-duration must be a duration"],
  [["prove", "nginx", "--only", "x"], "--only needs weir implementations run"],
  [["run", "nginx", "--worlds", "3"], "--worlds needs --config or prove; add --config FILE"],
  [["list", "--seed", "3"], "--seed needs weir implementations run or prove"],
])("weir implementations %j is rejected", async (args, sentence) => {
  const { code, err } = await weir(folderWith({}), ["implementations", ...args]);
  expect(err).toContain(sentence);
  expect(code).toBe(2);
});

const NGINX_FILE = `limit_req_zone $http_x_key zone=login:1m rate=2r/s;
server {
  listen 443 ssl;
  ssl_certificate_key /etc/ssl/shop.key;
  location = /login { limit_req zone=login burst=3; limit_req_status 429; proxy_pass http://app; }
}
`;
const nginx = requireValue(await findImplementation("nginx"));

test.skipIf(whyNotRunnable(nginx) !== null)(
  "run nginx --config compares nginx with what is read of the user's file, and saves nothing",
  async () => {
    const folder = folderWith({ "nginx.conf": NGINX_FILE });
    const args = ["run", "nginx", "--config=nginx.conf", "--worlds=1", "--json"];
    const { code, out } = await weir(folder, ["implementations", ...args]);
    const proof = requireValue(readImplementationsProof(out));
    expect([code, proof.of, proof.file]).toEqual([0, "file", "nginx.conf"]);
    expect(proof.implementations[0]).toMatchObject({
      verdict: "proved",
      again: "weir implementations run nginx --config nginx.conf --seed 1 --worlds 1",
    });
    expect(proof.implementations[0]!.counts.refused).toBeGreaterThan(3);
    expect(readdirSync(folder)).toEqual(["nginx.conf"]);
  },
);
