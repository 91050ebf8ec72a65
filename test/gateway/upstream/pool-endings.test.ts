// Whatever an upstream does right after a response: each request has its own, and none waits for ever.
import type { Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rng } from "#src/kit/chance/rng.ts";
import { SEED } from "../../runs.ts";
import { message, rawUpstream } from "../http/wire.ts";
import { answer, OK, poolTo, request, trustCertificate, whole, type Response } from "./pools.ts";

let trusted: Awaited<ReturnType<typeof trustCertificate>>;
beforeAll(async () => {
  trusted = await trustCertificate();
});
afterAll(() => trusted.remove());

/** Of a response, by name; after all but the first the connection must carry no other request. */
const ENDINGS: Readonly<Record<string, (socket: Socket, number: string) => void>> = {
  kept: (socket, number) => socket.write(answer(number)),
  ended: (socket, number) => socket.end(answer(number)),
  surplus: (socket, number) => socket.write(answer(number) + POISON),
  announced: (socket, number) =>
    socket.write(message(OK, "Connection: close", `Content-Length: ${number.length}`) + number),
  // What such a length announces is not sent, but some upstreams send it later.
  "204": (socket) => socket.write(message("HTTP/1.1 204 No Content", "Content-Length: 6")),
  "304": (socket) => socket.write(message("HTTP/1.1 304 Not Modified", "Content-Length: 6")),
};
const NAMES = Object.keys(ENDINGS);
const POISON = answer("of another client");
/** The number of the last request, and what follows its response. */
const LAST = /\/(\d+)\/(\w+)\S* HTTP\/1\.1\r\n(?!.*HTTP\/)/s;

const responseTo = (ending: string, number: string): Response =>
  /^\d+$/.test(ending) ? { ...whole(""), status: Number(ending) } : whole(number);

test.each([
  ["TCP", 30],
  ["TLS", 15], // each ending costs a handshake
])(
  "over %s each request has its own response, however the connections before it ended",
  async (transport, rounds) => {
    const used = new Set<Socket>();
    const upstream = await rawUpstream(
      (socket, received) => {
        const [, number = "", ending = ""] = LAST.exec(received)!;
        if (used.has(socket)) socket.write(POISON);
        if (ending !== "kept") used.add(socket);
        ENDINGS[ending]!(socket, number);
      },
      transport === "TLS" ? trusted : null,
    );
    const random = rng(SEED, `endings/${transport}`);
    const pool = poolTo(upstream, { connections: 3 });
    let number = 0;
    let before = "nothing";
    for (let i = 0; i < rounds; i++) {
      const endings = Array.from(
        { length: 1 + random.int(4) },
        () => NAMES[random.int(NAMES.length)]!,
      );
      const first = number;
      number += endings.length;
      const paths = endings.map((ending, index) => `/${first + index}/${ending}/after-${before}`);
      const responses = await Promise.all(paths.map((path) => request(pool, { path })));
      expect(responses).toEqual(
        endings.map((ending, index) => responseTo(ending, String(first + index))),
      );
      before = endings.join("-");
    }
  },
);
