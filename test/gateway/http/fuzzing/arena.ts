// A served gateway between clients that send anything and a node:http server, all on this machine. What the gateway decides,
// what the server reads and what clients are answered is compared with what the strict reader makes of the same bytes.
import { createServer, type IncomingMessage } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { readConfiguration } from "#src/limiter/world/read.ts";
import { micros } from "#src/kit/units.ts";
import { serveGateway } from "#src/gateway/http/gateway.node.ts";
import type { Exchange } from "#src/gateway/http/observer.ts";
import type { Input } from "./inputs.ts";
import { answersIn } from "./answers.ts";
import { credentialOf, foreignHeader, upstreamWord, isOwn, targetOf, wordFor } from "./requests.ts";
import { hasPlace, type Expected } from "./expected.ts";
import { readStrictly, type Reading, type ReadRequest } from "./strict-reader.ts";

const HOST = "127.0.0.1";
/** Longer than a busy machine takes. */
const SLOW_MS = 60_000;
/** For a gateway that waits where the strict reader has given up. */
const QUIET_MS = 60;
const REMEMBERED = 20_000; // connections

/** Each connection has an address of its own, which is how the upstream knows it. */
const addressOf = (number: number): string =>
  `127.${1 + ((number >> 16) % 250)}.${(number >> 8) & 0xff}.${number & 0xff}`;

const WORLD = {
  apis: {
    open: { listen: "/open", keyless: true },
    orders: { listen: "/orders" },
  },
  keys: { alice: { apis: ["orders"] }, bob: { apis: ["orders"] } },
};

/** A finding on the connection with this address. */
interface Fault {
  readonly address: string;
  readonly what: string;
  readonly inputs: readonly number[]; // that came there until then
}

export interface Arena {
  /** Null, or what is wrong. One input after the other; several at a time have a lane each. */
  readonly play: (lane: Lane, input: Input, index?: number) => Promise<InputResult>;
  readonly lane: () => Lane;
  /** Findings after the end of their input. */
  readonly late: () => readonly string[];
  readonly counts: Counts;
  readonly stop: () => Promise<void>;
}

export interface Counts {
  begun: number;
  decided: number;
  forwarded: number;
  answered: number;
  connections: number;
}

interface InputResult {
  readonly wrong: string | null;
  readonly statuses: readonly number[];
  readonly forwarded: readonly string[];
}

interface Lane {
  connection: Connection | null;
}

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  readonly inputs: number[]; // which
  text: string; // answered, and not looked at yet
  isOver: boolean;
  onChange: () => void;
}

