// Servers behind the gateway whose router shows which spellings of one path it treats as the same. Each has one
// handler at two paths, for GET, and counts how often it runs.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import fastify from "fastify";
import { onTestFinished } from "vitest";

export interface RouterServer {
  readonly url: URL;
  /** How often a handler has run. */
  readonly runs: () => number;
}

export const PATH = "/orders/export";
/** With a mark that some routers decode, and a letter that some take for one beyond ASCII. */
export const MARKED_PATH = "/orders/bulk!export";
const PATHS = [PATH, MARKED_PATH];

const HOST = "127.0.0.1";

const withExpress = async (isStrict: boolean): Promise<RouterServer> => {
  let runs = 0;
  const app = express();
  if (isStrict) app.enable("strict routing").enable("case sensitive routing");
  for (const path of PATHS)
    app.get(path.replace("!", "\\!"), (_, answer) => {
      runs++;
      answer.send("exported");
    });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  onTestFinished(() => void server.close());
  return {
    url: new URL(`http://${HOST}:${(server.address() as AddressInfo).port}`),
    runs: () => runs,
  };
};

const LENIENT = { ignoreTrailingSlash: true, caseSensitive: false, useSemicolonDelimiter: true };

const withFastify = async (isLenient: boolean): Promise<RouterServer> => {
  let runs = 0;
  const app = fastify({ routerOptions: isLenient ? LENIENT : {} });
  for (const path of PATHS)
    app.get(path, () => {
      runs++;
      return "exported";
    });
  const url = new URL(await app.listen({ host: HOST, port: 0 }));
  onTestFinished(() => app.close());
  return { url, runs: () => runs };
};

/** By their names in the table of docs/serve/endpoint-spellings.md. */
export const ROUTER_SERVERS: Readonly<Record<string, () => Promise<RouterServer>>> = {
  Express: () => withExpress(false),
  "Express, strict": () => withExpress(true),
  Fastify: () => withFastify(false),
  "Fastify, lenient": () => withFastify(true),
};
