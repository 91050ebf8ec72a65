// The steps of the Dockerfile, carried out in a root of Debian's packages, because no engine of containers runs here. What
// it starts then runs as it does in a container: as its user, the first of its processes, below a root that is read-only.
import { spawn, spawnSync, type ChildProcess, type SpawnSyncReturns } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { commandOf, stepsOf, type Instruction } from "./dockerfile.ts";
import { requireRelease, waitForLine } from "./rooted.ts";

const PROJECT = join(import.meta.dirname, "../..");
const { image, steps } = stepsOf(readFileSync(join(PROJECT, "Dockerfile"), "utf8"), {
  TARGETARCH: process.arch === "arm64" ? "arm64" : "amd64",
});

const mustRun = (program: string, ...args: readonly string[]): void => {
  const done = spawnSync(program, args, { encoding: "utf8" });
  if (done.status !== 0) throw new Error(`${program} ${args.join(" ")}: ${done.stderr}`);
};

let root = "";
const container = { env: {} as Record<string, string>, folder: "/", user: "0:0" };
const last = (name: string): Instruction => steps.findLast((step) => step.name === name)!;

/** Debian's packages of the base image, which are kept, because they are downloaded. */
function unpackBase(): void {
  const [, suite] = /^debian:(\w+)-slim$/.exec(image) ?? [];
  if (suite === undefined) throw new Error(`${image} is no image of Debian's packages`);
  const packages = join(tmpdir(), `weir-${suite}.tar`);
  if (!existsSync(packages)) {
    mustRun("mmdebstrap", "--variant=minbase", "--mode=root", suite, `${packages}.part.tar`);
    mustRun("mv", `${packages}.part.tar`, packages);
  }
  mustRun("tar", "--extract", "--file", packages, "--directory", root, "--exclude=./dev/*");
}

function carryOut({ name, flags, words, isList }: Instruction): void {
  if (name === "ENV")
    for (const word of words) container.env[word.split("=")[0]!] = word.split("=")[1]!;
  else if (name === "USER") container.user = words[0]!;
  else if (name === "WORKDIR")
    mkdirSync(join(root, (container.folder = words[0]!)), { recursive: true });
  else if (name === "COPY") {
    const to = join(root, words.at(-1)!);
    const from = words.slice(0, -1).flatMap((word) => globSync(word, { cwd: PROJECT }));
    if (from.length !== 1) throw new Error(`COPY ${words.join(" ")} finds ${from.join(" ")}`);
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(join(PROJECT, from[0]!), to);
    chmodSync(to, Number.parseInt(flags.get("chmod")!, 8));
  } else if (name === "RUN") {
    const done = runInside(container.user, ...(isList ? words : ["/bin/sh", "-c", ...words]));
    if (done.status !== 0) throw new Error(`RUN ${words.join(" ")}: ${done.stderr}`);
  }
}

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

const inside = (user: string, words: readonly string[]): readonly string[] =>
  ["--fork", "--pid", "--kill-child", "/usr/sbin/chroot", `--userspec=${user}`, root].concat(
    ["/usr/bin/env", "-C", container.folder],
    words,
  );

const runInside = (user: string, ...words: readonly string[]): SpawnSyncReturns<string> =>
  spawnSync("/usr/bin/unshare", inside(user, words), {
    encoding: "utf8",
    env: { PATH, ...container.env },
  });

function startInside(
  env: Readonly<Record<string, string>>,
  words: readonly string[],
): ChildProcess {
  const child = spawn("/usr/bin/unshare", inside(container.user, words), {
    env: { PATH, ...container.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** The first process inside, as this machine numbers it: an engine sends signals to it. */
function firstInside({ pid }: ChildProcess): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim());
}

beforeAll(() => {
  requireRelease();
  root = mkdtempSync(join(tmpdir(), "weir-image-"));
  mustRun("mount", "--bind", root, root);
  unpackBase();
  mustRun("mount", "-t", "proc", "proc", join(root, "proc"));
  mustRun("mount", "-t", "tmpfs", "-o", "mode=755", "none", join(root, "dev"));
  for (const [name, minor] of [
    ["null", "3"],
    ["urandom", "9"],
  ] as const)
    mustRun("mknod", "-m", "666", join(root, "dev", name), "c", "1", minor);
  for (const step of steps) carryOut(step);
  const [data = ""] = last("VOLUME").words;
  const options = `uid=${container.user.split(":")[0]},gid=${container.user.split(":")[1]},mode=700`;
  mustRun("mount", "-t", "tmpfs", "-o", options, "none", join(root, data));
  mustRun("mount", "-o", "remount,ro,bind", root);
});
afterAll(() => {
  mustRun("umount", "--recursive", root);
  rmSync(root, { recursive: true, force: true });
});

test("only its volume can be written to, by a user without a name", () => {
  expect(container.user).toMatch(/^[1-9]\d+:[1-9]\d+$/);
  const touch = (path: string): string => runInside(container.user, "touch", path).stderr;
  expect(touch("/data/file")).toBe("");
  for (const path of ["/file", "/tmp/file", "/usr/local/lib/weir/file"])
    expect(touch(path)).toContain("Read-only file system");
});

test("it serves as the first process, its check follows, and a signal drains it", async () => {
  const env = { WEIR_LISTEN_PORT: "18080", WEIR_ADMIN_PORT: "18081" };
  const words = [...last("ENTRYPOINT").words, ...last("CMD").words];
  const child = startInside(env, words);
  await waitForLine(child, /\nready/);
  const status = readFileSync(`/proc/${firstInside(child)}/status`, "utf8");
  expect(status).toMatch(/^NSpid:\t\d+\t1$/m);
  expect(status).toMatch(/^Uid:\t10001\t/m);
  const address = `http://127.0.0.1:${env.WEIR_LISTEN_PORT}/orders`;
  const response = await fetch(address, { headers: { Authorization: "demo-key" } });
  expect(response.status).toBe(200);
  const check = commandOf(last("HEALTHCHECK"));
  Object.assign(container.env, env);
  expect(runInside(container.user, ...check)).toMatchObject({ status: 0, stderr: "" });
  const ended = once(child, "exit");
  process.kill(firstInside(child), "SIGTERM");
  expect(await ended).toEqual([0, null]);
  expect(runInside(container.user, ...check)).toMatchObject({
    status: 1,
    stderr: "no response at port 18081: ECONNREFUSED\n",
  });
});

test("the executable is that of the release", () => {
  const [released = ""] = globSync(`release/weir-*-linux-${process.arch}`, { cwd: PROJECT });
  const copied = readFileSync(join(root, "usr/local/bin/weir"));
  expect(copied.equals(readFileSync(join(PROJECT, released)))).toBe(true);
});