/** `read`: how requests should be read; another one is for tests of the arena itself. */
export async function arena(read: (text: string) => Reading = readStrictly): Promise<Arena> {
  const { configuration } = readConfiguration(WORLD);
  if (configuration === null) throw new Error("the world cannot be read");
  const byAddress = new Map<string, Expected[]>();
  const counts: Counts = { begun: 0, decided: 0, forwarded: 0, answered: 0, connections: 0 };
  const faults: Fault[] = [];
  const arrivals = new Map<string, string[]>();
  const inputsOf = new Map<string, readonly number[]>();
  const complain = (address: string, what: string): void =>
    void faults.push({ address, what, inputs: [...(inputsOf.get(address) ?? [])] });

  const recordDecision = ({ request, clientAddress }: Exchange): void => {
    counts.decided++;
    const expected = byAddress.get(clientAddress) ?? [];
    const matches = expected.filter(
      ({ read, isDecided }) =>
        !isDecided &&
        read.method === request.method &&
        targetOf(read) === request.target &&
        credentialOf(read) === request.credential,
    );
    // Two may look alike until their bodies: the whole one is decided for certain, the other one perhaps never.
    const match = matches.find(({ isWhole }) => isWhole) ?? matches[0];
    if (match === undefined)
      complain(
        clientAddress,
        `the gateway reads ${request.method} ${request.target} of ${request.credential}, and the strict reader does not`,
      );
    else match.isDecided = true;
  };

  const recordForwarded = (from: IncomingMessage, body: string, raw: string): string => {
    counts.forwarded++;
    const address = String(from.headers["x-forwarded-for"]);
    const credential = from.headers.authorization ?? null;
    const word = wordFor(from.method ?? "", from.url ?? "", credential, body);
    arrivals.set(address, [...(arrivals.get(address) ?? []), word]);
    const matches = (byAddress.get(address) ?? []).filter(
      ({ read, isWhole }) => isWhole && upstreamWord(read) === word,
    );
    if (!matches.some((one) => one.forwarded === null))
      complain(address, `the upstream reads ${word}, and the strict reader does not`);
    else if (!hasPlace(from.rawHeaders, matches)) {
      const foreign = matches.map(({ read }) => foreignHeader(from.rawHeaders, read));
      complain(
        address,
        `the upstream reads a header that nobody sent: ${foreign.find((one) => one !== null)}`,
      );
    }
    const again = read(raw);
    const [only] = again.requests;
    const isSame =
      (again.end === "between" || again.end === "closed") && // the gateway sends nothing behind a HEAD
      again.requests.length === 1 &&
      only!.method === from.method &&
      only!.target === from.url &&
      only!.body === body;
    if (!isSame)
      complain(
        address,
        `the upstream and the strict reader differ on ${JSON.stringify(raw)}: ${again.why}`,
      );
    return word;
  };

  const upstream = createServer((from, to) => {
    const chunks: Buffer[] = [];
    from.on("data", (chunk: Buffer) => chunks.push(chunk));
    from.on("end", () => {
      const raw = rawOf.get(from.socket) ?? "";
      rawOf.set(from.socket, "");
      const word = recordForwarded(from, Buffer.concat(chunks).toString("latin1"), raw);
      to.writeHead(200, { "x-read": encodeURIComponent(word), "content-length": "2" });
      to.end("ok");
    });
  });
  const rawOf = new WeakMap<Socket, string>();
  upstream.on("connection", (socket: Socket) => {
    rawOf.set(socket, "");
    socket.on("data", (chunk) => rawOf.set(socket, rawOf.get(socket)! + chunk.toString("latin1")));
  });
  upstream.on("clientError", (error, socket) => {
    const raw = JSON.stringify(rawOf.get(socket as Socket));
    if (!("code" in error) || error.code !== "ECONNRESET")
      if (!("code" in error) || error.code !== "HPE_INVALID_EOF_STATE")
        complain("-", `the upstream reads no HTTP: ${error.message} ${raw}`);
    socket.destroy();
  });
  await new Promise<void>((resolve) => upstream.listen(0, HOST, resolve));
  const gateway = await serveGateway({
    configuration,
    upstream: new URL(`http://${HOST}:${(upstream.address() as AddressInfo).port}`),
    host: HOST,
    port: 0,
    store: null,
    observer: {
      onEvent: () => {},
      onDecision: () => void counts.begun++,
      onExchange: recordDecision,
    },
    wire: {
      requestHeadersTimeoutUs: micros(SLOW_MS * 1_000),
      requestTimeoutUs: micros(SLOW_MS * 1_000),
    },
  });
  const port = Number(gateway.url.port);

  const dial = (): Connection => {
    const number = counts.connections++;
    const address = addressOf(number);
    // By then the arrivals of an old connection are complete.
    const old = addressOf(number - REMEMBERED);
    for (const known of [byAddress, inputsOf, arrivals]) known.delete(old);
    const socket = connect({ host: HOST, port, localAddress: address, noDelay: true });
    const inputs: number[] = [];
    const connection = { socket, address, inputs, text: "", isOver: false, onChange: () => {} };
    byAddress.set(address, []);
    inputsOf.set(address, inputs);
    const over = (): void => {
      connection.isOver = true;
      socket.destroy();
      connection.onChange();
    };
    socket.on("error", over);
    socket.on("end", over);
    socket.on("close", over);
    socket.on("data", (chunk) => {
      connection.text += chunk.toString("latin1");
      connection.onChange();
    });
    return connection;
  };

  const until = (connection: Connection, mostMs: number, enough: () => boolean): Promise<boolean> =>
    new Promise((resolve) => {
      const look = (isLate = false): void => {
        const isEnough = connection.isOver || enough();
        if (!isEnough && !isLate) return;
        clearTimeout(timer);
        connection.onChange = () => {};
        resolve(isEnough);
      };
      const timer = setTimeout(look, mostMs, true);
      connection.onChange = look;
      look();
    });

  const send = async ({ socket }: Connection, { text, cuts }: Input): Promise<void> => {
    let from = 0;
    for (const cut of [...cuts, text.length]) {
      socket.write(text.slice(from, cut), "latin1");
      from = cut;
      if (cut < text.length) await new Promise((resolve) => void setImmediate(resolve));
    }
  };

  const play = async (lane: Lane, input: Input, index = 0): Promise<InputResult> => {
    const connection = (lane.connection ??= dial());
    const { address } = connection;
    connection.inputs.push(index);
    const reading = read(input.text);
    const expected: Expected[] = reading.requests.map((read) => ({
      read,
      isWhole: true,
      isDecided: false,
      forwarded: null,
    }));
    if (reading.partial !== null)
      expected.push({
        read: reading.partial,
        isWhole: false,
        isDecided: false,
        forwarded: null,
      });
    // The gateway emits an exchange after its response, which may be a little later.
    byAddress.set(address, [...(byAddress.get(address) ?? []).slice(-8), ...expected]);
    arrivals.delete(address);
    const methods = expected.map(({ read }) => read.method);
    const wanted = reading.requests.length;
    await send(connection, input);
    const isIn = (): boolean => answersIn(connection.text, methods).answers.length >= wanted;
    const patience = reading.end === "wrong" || reading.end === "closed" ? QUIET_MS : SLOW_MS;
    const isAnswered = await until(connection, SLOW_MS, isIn);
    const isReusable = reading.end === "between" && !connection.isOver;
    if (!isReusable) {
      if (patience === QUIET_MS) await until(connection, QUIET_MS, () => false);
      connection.socket.end();
      await until(connection, SLOW_MS, () => false);
      lane.connection = null;
      connection.socket.destroy();
    }
    const { answers, rest, broken } = answersIn(connection.text, methods);
    counts.answered += answers.length;
    connection.text = rest;
    const mine = faults.filter((fault) => fault.address === address);
    for (const fault of mine) faults.splice(faults.indexOf(fault), 1);
    const complaint =
      mine[0]?.what ??
      (isAnswered ? null : `no answer within ${SLOW_MS} ms`) ??
      (broken === null ? null : `an answer begins with ${JSON.stringify(broken)}`) ??
      wrongAnswer(answers, reading.requests);
    return {
      wrong: complaint,
      statuses: answers.map(({ status }) => status),
      forwarded: arrivals.get(address) ?? [],
    };
  };

  const wrongAnswer = (
    answers: ReturnType<typeof answersIn>["answers"],
    requests: readonly ReadRequest[],
  ): string | null => {
    for (const [index, { status, read }] of answers.entries()) {
      const request = requests[index];
      const word = request === undefined ? null : upstreamWord(request);
      const seen = read === null ? null : decodeURIComponent(read);
      if (seen !== null && seen !== word)
        return `answer ${index} is to ${seen}, and the strict reader has ${word} there`;
      if (seen === null && status < 400 && !isOwn(request))
        return `answer ${index} is ${status}, and the upstream has read nothing`;
    }
    return null;
  };

  return {
    play,
    lane: () => ({ connection: null }),
    late: () =>
      faults.map(
        ({ what, inputs }) => `${what}, after it was played (inputs ${inputs.join(", ")})`,
      ),
    counts,
    stop: async () => {
      // Of clients that have gone the gateway learns at once, or when it looks again.
      const deadline = performance.now() + 2_000;
      while (counts.begun > counts.decided && performance.now() < deadline)
        await new Promise((resolve) => void setTimeout(resolve, 50));
      await gateway.stop();
      upstream.closeAllConnections();
      await new Promise((resolve) => void upstream.close(resolve));
    },
  };
}
