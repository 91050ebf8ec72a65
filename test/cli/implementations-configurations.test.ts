// weir implementations prove NAME --configurations: the proof of a reader of configurations.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { requireValue } from "#src/kit/reading/failure.ts";
import { findImplementation } from "#src/lab/implementations/catalogue.node.ts";
import { whyNotRunnable } from "#src/lab/implementations/home.node.ts";
import { readImplementationsProof } from "#src/studies/implementations/proof.ts";
import { folderWith, weir } from "./weir.ts";

const PROVE = ["implementations", "prove"];
const nginx = requireValue(await findImplementation("nginx"));

test.skipIf(whyNotRunnable(nginx) !== null)(
  "the reader of nginx is proved, and the document is saved apart from proofs of profiles",
  async () => {
    const folder = folderWith({});
    const { code, out, err } = await weir(folder, [
      ...PROVE,
      "nginx",
      "--configurations",
      "--worlds=2",
      "--seed=3",
    ]);
    expect({ code, err }).toEqual({ code: 0, err: "1 of 1: nginx: proved\n" });
    expect(out).toMatch(
      /^nginx \(1\.\S+\) decides as Weir reads its files in 2 of 2 random configurations\.\nIt made 160 decisions, /,
    );
    const file = join(folder, "reports/implementations/proofs/readers/nginx.json");
    const proof = requireValue(readImplementationsProof(readFileSync(file, "utf8")));
    expect(proof).toMatchObject({ of: "configurations", worlds: 2, footer: { proved: 1 } });
    expect(proof.implementations[0]!.again).toBe(
      "weir implementations prove nginx --configurations --seed 3 --worlds 2",
    );
  },
);

test.each([
  [
    ["limiter", "--configurations"],
    "--configurations: no reader of limiter is compared with it; name nginx or haproxy or varnish or envoy or envoy-ratelimit or spring-cloud-gateway",
  ],
  [
    ["nginx", "--configurations", "--queue", "redis://127.0.0.1:1"],
    "--queue: configurations run on this machine; leave it out",
  ],
])("%j is refused", async (args, problem) => {
  const { code, err } = await weir(folderWith({}), [...PROVE, ...args]);
  expect(code).toBe(2);
  expect(err).toContain(problem);
});

test("--configurations needs prove", async () => {
  const { code, err } = await weir(folderWith({}), ["implementations", "run", "--configurations"]);
  expect(code).toBe(2);
  expect(err).toContain("--configurations needs weir implementations prove");
});

const ZONES = "limit_req_zone $binary_remote_addr zone=a:1m rate=1r/s;";

test.each([
  [
    ["limiter", "--config=a.conf"],
    {},
    "--config: the file of a user is started by one of nginx, haproxy, varnish, envoy; name it: ",
  ],
  [
    ["--config=a.conf"],
    {},
    "--config: the file of a user is started by one of nginx, haproxy, varnish, envoy; name it: ",
  ],
  [
    ["spring-cloud-gateway", "--config=a.yml"],
    {},
    "--config: spring-cloud-gateway is not started with the file of a user, because its key resolvers are code",
  ],
  [["nginx", "--config=a.conf"], {}, "a.conf: there is no such file or folder"],
  [
    ["nginx", "--config=a.conf"],
    { "a.conf": "server {" },
    'a.conf:1: the block of "server" is not closed',
  ],
  [
    ["nginx", "--config=a.conf"],
    { "a.conf": "server { listen 80; }" },
    "a.conf has no limit of nginx; name the file",
  ],
  [["haproxy", "--config=a.conf"], { "a.conf": ZONES }, "a.conf"],
  [
    ["nginx", "--config=a.conf"],
    { "a.conf": "include b.conf;" },
    "a.conf:1: include b.conf: b.conf does not exist",
  ],
  [
    ["nginx", "--config=a.conf", "--only=five-of-ten"],
    {},
    "--only is of behaviours, and --config of a file; remove one",
  ],
  [["nginx", "--worlds=3"], {}, "--worlds needs --config or prove; add --config FILE"],
])("run %j is refused", async (args, files, problem) => {
  const { code, out, err } = await weir(folderWith(files), ["implementations", "run", ...args]);
  expect([code, out, err]).toEqual([
    2,
    "",
    expect.stringContaining(`weir implementations: ${problem}`),
  ]);
});
