// weir explain --config: why the limits of a file refuse a request of an access log.
import { expect, test } from "vitest";
import { folderWith, weir, type CommandOutput } from "./weir.ts";

const lineOf = (address: string, path: string, second: number, more = ""): string =>
  `${address} - - [05/Jan/2026:10:00:${String(second).padStart(2, "0")}${more} +0000] "GET ${path} HTTP/1.1" 200 1 "-" "x"\n`;

const FILES = {
  "access.log": [
    ...Array.from({ length: 4 }, (_, at) => lineOf("192.0.2.1", `/login`, 2 * at)),
    lineOf("192.0.2.2", "/all", 30),
    lineOf("192.0.2.1", "/all", 31),
    lineOf("192.0.2.2", "/free", 40),
    lineOf("2001:db8::1", "/login", 41),
  ].join(""),
  "nginx.conf": `limit_req_zone $remote_addr zone=login:1m rate=6r/m;
limit_req_zone $server_name zone=all:1m rate=1r/m;
server {
  server_name a.example;
  limit_req_status 429;
  location = /login { limit_req zone=login burst=2 nodelay; }
  location = /all { limit_req zone=all; limit_req zone=login; }
}
`,
};

const explain = (...more: readonly string[]): Promise<CommandOutput> =>
  weir(folderWith(FILES), ["explain", "--config", "nginx.conf", "--log", "access.log", ...more]);

const answerOf = async (request: string): Promise<readonly string[]> => {
  const { code, out } = await explain(request, "--json");
  expect(code).toBe(0);
  return (JSON.parse(out) as { answer: readonly { text: string }[] }).answer.map(
    ({ text }) => text,
  );
};

test("the first refused request of a client has its limit, place, usage and wait", async () => {
  expect(await answerOf("192.0.2.1")).toEqual([
    "GET /login of 192.0.2.1 at 2026-01-05T10:00:06Z gets 429: its budget of 6r/m of zone login, burst 2, status 429 (nginx.conf:6) is used up.",
    "3 requests of this budget came in the 6 s before (30 per minute), none of them refused.",
    "The same request would be admitted 4 s later, if no other of this budget came before.",
    "The log has whole seconds: the requests of a second are spread evenly over it, and other times may change this.",
  ]);
});

test("a budget that another client used up is named with the number of clients", async () => {
  const [why, used, wait] = await answerOf("192.0.2.1:5");
  expect(why).toContain(
    "gets 429: its budget of 1r/m of zone all, burst 0, status 429 (nginx.conf:7)",
  );
  expect(used).toContain("1 request of this budget came in the 1 s before, none of them refused.");
  // nginx counts 1r/m as 16 in 1,000 s.
  expect(wait).toContain("61.5 s later");
});

test("a request that is admitted has the limits that count it, or none", async () => {
  expect((await answerOf("192.0.2.2"))[0]).toBe(
    "GET /free of 192.0.2.2 at 2026-01-05T10:00:40Z is admitted: no limit of nginx.conf counts it.",
  );
  expect((await answerOf("192.0.2.2:1"))[0]).toMatch(
    /is admitted: .*zone all.* and .*zone login.* have room\.$/,
  );
  expect((await answerOf("2001:db8::1"))[0]).toContain("GET /login of 2001:db8::1 at");
  expect((await answerOf("[2001:db8::1]:1"))[0]).toContain("GET /login of 2001:db8::1 at");
});

test("without a client, the refused requests are listed with a command", async () => {
  const { code, out, err } = await explain();
  expect([code, err]).toEqual([0, ""]);
  expect(out).toBe(`nginx.conf refuses 2 of 8 requests.
  192.0.2.1:4  GET /login at 2026-01-05T10:00:06.000Z
  192.0.2.1:5  GET /all at 2026-01-05T10:00:31.000Z
Explain one of them: weir explain --config nginx.conf --log access.log 192.0.2.1:4
`);
});

test.each([
  [["--config", "nginx.conf"], "--config needs a log; add --log access.log"],
  [
    ["--config", "nginx.conf", "--log", "access.log", "--json"],
    "--json explains one request; name it",
  ],
  [["--log", "access.log"], "--log needs --config; add --config FILE"],
  [[], "a history or a scenario is needed; or --config nginx.conf --log access.log"],
  [
    ["--config", "nginx.conf", "--log", "access.log", "--variant", "x"],
    "--variant is of a history",
  ],
  [
    ["--config", "nginx.conf", "--log", "access.log", "a", "b"],
    "one request is explained; remove b",
  ],
  [
    ["--config", "nginx.conf", "--log", "access.log", "192.0.2.9"],
    "the log has no request of 192.0.2.9",
  ],
  [
    ["--config", "nginx.conf", "--log", "access.log", "192.0.2.1:9"],
    "the log has 5 requests of 192.0.2.1, and not number 9",
  ],
  [["--config", "none.conf", "--log", "access.log"], "none.conf: there is no such file"],
  [
    ["--config", "access.log", "--log", "access.log"],
    "access.log is no world of Weir, and no configuration",
  ],
])("%j is one sentence", async (args, problem) => {
  const { code, err } = await weir(folderWith(FILES), ["explain", ...args]);
  expect(code).toBe(2);
  expect(err).toContain(problem);
});

const WHOLE_SECONDS = expect.stringContaining("The log has whole seconds") as string;
const IS_USED_UP = expect.stringContaining("is used up.") as string;
const AFTER_ALL = expect.stringContaining(
  "3 requests of this budget came in the 6 s before",
) as string;

test.each([
  [
    "2",
    expect.stringContaining("is admitted") as string,
    ["Instance 2 of 2 decides it, which counts only its own requests; they get requests by turns."],
  ],
  [
    "2,own,sticky",
    IS_USED_UP,
    [
      AFTER_ALL,
      expect.stringContaining("4 s later") as string,
      expect.stringMatching(
        /^Instance [12] of 2 decides it, which counts only its own requests; each client stays on one\.$/,
      ) as string,
    ],
  ],
  [
    "2,shared",
    IS_USED_UP,
    [
      AFTER_ALL,
      expect.stringContaining("4 s later") as string,
      "The 2 instances count together, so that it does not matter which one decides it.",
    ],
  ],
])("with --fleet %s the budget is that of an instance or of all", async (fleet, why, more) => {
  const { code, out } = await explain("192.0.2.1:4", "--fleet", fleet, "--json");
  const { answer } = JSON.parse(out) as { answer: readonly { text: string }[] };
  expect([code, answer.map(({ text }) => text)]).toEqual([0, [why, ...more, WHOLE_SECONDS]]);
});

test("--fleet is in the command that explains a listed request, and a wrong one is refused", async () => {
  const { out } = await explain("--fleet", "2,shared");
  expect(out).toContain("--log access.log --fleet 2,shared 192.0.2.1:4\n");
  expect(await explain("--fleet", "none")).toMatchObject({
    code: 2,
    err: expect.stringContaining(
      'weir explain: --fleet: "none" is no number and no file that can be read',
    ) as string,
  });
});

test("the usage of a budget is that of the instance alone", async () => {
  const log = Array.from({ length: 10 }, (_, at) => lineOf("192.0.2.1", `/login`, 2 * at)).join("");
  const folder = folderWith({ ...FILES, "access.log": log });
  const args = ["--config", "nginx.conf", "--log", "access.log", "--fleet", "2", "192.0.2.1"];
  const { out } = await weir(folder, ["explain", ...args]);
  expect(out.replaceAll("\n", " ")).toContain(
    "4 requests of this budget came in the 16 s before (15 per minute), none of them refused.",
  );
});
