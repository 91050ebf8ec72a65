import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer } from "node:net";
import { Ajv2020 as Ajv } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import type { LintResult } from "#src/studies/lint/result.ts";
import { addressOf, serve } from "../studies/lint/server.ts";
import { folderWith, weir } from "./weir.ts";

const lint = async (
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly result: LintResult }> => {
  const { code, out } = await weir(folderWith({}), ["lint", ...args, "--json"]);
  return { code, result: JSON.parse(out) as LintResult };
};

test("a server that is not there, or is no HTTP, or does not respond, is unreachable", async () => {
  const closed = createTcpServer();
  const gone = await addressOf(closed);
  await new Promise((resolve) => closed.close(resolve));
  const garbage = await addressOf(createTcpServer((socket) => void socket.end("SSH-2.0-x\r\n")));
  const silent = await addressOf(createTcpServer());
  const rows = [
    [gone, "ECONNREFUSED"],
    [garbage, "no HTTP (HPE_"],
    [silent, "does not respond within 1 s"],
    ["http://nowhere.invalid/", "ENOTFOUND"],
  ] as const;
  for (const [url, why] of rows) {
    const host = new URL(url).hostname;
    const args = ["lint", url, "--for", "1s", "--allow-target", host];
    const { code, out, err } = await weir(folderWith({}), args);
    expect([code, out]).toEqual([3, ""]);
    expect(err).toContain(why);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
  }
});

test("a certificate that is not trusted is an error with its correction", async () => {
  const server = createTlsServer({});
  const url = await addressOf(server, "https");
  const { code, err } = await weir(folderWith({}), ["lint", url, "--for", "2s"]);
  expect(code).toBe(3);
  expect(err).toContain("by TLS");
});

test("a server that ends in the middle leaves its findings, and exit code 3", async () => {
  let count = 0;
  const url = await serve((request, response) => {
    if (++count > 3) request.socket.destroy();
    else response.setHeader("X-RateLimit-Limit", "5.0").end();
  });
  const { code, out, err } = await weir(folderWith({}), ["lint", url]);
  expect(code).toBe(3);
  expect(out).toContain("X-RateLimit-Limit:2 LINT-SYNTAX");
  expect(out).toContain("3 requests: 3 admitted, 0 refused");
  expect(err).toContain("ECONNRESET");
});

test("the document follows its schema", async () => {
  const { out } = await weir(folderWith({}), ["schema", "--lint"]);
  const isValid = new Ajv({ strict: false }).compile(JSON.parse(out) as object);
  const url = await serve((_request, response) => {
    response.writeHead(429, { "Retry-After": "0", RateLimit: '"a";r=1.0' }).end();
  });
  const { result } = await lint(url, "--requests", "4");
  isValid(result);
  expect(isValid.errors).toBeNull();
  expect(isValid({ ...result, format: "weir-lint/2" })).toBe(false);
});

test("a redirect is not followed", async () => {
  let followed = 0;
  const url = await serve((request, response) => {
    if (request.url === "/elsewhere") followed++;
    response.writeHead(302, { Location: "/elsewhere" }).end();
  });
  const { code, err } = await weir(folderWith({}), ["lint", url]);
  expect([code, followed]).toEqual([2, 0]);
  expect(err).toContain("redirects to /elsewhere, and redirects are not followed");
});

test("an error of the server ends the probe after one request", async () => {
  let count = 0;
  const url = await serve((_request, response) => {
    count++;
    response.writeHead(401).end();
  });
  const { code, out } = await weir(folderWith({}), ["lint", url]);
  expect([code, count]).toEqual([5, 1]);
  expect(out).toMatch(
    /^Not examined: the server answers 401 to each request, .* --header Authorization:KEY/,
  );
  expect(out).toContain("the server responds with 401");
});

