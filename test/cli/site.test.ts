// `weir site` and `weir run --playground`: the site of the built command, on this machine or in a folder.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PNG } from "pngjs";
import { request } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { stateOf } from "#src/show/site/address.ts";
import { entry } from "../built.ts";
import { sample } from "./samples.ts";
import { folderWith, quietEnvironment, weir } from "./weir.ts";

/** The address that it prints; it ends with the test. */
async function startCommand(folder: string, ...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [entry(), ...args], {
    cwd: folder,
    env: { ...quietEnvironment, PATH: "" }, // there is no browser to open
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(async () => {
    const ended = once(child, "close");
    child.kill("SIGINT");
    expect(await ended).toEqual([130, null]);
  });
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  return line;
}

test("the site is served on this machine, compressed if a client can read that", async () => {
  const url = await startCommand(tmpdir(), "site");
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  const page = await request(`${url}playground/`);
  expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(await page.body.text()).toContain("<title>Weir playground</title>");
  const script = await request(`${url}assets/worker.js`, {
    headers: { "accept-encoding": "gzip" },
  });
  expect(script.headers["content-encoding"]).toBe("gzip");
  expect((await script.body.arrayBuffer()).byteLength).toBeLessThan(250_000);
  const moved = await request(`${url}playground`);
  expect([moved.statusCode, moved.headers["location"]]).toEqual([301, "/playground/"]);
  for (const path of ["nothing", "../package.json", "%2e%2e/package.json", "assets"])
    expect(await statusOf(url, `/${path}`)).toBe(404);
  expect(await statusOf(url, "/", { host: "weir.example" })).toBe(421);
});

/** Sends a path as it is. */
async function statusOf(
  url: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<number> {
  const sent = httpRequest(url, { path, headers });
  sent.end();
  const [response] = (await once(sent, "response")) as [{ statusCode: number; resume: () => void }];
  response.resume();
  return response.statusCode;
}

test("a scenario is opened in the playground with its file, its text and the seed", async () => {
  const text = sample("limits/one");
  const folder = folderWith({ "scenarios/limits/one.yaml": text });
  const args = ["run", "scenarios/limits/one.yaml", "--playground", "--seed", "7"];
  const url = new URL(await startCommand(folder, ...args));
  expect(url.pathname).toBe("/playground/");
  expect(await stateOf(url.hash)).toEqual({ file: "scenarios/limits/one.yaml", seed: 7, text });
});

test("the site is saved as files for any web server", async () => {
  const folder = mkdtempSync(join(tmpdir(), "weir-site-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { code, out, err } = await weir(folder, [
    "site",
    "--out",
    "public",
    "--address",
    "https://example.org/weir",
  ]);
  expect({ code, out }).toEqual({ code: 0, out: "" });
  expect(err).toMatch(/^saved: \d+ files in public, for any web server\n$/);
  const page = readFileSync(join(folder, "public/playground/index.html"), "utf8");
  expect(page).toContain('<meta property="og:url" content="https://example.org/weir/playground/">');
  const preview = /property="og:image" content="https:\/\/example\.org\/weir\/(.*?)"/.exec(
    page,
  )?.[1];
  const { width, height } = PNG.sync.read(readFileSync(join(folder, "public", preview!)));
  expect([width, height]).toEqual([1200, 630]);
  const addresses = [...page.matchAll(/(?:src|href)="([^"#]*)"/g)].map(([, address]) => address!);
  expect(addresses.length).toBeGreaterThan(4);
  const missing = addresses.filter(
    (each) => !each.startsWith("data:") && !existsSync(join(folder, "public/playground", each)),
  );
  expect(missing).toEqual([]);
});

test.each([
  [["site", "--port", "65536"], '--port must be a port, or 0 for any free one; got "65536"'],
  [
    ["site", "--out", "x", "--open"],
    "--out saves the site and serves nothing; leave --port and --open out",
  ],
  [
    ["site", "--out", "x", "--address", "example.org"],
    "--address is no address of a site: example.org; write https://example.org/weir/",
  ],
  [
    ["run", "--playground", "--html", "x.html"],
    "--html cannot be combined with --playground, because it shows its results in the browser only",
  ],
  [["run", "a.yaml", "b.yaml", "--playground"], "--playground shows one scenario file; got 2"],
])("%j is rejected", async (args, why) => {
  const folder = folderWith({ "a.yaml": sample("limits/one"), "b.yaml": sample("limits/one") });
  const { code, err } = await weir(folder, args);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(why) as string });
});
