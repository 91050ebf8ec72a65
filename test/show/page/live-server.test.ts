import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { startLiveServer } from "#src/show/page/live-server.node.ts";

test("any request gets a response, and the next one too", async () => {
  const server = await startLiveServer(0, "weir run");
  onTestFinished(() => server.stop());
  const { host, port } = new URL(server.url);
  const statusLineOf = async (target: string): Promise<string> => {
    const socket = connect(Number(port), "127.0.0.1");
    await once(socket, "connect");
    socket.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    return (await text(socket)).split("\r\n", 1)[0]!;
  };
  for (const target of ["//", "///", "http://[", "//[::1", "/%", "/report/../"])
    expect.soft(await statusLineOf(target), target).toMatch(/^HTTP\/1\.1 40[04] /);
  expect(await statusLineOf("/?run=1")).toBe("HTTP/1.1 200 OK");
});

test("HEAD is answered as GET is, without a body", async () => {
  const server = await startLiveServer(0, "weir run");
  onTestFinished(() => server.stop());
  server.show(Buffer.from("<!doctype html>"));
  for (const path of ["", "report", "events", "nothing"]) {
    const [head, get] = await Promise.all(
      ["HEAD", "GET"].map((method) => fetch(`${server.url}${path}`, { method })),
    );
    expect.soft(head!.status, path).toBe(get!.status);
    expect.soft(head!.headers.get("content-type"), path).toBe(get!.headers.get("content-type"));
    expect.soft(await head!.text(), path).toBe("");
    await get!.body?.cancel();
  }
});
