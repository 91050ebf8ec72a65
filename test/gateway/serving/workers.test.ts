import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../redis/cluster.ts";

interface Program {
  readonly process: ChildProcess;
  readonly lines: unknown[];
  readonly fetchJson: (path: string) => Promise<unknown>;
  readonly pids: () => readonly number[]; // of the workers that became ready, in order
  readonly exit: Promise<unknown>;
}

async function program(count: number, text = "first"): Promise<Program> {
  const path = join(import.meta.dirname, "worker-program.ts");
  const child = spawn(process.execPath, [path, String(count), text], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: unknown[] = [];
  createInterface(child.stdout).on("line", (line) => lines.push(JSON.parse(line)));
  const exit = once(child, "exit").then(([code]) => code as unknown);
  const news = lines as { readonly news?: string; readonly pid: number; readonly port?: number }[];
  return {
    process: child,
    lines,
    fetchJson: async (path) => {
      const port = news.find((line) => line.port !== undefined)!.port!;
      return (await fetch(`http://127.0.0.1:${port}${path}`)).json();
    },
    pids: () => news.flatMap(({ news, pid }) => (news === "ready" ? [pid] : [])),
    exit,
  };
}

async function startProgram(count: number): Promise<Program> {
  const it = await program(count);
  await until(() => it.lines.includes("started"));
  return it;
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("workers serve one address and one payload, and can request the responses of all of them", async () => {
  const { fetchJson, pids } = await startProgram(2);
  const answers = await Promise.all(Array.from({ length: 20 }, () => fetchJson("/")));
  const seen = new Set((answers as { readonly pid: number }[]).map(({ pid }) => pid));
  expect(seen).toEqual(new Set(pids()));
  expect(answers[0]).toMatchObject({ text: "first", since: 1 });
  const all = (await fetchJson("/all")) as { readonly pid: number }[];
  expect(new Set(all.map(({ pid }) => pid))).toEqual(new Set(pids()));
  expect(await fetchJson("/ready")).toBe(true);
});

test("a worker that dies is replaced, with what is in force by then, and later each time", async () => {
  const { process: primary, fetchJson, pids, lines } = await startProgram(2);
  primary.kill("SIGHUP");
  await until(async () => JSON.stringify(await fetchJson("/all")).match(/second/g)?.length === 2);
  const [first] = pids();
  process.kill(first!, "SIGKILL");
  await until(() => lines.some((line) => JSON.stringify(line).includes("died")));
  expect(await fetchJson("/ready")).toBe(false);
  expect(lines).toContainEqual({ news: "died", pid: first, how: "SIGKILL", againInMs: 100 });
  await until(async () => pids().length === 3 && (await fetchJson("/ready")) === true);
  expect(JSON.stringify(await fetchJson("/all")).match(/second/g)?.length).toBe(2);
  const replacement = pids()[2]!;
  process.kill(replacement, "SIGKILL");
  await until(() => pids().length === 4);
  expect(lines).toContainEqual({ news: "died", pid: replacement, how: "SIGKILL", againInMs: 200 });
});

test("the first signal lets running requests end, though the whole group gets it", async () => {
  const { process: primary, fetchJson, pids, exit, lines } = await startProgram(2);
  const slow = fetchJson("/slow");
  await fetchJson("/");
  for (const pid of pids()) process.kill(pid, "SIGTERM");
  primary.kill("SIGTERM");
  expect(await slow).toBe("slow");
  expect(await exit).toBe(0);
  expect(lines.at(-1)).toBe("drained");
  expect(pids().filter(isAlive)).toEqual([]);
});

test("the second signal ends all at once", async () => {
  const { process: primary, fetchJson, pids, exit } = await startProgram(2);
  const hanging = fetchJson("/hangs").catch(String);
  await fetchJson("/");
  const hangs = sleep(30_000, "hangs still", { ref: false }); // half of the time that its request takes
  primary.kill("SIGTERM");
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(pids().some(isAlive)).toBe(true);
  primary.kill("SIGTERM");
  expect(await Promise.race([exit, hangs])).toBe(0);
  expect(pids().filter(isAlive)).toEqual([]);
  expect(await hanging).toBe("TypeError: fetch failed");
});

test("a message to a worker that has just died ends nothing, and its replacement gets it", async () => {
  const { process: primary, pids, fetchJson } = await startProgram(2);
  primary.kill("SIGUSR2");
  await until(() => pids().length === 3);
  expect(await fetchJson("/all")).toMatchObject([{ text: "second" }, { text: "second" }]);
});

test("workers whose primary was killed go with it", async () => {
  const { process: primary, pids } = await startProgram(2);
  primary.kill("SIGKILL");
  await until(() => pids().every((pid) => !isAlive(pid)));
  expect(pids().length).toBe(2);
});

test("a worker that cannot start fails the start with its message, and no worker remains", async () => {
  const { exit, lines, pids } = await program(3, "broken");
  expect(await exit).toBe(1);
  expect(lines).toEqual(["Error: The configuration is broken"]);
  expect(pids()).toEqual([]);
});
