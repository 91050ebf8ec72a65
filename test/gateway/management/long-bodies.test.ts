// Bodies over a socket: as long as they may be, longer, and cut off (MGT-C1).
import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { appWith, CREDENTIALS } from "./app.ts";

test("a mebibyte is read, and of a longer body nothing (MGT-C1)", async () => {
  const { address } = await listening();
  const whole = JSON.stringify({ filters: { query: "x" } }).padEnd(1_048_576);
  expect(whole.length).toBe(1_048_576);
  expect((await post(address, whole)).split("\r\n", 1)).toEqual(["HTTP/1.1 200 OK"]);
  // It promises more than it sends: an answer comes all the same.
  const head = requestHead("Content-Length: 99999999");
  const response = await answerTo(address, `${head}${"x".repeat(10)}`);
  expect(response).toMatch(/^HTTP\/1\.1 413 /);
  expect(
    response.endsWith(
      '{"Status":"Error","Message":"A body has at most 1048576 bytes","Meta":null}',
    ),
  ).toBe(true);
  const chunk = `${(65_536).toString(16)}\r\n${"x".repeat(65_536)}\r\n`;
  expect(
    await answerTo(address, `${requestHead("Transfer-Encoding: chunked")}${chunk.repeat(20)}`),
  ).toMatch(/^HTTP\/1\.1 413 /);
});

test.each(["Content-Length", "chunks"])(
  "a client that reads only when all of a long body is sent still gets its 413 (%s)",
  async (how) => {
    const { address } = await listening();
    const body = "x".repeat(2_200_000);
    const [length, bytes] =
      how === "chunks"
        ? ["Transfer-Encoding: chunked", `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`]
        : [`Content-Length: ${body.length}`, body];
    const response = await new Promise<string>((resolve, reject) => {
      const socket = connect(address.port, address.host).setEncoding("utf8");
      socket.on("error", reject); // the connection must not break
      socket.write(requestHead(length) + bytes.slice(0, 1_100_000));
      // It is refused now, and goes on to send.
      socket.once("readable", () => {
        const pieces = Array.from({ length: 11 }, (_, index) =>
          bytes.slice(1_100_000 + index * 100_000).slice(0, 100_000),
        );
        const next = (): void => {
          const piece = pieces.shift();
          if (piece !== undefined) socket.write(piece, () => setImmediate(next));
          else {
            resolve(String(socket.read()));
            socket.destroy();
          }
        };
        next();
      });
    });
    expect(response).toMatch(/^HTTP\/1\.1 413 /);
  },
);

test("a body that breaks off changes nothing", async () => {
  const { address, management } = await listening();
  const socket = connect(address.port, address.host);
  socket.write(
    `${requestHead("Content-Length: 60", "/dashboard/api/users")}{"email_address": "ann@example.com"`,
  );
  await once(socket, "connect");
  socket.end();
  await once(socket.resume(), "close");
  expect((await management.records.list("users", null)).total).toBe(0);
});

interface Address {
  readonly host: string;
  readonly port: number;
}

async function listening() {
  const { serve, management } = await appWith();
  const served = await serve();
  await served.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(() => served.close());
  const { port } = served.server.address() as AddressInfo;
  return { address: { host: "127.0.0.1", port }, management };
}

const requestHead = (length: string, path = "/dashboard/api/users/search"): string =>
  [
    `POST ${path} HTTP/1.1`,
    "Host: weir",
    `Authorization: Bearer ${CREDENTIALS.dashboard}`,
    "Content-Type: application/json",
    length,
    "",
    "",
  ].join("\r\n");

const post = (address: Address, body: string): Promise<string> =>
  answerTo(address, `${requestHead(`Content-Length: ${body.length}\r\nConnection: close`)}${body}`);

/** Everything that comes back until the connection ends, from either side. */
function answerTo({ host, port }: Address, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    let response = "";
    socket.setEncoding("utf8");
    socket.on("data", (part: string) => (response += part));
    socket.on("error", () => {}); // a client that still writes may lose the connection
    socket.on("close", () => resolve(response));
    socket.write(bytes);
  });
}
