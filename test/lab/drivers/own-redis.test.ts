import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { startOwnRedis } from "#src/lab/drivers/own-redis.node.ts";

const children = (): readonly string[] =>
  execFileSync("ps", ["-o", "pid=,comm=", "--ppid", `${process.pid}`], { encoding: "utf8" })
    .split("\n")
    .filter((line) => /\bredis-server$/.test(line));

test("a server ends with its run, though what keeps it was stopped", async () => {
  const before = new Set(children());
  const { url, stop } = await startOwnRedis();
  const [server] = children().filter((line) => !before.has(line));
  process.kill(-Number.parseInt(server!), "SIGSTOP"); // its group: the server, and the reader that ends it
  await stop();
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  const [error] = (await once(socket, "error")) as [NodeJS.ErrnoException];
  expect(error.code).toBe("ECONNREFUSED");
});
