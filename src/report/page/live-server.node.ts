// Shows reports that follow one another to browsers on this machine, and sends them the state of the run.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { trustMarkup } from "../html/html.ts";
import { livePage, LIVE_STYLE, type LiveState } from "./live.ts";
import { hashOf, partsOfPage } from "./page-text.node.ts";

export interface LiveServer {
  readonly url: string;
  readonly update: (state: Partial<Omit<LiveState, "server" | "page">>) => void;
  /** The next report, as a whole page. */
  readonly show: (page: Buffer) => void;
  readonly stop: () => Promise<void>;
}

const ADDRESS = "127.0.0.1";
const HTML = "text/html; charset=utf-8";

/** Throws what `listen` throws, where the port is taken. */
export async function startLiveServer(port: number, command: string): Promise<LiveServer> {
  const { live } = await partsOfPage();
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(live)}`,
    `style-src ${hashOf(LIVE_STYLE)}`,
    "connect-src 'self'",
    "frame-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const around = String(livePage(command, trustMarkup(policy), trustMarkup(live)));
  const listeners = new Set<ServerResponse>();
  const name = randomUUID();
  let state: LiveState = { server: name, page: 0, isRunning: true, progress: null, faults: [] };
  let report: Buffer | null = null;
  const event = (): string => `data: ${JSON.stringify(state)}\n\n`;
  const sendToAll = (): void => {
    for (const listener of listeners) listener.write(event());
  };

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const refuse = (status: number, why: string): void => {
      response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(`${why}\n`);
    };
    // A page from elsewhere whose name was made to lead here would otherwise read what is shown here.
    if (!hosts.has(request.headers.host ?? "")) {
      refuse(421, `this is ${url}`);
      return;
    }
    if (request.method !== "GET" && request.method !== "HEAD") {
      refuse(405, "here is only something to GET");
      return;
    }
    const headers = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
    // As it was sent: a client may send a target that is no URL.
    const [path = ""] = (request.url ?? "").split("?");
    switch (path) {
      case "/":
        response.writeHead(200, { ...headers, "content-type": HTML }).end(around);
        return;
      case "/report":
        // A link that was copied out of the report leads to the page around it, which keeps its fragment.
        if (request.headers["sec-fetch-dest"] === "document")
          response.writeHead(302, { ...headers, location: "/" }).end();
        else if (report === null) refuse(404, "there is no report yet");
        else
          response
            .writeHead(200, { ...headers, "content-type": HTML, "x-frame-options": "SAMEORIGIN" })
            .end(report);
        return;
      case "/events":
        response.writeHead(200, { ...headers, "content-type": "text/event-stream" });
        if (request.method === "HEAD") {
          response.end();
          return;
        }
        response.write(event());
        listeners.add(response);
        response.on("close", () => listeners.delete(response));
        return;
      default:
        refuse(404, `there is nothing here but ${url}`);
    }
  };
  const server = createServer(answer);
  server.listen(port, ADDRESS);
  await once(server, "listening");
  const { port: bound } = server.address() as AddressInfo;
  const url = `http://${ADDRESS}:${bound}/`;
  const hosts = new Set([`${ADDRESS}:${bound}`, `localhost:${bound}`]);
  return {
    url,
    update: (more) => {
      state = { ...state, ...more };
      sendToAll();
    },
    show: (page) => {
      report = page;
      state = { server: name, page: state.page + 1, isRunning: false, progress: null, faults: [] };
      sendToAll();
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
