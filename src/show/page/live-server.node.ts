// Serves a sequence of reports to browsers on this machine, and sends them the state of the run.
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { trustMarkup } from "../html/html.ts";
import { livePage, LIVE_STYLE, type LiveState } from "./live.ts";
import {
  HEADERS,
  HTML,
  startLoopback,
  type LoopbackServer,
  type PageRequest,
} from "./loopback.node.ts";
import { hashOf, partsOfPage } from "./page-text.node.ts";

export interface LiveServer extends LoopbackServer {
  readonly update: (state: Partial<Omit<LiveState, "server" | "page">>) => void;
  /** Shows the next report, a whole page. */
  readonly show: (page: Buffer) => void;
}

/** Throws the error of `listen` if the port is taken. */
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

  const respond = ({ path, request, response, refuse }: PageRequest): void => {
    switch (path) {
      case "/":
        response.writeHead(200, { ...HEADERS, "content-type": HTML }).end(around);
        return;
      case "/report":
        // If a copied link opens the report alone, redirect to the page around it. Browsers keep the fragment.
        if (request.headers["sec-fetch-dest"] === "document")
          response.writeHead(302, { ...HEADERS, location: "/" }).end();
        else if (report === null) refuse(404, "there is no report yet");
        else
          response
            .writeHead(200, { ...HEADERS, "content-type": HTML, "x-frame-options": "SAMEORIGIN" })
            .end(report);
        return;
      case "/events":
        response.writeHead(200, { ...HEADERS, "content-type": "text/event-stream" });
        if (request.method === "HEAD") {
          response.end();
          return;
        }
        response.write(event());
        listeners.add(response);
        response.on("close", () => listeners.delete(response));
        return;
      default:
        refuse(404, `no such page; the report is at ${server.url}`);
    }
  };
  const server = await startLoopback(port, respond);
  return {
    ...server,
    update: (more) => {
      state = { ...state, ...more };
      sendToAll();
    },
    show: (page) => {
      report = page;
      state = { server: name, page: state.page + 1, isRunning: false, progress: null, faults: [] };
      sendToAll();
    },
  };
}
