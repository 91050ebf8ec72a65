// npm run flood [-- COUNT]: requests with COUNT distinct unknown keys (2,000,000), pipelined, to a served gateway, and what the process
// holds after each quarter. Fails where a key leaves more than a few bytes. `leaking` keeps them, to show that this is noticed.
import { connect } from "node:net";
import { readConfiguration } from "../../src/core/read/read.ts";
import { serveGateway } from "../../src/servers/gateway.node.ts";

const [count = "2000000", how = ""] = process.argv.slice(2);
const keys = Number(count);
const MOST_BYTES_A_KEY = 40;
const AT_ONCE = 250;

const { configuration } = readConfiguration({
  apis: { orders: { listen: "/orders" } },
  keys: { alice: { apis: ["orders"], rate: 1, per: 60 } },
});
if (configuration === null || !Number.isSafeInteger(keys) || keys < 4 * AT_ONCE)
  throw new Error(`a count of at least ${4 * AT_ONCE}`);
const leaked: string[] = [];
const gateway = await serveGateway({
  configuration,
  upstream: null,
  host: "127.0.0.1",
  port: 0,
  store: null,
  observer: { event: () => {}, exchange: null },
});
const socket = connect(Number(gateway.url.port), "127.0.0.1");

function bytes(): number {
  for (let i = 0; i < 2; i++) globalThis.gc!();
  const { heapUsed, arrayBuffers, external } = process.memoryUsage();
  return heapUsed + arrayBuffers + external;
}

/** Resolves when all are answered, with how many were refused for their key. */
const ask = (from: number): Promise<number> =>
  new Promise((resolve) => {
    let text = "";
    const hear = (chunk: Buffer): void => {
      text += chunk.toString("latin1");
      const refused = text.match(/HTTP\/1\.1 403 /g)?.length ?? 0;
      if (refused < AT_ONCE || !text.endsWith("}")) return;
      socket.off("data", hear);
      resolve(refused);
    };
    socket.on("data", hear);
    let requests = "";
    for (let i = from; i < from + AT_ONCE; i++) {
      const key = `unknown key ${i} of many`;
      if (how === "leaking") leaked.push(key);
      requests += `GET /orders HTTP/1.1\r\nHost: g\r\nAuthorization: ${key}\r\n\r\n`;
    }
    socket.write(requests);
  });

const held: number[] = [];
const quarter = Math.floor(keys / 4 / AT_ONCE) * AT_ONCE;
for (let part = 0; part < 4; part++) {
  for (let i = 0; i < quarter; i += AT_ONCE) await ask(part * quarter + i);
  held.push(bytes());
  console.log(
    `${(part + 1) * quarter} unknown keys: ${(held.at(-1)! / 2 ** 20).toFixed(1)} MiB held`,
  );
}
// The first quarter is for what is made once.
const each = (held[3]! - held[0]!) / (3 * quarter);
console.log(`${each.toFixed(2)} bytes a key, ${leaked.length} kept`);
socket.destroy();
await gateway.stop();
process.exitCode = each < MOST_BYTES_A_KEY ? 0 : 1;
