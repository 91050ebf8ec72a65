// The single executable of the last release, where there is neither a Node nor anything else.
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { startOwnRedis } from "#src/lab/drivers/own-redis.node.ts";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { emptyRoot, RELEASED, requireRelease, runIn, startIn, waitForLine } from "./rooted.ts";

let root = "";
let folder = ""; // of the package, as it is called in there

beforeAll(() => {
  requireRelease();
  root = emptyRoot(RELEASED.file);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test("it prints its version, and unpacks itself once", () => {
  const first = runIn({ root }, "/weir", "version");
  expect(first).toMatchObject({ status: 0, stdout: `${RELEASED.version}\n`, stderr: "" });
  const home = "/tmp/weir-0";
  const names = readdirSync(join(root, home));
  expect(names).toHaveLength(1);
  folder = join(home, names[0]!);
  const { ino } = JSON.parse(
    spawnSync("stat", ["--format", '{"ino": %i}', join(root, folder)], { encoding: "utf8" }).stdout,
  ) as { readonly ino: number };
  expect(runIn({ root }, "/weir", "version")).toMatchObject({ status: 0 });
  const again = spawnSync("stat", ["--format", "%i", join(root, folder)], { encoding: "utf8" });
  expect(Number(again.stdout)).toBe(ino);
});

test("it is the package of the release, and no other file", () => {
  const packed = spawnSync("tar", ["--list", "--file", RELEASED.tarball], { encoding: "utf8" });
  const files = packed.stdout
    .trim()
    .split("\n")
    .map((name) => name.replace("package/", ""));
  const unpacked = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(join(root, folder).length + 1));
  expect(unpacked.toSorted()).toEqual([...files, "import.mjs"].toSorted());
});

test("it runs the scenarios inside, in threads", () => {
  const { status, stdout, stderr } = runIn(
    { root },
    "/weir",
    "run",
    `${folder}/scenarios/cost`,
    "--quiet",
  );
  expect([status, stderr]).toEqual([0, expect.stringMatching(/of traffic/)]);
  expect(stdout).toMatch(/^[1-9]\d+ passed, 0 failed, 0 skipped$/m);
});

test("it offers questions as it was started, and answers them with the log inside", () => {
  const { stderr } = runIn({ root }, "/weir");
  const [, words = ""] = /^Which limit\? +\S*weir (recommend .*)$/m.exec(stderr) ?? [];
  const { status, stdout } = runIn({ root }, "/weir", ...words.split(" "));
  expect([status, stdout]).toEqual([
    0,
    expect.stringMatching(/^Limit each client to \d+ per minute/),
  ]);
});

test("it saves the site, and pages of results", () => {
  expect(runIn({ root }, "/weir", "site", "--out", "/site")).toMatchObject({ status: 0 });
  expect(readFileSync(join(root, "site/index.html"), "utf8")).toContain("</html>");
  const { status } = runIn({ root }, "/weir", "new", "limits/first");
  expect(status).toBe(0);
  const run = runIn({ root }, "/weir", "run", "/scenarios", "--html", "/page.html");
  expect(run).toMatchObject({ status: 0 });
  expect(readFileSync(join(root, "page.html"), "utf8")).toContain("</html>");
});

test.each(["one process", "two workers"])("it serves as %s, and ends in order", async (what) => {
  const redis = what === "two workers" ? await startOwnRedis() : null;
  onTestFinished(() => redis?.stop());
  const flags = redis === null ? [] : ["--workers", "2", "--store", redis.url];
  const env = { WEIR_LISTEN_PORT: "0", WEIR_ADMIN_PORT: "0" };
  const child = startIn({ root, env }, "/weir", "serve", "--records", "off", ...flags);
  onTestFinished(() => void child.kill("SIGKILL"));
  const [, address] = await waitForLine(child, /gateway +(http:\S+)[^]*\nready/);
  const headers = { Authorization: "demo-key" };
  const { status } = await fetch(`${address}/orders`, { headers });
  expect(status).toBe(200);
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
});

test("it names the command that installs a package where it finds it", () => {
  const { status, stderr } = runIn({ root }, "/weir", "bench", "--quick");
  const line = "npm i --prefix /tmp/weir-0 autocannon";
  expect([status, stderr]).toEqual([3, `weir bench: it needs the package autocannon: ${line}\n`]);
});

/** A file system of its own below the root, which is unmounted at the end of the test. */
function mount(name: string, options: string): (options: string) => void {
  const place = join(root, name);
  mkdirSync(place);
  const run = (...args: readonly string[]): void =>
    expect(spawnSync("mount", [...args, place], { encoding: "utf8" })).toMatchObject({ status: 0 });
  run("-t", "tmpfs", "-o", options, "none");
  onTestFinished(() => void spawnSync("umount", [place]));
  return (others) => run("-o", `remount,${others}`);
}

test("on a full disk it ends with a sentence, and leaves nothing there", () => {
  mount("full", "size=8m");
  const { status, stderr } = runIn(
    { root, env: { WEIR_UNPACKED: "/full/weir" } },
    "/weir",
    "version",
  );
  expect([status, stderr]).toEqual([
    2,
    "weir: cannot unpack itself into /full/weir: no space is left; set WEIR_UNPACKED to a folder for 20 MB\n",
  ]);
  expect(readdirSync(join(root, "full/weir"))).toEqual([]);
});

test("with a home that is read-only it ends with a sentence, or finds what is there already", () => {
  const remount = mount("home", "size=40m");
  const start = { root, env: { HOME: "/home" } };
  remount("ro");
  const { status, stderr } = runIn(start, "/weir", "version");
  expect([status, stderr]).toEqual([
    2,
    "weir: cannot unpack itself into /home/.cache/weir: this place cannot be written to; set WEIR_UNPACKED to a folder for 20 MB\n",
  ]);
  remount("rw");
  expect(runIn(start, "/weir", "version")).toMatchObject({ status: 0 });
  remount("ro");
  expect(runIn(start, "/weir", "version")).toMatchObject({ status: 0, stderr: "" });
});

test("the file for the other processor is made, and the shell names what is wrong with it", () => {
  expect(existsSync(RELEASED.ofOtherProcessor)).toBe(true);
  const { stderr } = spawnSync("bash", ["-c", `"${RELEASED.ofOtherProcessor}" version`], {
    encoding: "utf8",
  });
  expect(stderr).toContain("Exec format error");
});