test("an endless body and duplicate headers are no problem", async () => {
  const url = await serve((_request, response) => {
    response.writeHead(200, ["X-RateLimit-Limit", "5", "X-RateLimit-Limit", "6"]);
    response.on("error", () => {});
    const more = (): void => {
      if (!response.destroyed) response.write(Buffer.alloc(65_536), () => setImmediate(more));
    };
    more();
  });
  const { code, result } = await lint(url, "--requests", "3", "--for", "20s");
  expect(code).toBe(1);
  expect(result.responses).toHaveLength(3);
  expect(result.dialects[0]!.findings[0]!.code).toBe("LINT-DUPLICATE");
});

test("the caps hold, and method and headers are sent", async () => {
  const requests: string[] = [];
  const url = await serve((request, response) => {
    requests.push(
      [request.method, request.headers["x-a"], request.headers.authorization].join(" "),
    );
    response.setHeader("X-RateLimit-Remaining", "9").end();
  });
  const args = [
    "--requests",
    "7",
    "--method",
    "head",
    "--header",
    "X-A: 1",
    "--header",
    "Authorization:key",
  ];
  const { result } = await lint(url, ...args);
  expect(requests).toEqual(Array.from({ length: 7 }, () => "HEAD 1 key"));
  expect(result.ended).toBe("the cap of 7 requests is reached");
});

test.each([
  [[], "lint takes a URL, or --responses FILE"],
  [["nowhere"], "takes the address of a gateway"],
  [["http://example.org/"], "add --allow-target example.org"],
  [["http://a:b@127.0.0.1/"], "pass them with --header"],
  [["http://127.0.0.1/", "--requests", "0"], "--requests must be an integer from 1 to 10000"],
  [["http://127.0.0.1/", "--for", "60"], '--for must be a duration from 1s to 1h; got "60"'],
  [["http://127.0.0.1/", "--method", "FETCH"], "--method must be one of GET, HEAD"],
  [["http://127.0.0.1/", "--header", "secret"], "--header takes a name and a value"],
  [["http://127.0.0.1/", "--header", "A: b\r\nC: d"], "--header takes a name and a value"],
  [
    ["http://127.0.0.1/", "--responses", "a"],
    "--responses sends no requests; remove http://127.0.0.1/",
  ],
  [["--responses", "gone.har"], "gone.har: there is no such file"],
])("%j is bad usage", async (args, sentence) => {
  const { code, out, err } = await weir(folderWith({}), ["lint", ...args]);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain(sentence);
});

const at = (second: number): string => new Date(1_795_000_000_000 + second * 1000).toISOString();
const line = (second: number, status: number, headers: object): string =>
  JSON.stringify({ sentAt: at(second), receivedAt: at(second + 0.01), status, headers });

test("recorded responses are examined without a network, as lines and as HAR", async () => {
  const rows = [
    [0, 200, {}],
    [1, 429, { "Retry-After": "2" }],
    [3.5, 429, { "Retry-After": "2" }],
  ] as const;
  const har = {
    log: {
      entries: rows.map(([second, status, headers]) => ({
        startedDateTime: at(second),
        time: 10,
        request: {},
        response: {
          status,
          headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
        },
      })),
    },
  };
  const files = {
    "a.ndjson": `${rows.map(([second, status, headers]) => line(second, status, headers)).join("\n")}\n`,
    "a.har": JSON.stringify(har, null, 2),
  };
  for (const file of Object.keys(files)) {
    const { code, out } = await weir(folderWith(files), ["lint", "--responses", file]);
    expect(out).toContain(
      "advertises a wait of 2 s, and a request 2.49 s after the refusal is refused again",
    );
    expect(code).toBe(1);
  }
});

test.each([
  ["", "it has no responses"],
  ["{", "a:1: this is not JSON"],
  ['{"log": {}}', "a: log.entries: "],
  [`${line(0, 200, {})}\n{}`, "a:2: sentAt: "],
  [line(0, 99, {}), "a:1: status: "],
  [line(0, 200, { a: 1 }), "a:1: headers.a: "],
  [
    `${line(1, 200, {})}\n${line(0, 200, {})}`,
    "a: request 2 was sent before response 1 was received",
  ],
])("the file %j is no recording", async (text, problem) => {
  const { code, err } = await weir(folderWith({ a: text }), ["lint", "--responses", "a"]);
  expect(code).toBe(2);
  expect(err).toContain(problem);
});
