import { createServer as createListener } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { afterEach, expect, test } from "vitest";
import type { Receipt } from "#src/gateway/management/events/courier.ts";
import type { Letter } from "#src/gateway/management/events/letter.ts";
import {
  webhookSender,
  type SenderOptions,
} from "#src/gateway/management/http/webhook-sender.node.ts";
import { allowing, atEnd, endAll, HERE, listening, receiver } from "./receivers.ts";

afterEach(endAll);

const LETTER: Letter = {
  delivery: {
    row: 1,
    id: "d-1",
    webhook: "one",
    event: "StoreRecovered",
    state: "waiting",
    firstUs: 0,
    lastUs: 0,
    api: null,
    key: null,
    path: null,
    meta: {},
    count: 1,
    dueUs: 0,
    attempts: 1,
    endedUs: null,
    status: null,
    error: null,
  },
  url: "",
  method: "POST",
  headers: [["content-type", "application/json"]],
  body: '{"event":"StoreRecovered","message":"ä"}',
  timeoutUs: 5_000_000,
};

function send(letter: Partial<Letter>, options: Partial<SenderOptions> = {}): Promise<Receipt> {
  const sender = webhookSender({ readAllowedReceivers: () => HERE, ...options });
  atEnd(sender.close);
  return sender.send({ ...LETTER, ...letter });
}

const at = (port: number, path = "/hook?a=b"): string => `http://127.0.0.1:${port}${path}`;

test.each(["GET", "POST", "PUT", "PATCH", "DELETE"])(
  "%s goes out as it is (EVT-3)",
  async (method) => {
    const { port, received } = await receiver();
    const headers = [
      ["X-Team", "gold"],
      ["X-Team", "silver"],
    ] as const;
    const receipt = await send({ url: at(port), method, headers });
    expect(receipt).toEqual({ status: 200, error: null });
    expect(received).toMatchObject([{ method, url: "/hook?a=b", body: LETTER.body }]);
    expect(received[0]?.headers.join("\n")).toContain("X-Team\ngold\nX-Team\nsilver");
  },
);

test("a redirection is not followed (EVT-C3)", async () => {
  const elsewhere = await receiver();
  const { port } = await receiver((_, to) =>
    to.writeHead(307, { Location: at(elsewhere.port) }).end(),
  );
  expect(await send({ url: at(port) })).toEqual({ status: 307, error: "answered 307" });
  expect(elsewhere.received).toEqual([]);
});

test("a receiver that hangs is waited for until the webhook's timeout (EVT-3)", async () => {
  const { port, received } = await receiver(() => {});
  expect(await send({ url: at(port), timeoutUs: 100_000 })).toEqual({
    status: null,
    error: "did not answer in time",
  });
  expect(received).toHaveLength(1);
});

test("so is one that accepts connections and sends nothing, and one that drips its headers", async () => {
  const silent = await listening(createListener());
  const dripping = await listening(
    createListener((socket) => {
      const drip = setInterval(() => socket.write("H"), 10);
      socket.on("close", () => clearInterval(drip)).on("error", () => socket.destroy());
    }),
  );
  for (const port of [silent, dripping]) {
    const { status, error } = await send({ url: at(port), timeoutUs: 100_000 });
    expect([status, typeof error]).toEqual([null, "string"]);
  }
});

test("an answer that never ends is one, by its status", async () => {
  const { port } = await receiver((_, to) => void to.writeHead(202).write("and then"));
  expect(await send({ url: at(port), timeoutUs: 300_000 })).toEqual({ status: 202, error: null });
});

test("an answer without an end in size is not read to its end", async () => {
  let sent = 0;
  let isOver = false;
  const { port } = await receiver((_, to) => {
    const more = (): void => {
      while (!to.destroyed && to.write(Buffer.alloc(65_536))) sent += 65_536;
    };
    to.on("drain", more).on("close", () => (isOver = true));
    to.writeHead(500);
    more();
  });
  expect(await send({ url: at(port) })).toEqual({ status: 500, error: "answered 500" });
  await expect.poll(() => isOver).toBe(true);
  expect(sent).toBeLessThan(50_000_000); // the buffers of two sockets
});

test("a letter to a receiver that resets, or to an unused port, is not delivered", async () => {
  const { port } = await receiver((from) => from.socket.resetAndDestroy());
  expect((await send({ url: at(port) })).status).toBe(null);
  const gone = createListener();
  const unusedPort = await listening(gone);
  await new Promise((resolve) => gone.close(resolve));
  const { status, error } = await send({ url: at(unusedPort) });
  expect(status).toBe(null);
  expect(error).toContain("ECONNREFUSED");
});

