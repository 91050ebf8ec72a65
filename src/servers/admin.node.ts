// The admin listener: a few doors for whoever runs the gateway. It decides nothing; each door is handed in.
import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ownPageAt, type OwnPages } from "./own-pages.node.ts";

export interface AdminAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

export interface AdminRoute {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly answer: (body: string) => AdminAnswer | Promise<AdminAnswer>;
}

export interface AdminOptions {
  readonly host: string;
  readonly port: number;
  readonly secret: () => string; // read again for each request, because a reload may change it
  readonly routes: readonly AdminRoute[];
  /** Everything below other addresses; false: this is none of them. */
  readonly others?: (from: IncomingMessage, to: ServerResponse) => boolean;
  readonly pages: OwnPages; // open to whoever reaches the listener: nothing secret is told, nothing changes
}

export interface AdminServer {
  readonly url: URL;
  readonly close: () => Promise<void>;
}

export const adminJson = (status: number, value: unknown): AdminAnswer => ({
  status,
  type: "application/json",
  text: JSON.stringify(value),
});

/** MGT-C6: the form of every error here. */
export const adminError = (status: number, message: string): AdminAnswer =>
  adminJson(status, { Status: "Error", Message: message, Meta: null });

const MOST_BYTES = 1_048_576; // MGT-C1

export async function serveAdmin(options: AdminOptions): Promise<AdminServer> {
  const server = createServer((from, to) => {
    const page = ownPageAt(options.pages, from.url ?? "");
    if (page !== null) {
      page(from, to);
      return;
    }
    if (options.others?.(from, to) === true) return;
    answerOf(options, from, to).then(
      (answer) => write(to, answer),
      () => write(to, adminError(500, "This is a fault of the gateway itself")), // MGT-C1: no internal text
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const { host } = options;
  return {
    url: new URL(`http://${host.includes(":") ? `[${host}]` : host}:${port}`),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answerOf(
  { routes, secret }: AdminOptions,
  from: IncomingMessage,
  to: ServerResponse,
): Promise<AdminAnswer> {
  const path = (from.url ?? "/").split("?", 1)[0]!;
  const here = routes.filter((route) => route.path === path);
  const route = here.find(({ method }) => method === from.method);
  // Who has no business here learns nothing, not even which doors there are.
  if (!isSecret(from.headers["admin-auth"], secret()))
    return adminError(401, "Admin-Auth is missing or wrong");
  if (here.length === 0) return adminError(404, "Not Found");
  if (route === undefined) {
    to.setHeader("Allow", here.map(({ method }) => method).join(", "));
    return adminError(405, `${path} answers ${here.map(({ method }) => method).join(", ")}`);
  }
  const body = await bodyOf(from);
  if (body === null) {
    to.setHeader("Connection", "close");
    return adminError(413, `A body has at most ${MOST_BYTES} bytes`);
  }
  return route.answer(body);
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** In constant time, whatever is said and however long it is. An empty secret never opens anything. */
export function isSecret(said: string | readonly string[] | undefined, secret: string): boolean {
  const isSame = timingSafeEqual(digest(typeof said === "string" ? said : ""), digest(secret));
  return isSame && secret !== "";
}

/** Null where it is too long: the rest is not read. */
async function bodyOf(from: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of from as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MOST_BYTES) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function write(to: ServerResponse, { status, type, text }: AdminAnswer): void {
  if (to.destroyed || to.headersSent) return;
  to.writeHead(status, { "Content-Type": type, "Content-Length": Buffer.byteLength(text) });
  to.end(text);
}
