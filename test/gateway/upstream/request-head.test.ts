import { expect, test } from "vitest";
import { RequestHeads, withFraming } from "#src/gateway/upstream/request-head.ts";

const headOf = (method: string, path: string, ...headers: string[]) =>
  new RequestHeads("h:1").write({ method, path, headers, body: null });

test("a head has its host, its connection and the headers as they are", () => {
  expect(headOf("GET", "/a?b=\xe9", "X-A", "b\tc", "x-a", "")).toEqual({
    text: "GET /a?b=\xe9 HTTP/1.1\r\nhost: h:1\r\nconnection: keep-alive\r\nX-A: b\tc\r\nx-a: \r\n",
    declared: null,
    expectsBody: false,
    isLast: false,
  });
  expect(headOf("HEAD", "/")?.text).toContain("\r\nconnection: close\r\n");
  expect(headOf("PUT", "/", "Content-Length", "007")).toMatchObject({ declared: 7 });
});

test("the last request of a connection announces its end: servers may answer HEAD with a body, and leave that of GET", () => {
  for (const [method, body] of [
    ["HEAD", null],
    ["GET", {}],
  ] as const) {
    const head = new RequestHeads("h:1").write({ method, path: "/", headers: [], body })!;
    expect(head.isLast).toBe(true);
    expect(head.text).toContain("\r\nconnection: close\r\n");
  }
  const post = { method: "POST", path: "/", headers: [], body: {} };
  expect(new RequestHeads("h:1").write(post)!.isLast).toBe(false);
});

test("an empty body is framed where the method expects one", () => {
  const framingOf = (method: string, length: number | null): string =>
    withFraming(headOf(method, "/")!, length).split("keep-alive\r\n")[1]!;
  expect(framingOf("GET", 0)).toBe("\r\n");
  expect(framingOf("POST", 0)).toBe("content-length: 0\r\n\r\n");
  expect(framingOf("GET", 3)).toBe("content-length: 3\r\n\r\n");
  expect(framingOf("POST", null)).toBe("transfer-encoding: chunked\r\n\r\n");
});

test.each([
  ["a line break in a value", "GET", "/", "X-A", "b\r\nX-B: c"],
  ["LF in a value", "GET", "/", "X-A", "b\nc"],
  ["a zero byte in a value", "GET", "/", "X-A", "\0"],
  ["a letter that is no byte", "GET", "/", "X-A", "\u0100"],
  ["a line break in a name", "GET", "/", "X-A\r\nX-B", "b"],
  ["an empty name", "GET", "/", "", "b"],
  ["a blank in a path", "GET", "/ HTTP/1.1\r\nX-A: b"],
  ["a path without a slash", "GET", "a"],
  ["a method that is none", "GET /", "/"],
  ["two lengths", "POST", "/", "Content-Length", "1", "content-length", "1"],
  ["a length that is none", "POST", "/", "Content-Length", "1, 1"],
  ["a transfer coding", "POST", "/", "Transfer-Encoding", "chunked"],
  ["a host", "GET", "/", "Host", "g"],
  ["a connection", "GET", "/", "Connection", "close"],
])("%s is not sent", (_, method, path, ...headers) => {
  expect(headOf(method, path, ...headers)).toBeNull();
});

test("the requests before change no head, whatever they were", () => {
  const lists: readonly string[][] = [
    [],
    ["X-A", "b"],
    ["x-a", "b"],
    ["X-A", "c"],
    ["X-A", "b", "Content-Length", "3"],
    ["Content-Length", "3", "X-A", "b"],
    ["Content-Length", "3", "content-length", "3"],
    ["X-A", "b", "X-B", "c\nd"],
    ["X-A", "b", "X-B", "c"],
    ["X-A", "b", "Host", "c"],
    Array.from({ length: 400 }, (_, i) => (i % 2 === 0 ? "X-A" : String(i))),
    Array.from({ length: 400 }, (_, i) => (i % 2 === 0 ? "X-A" : i === 399 ? "\r" : String(i))),
  ];
  const heads = new RequestHeads("h:1");
  const requestOf = (headers: string[]) => ({ method: "PUT", path: "/", headers, body: {} });
  for (const first of lists)
    for (const second of lists) {
      heads.write(requestOf(first));
      const alone = new RequestHeads("h:1").write(requestOf(second));
      for (let i = 0; i < 2; i++) expect(heads.write(requestOf(second))).toEqual(alone);
    }
});