test("a response that is not HTTP is an error in the receipt", async () => {
  const port = await listening(
    createListener((socket) => void socket.end("220 mail.example ESMTP\r\n")),
  );
  expect(await send({ url: at(port) })).toMatchObject({ status: null });
});

test.each([
  "http://127.0.0.1:PORT/",
  "http://127.1:PORT/",
  "http://2130706433:PORT/",
  "http://0x7f.0.0.1:PORT/",
  "http://0177.0.0.1:PORT/",
  "http://[::ffff:127.0.0.1]:PORT/",
  "http://[::ffff:7f00:1]:PORT/",
  "http://localhost:PORT/",
  "http://localhost.:PORT/",
  "http://0:PORT/",
])("%s gets no request if it is not allowed (EVT-C3)", async (url) => {
  const { port, received } = await receiver();
  const receipt = await send(
    { url: url.replace("PORT", String(port)), timeoutUs: 2_000_000 },
    { readAllowedReceivers: () => allowing() },
  );
  expect(receipt.status).toBe(null);
  expect(receipt.error).toMatch(/is not allowed \(webhook_allow\)|ENOTFOUND|EAI_AGAIN/);
  expect(received).toEqual([]);
});

test("the connection goes to the checked address, even if the name resolves to another one next (EVT-C3)", async () => {
  const { port, received } = await receiver();
  const names: string[] = [];
  const addressesOf = async (name: string): Promise<readonly string[]> => {
    names.push(name);
    return names.length === 1 ? ["127.0.0.1"] : ["10.0.0.1"];
  };
  const url = `http://receiver.example:${port}/hook`;
  const sender = webhookSender({ readAllowedReceivers: () => HERE, addressesOf });
  atEnd(sender.close);
  expect((await sender.send({ ...LETTER, url })).status).toBe(200);
  expect(received[0]?.headers.join(" ")).toContain(`receiver.example:${port}`);
  // The next letter has a connection of its own, whose address is checked again.
  expect((await sender.send({ ...LETTER, url })).error).toContain("10.0.0.1");
  expect(names).toEqual(["receiver.example", "receiver.example"]);
});

test("one forbidden address is enough to reject a receiver", async () => {
  const { port, received } = await receiver();
  const addressesOf = async (): Promise<readonly string[]> => ["127.0.0.1", "169.254.169.254"];
  const { error } = await send({ url: `http://receiver.example:${port}/` }, { addressesOf });
  expect(error).toBe(`169.254.169.254 port ${port} is not allowed (webhook_allow)`);
  expect(received).toEqual([]);
});

test("the allowed receivers are read again for each letter", async () => {
  const { port } = await receiver();
  let allowed = HERE;
  const sender = webhookSender({ readAllowedReceivers: () => allowed });
  atEnd(sender.close);
  const url = at(port);
  expect((await sender.send({ ...LETTER, url })).status).toBe(200);
  allowed = allowing();
  expect((await sender.send({ ...LETTER, url })).error).toContain("not allowed");
});

test("TLS uses the name, at the checked address", async () => {
  const names: string[] = [];
  const server = createTlsServer({
    SNICallback: (name, done) => {
      names.push(name);
      done(new Error("there is no certificate"));
    },
  });
  server.on("tlsClientError", () => {});
  const port = await listening(server);
  const url = `https://receiver.example:${port}/`;
  const { status } = await send({ url }, { addressesOf: async () => ["127.0.0.1"] });
  expect([status, names]).toEqual([null, ["receiver.example"]]);
});

test.each([
  [{ url: "ftp://receiver.example/" }],
  [{ url: "nothing" }],
  [{ headers: [["no name", "x"]] as const }],
  [{ headers: [["x", "a\r\nb: c"]] as const }],
  [{ headers: [["content-length", "3"]] as const }],
  [{ headers: [["transfer-encoding", "chunked"]] as const }],
  [{ method: "CON NECT" }],
])("a letter that cannot be sent has an error: %j", async (letter) => {
  const { port, received } = await receiver();
  const { status, error } = await send({ url: at(port), ...letter });
  expect([status, typeof error]).toEqual([null, "string"]);
  expect(received).toEqual([]);
});

test("closing breaks off what is under way", async () => {
  const { port, received } = await receiver(() => {});
  const sender = webhookSender({ readAllowedReceivers: () => HERE });
  const sent = sender.send({ ...LETTER, url: at(port) });
  await expect.poll(() => received.length).toBe(1);
  await sender.close();
  expect((await sent).status).toBe(null);
});
