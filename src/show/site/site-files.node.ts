// The files of the site, and their server. A build writes them next to this file; from source, Weir builds them each
// time, so that no page is older than its source.
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import {
  HEADERS,
  startLoopback,
  type LoopbackServer,
  type PageRequest,
} from "../page/loopback.node.ts";

export type SiteFiles = ReadonlyMap<string, Buffer>; // by path from the root of the site

/** The folder of a build, relative to this file. */
export const BUILT_SITE = "built";

export async function siteFiles(): Promise<SiteFiles> {
  if (extname(import.meta.filename) === ".ts") {
    const { buildSite } = await import("./build-site.node.ts");
    const { files } = await buildSite(join(import.meta.dirname, "../../.."));
    return new Map(
      [...files].map(([path, text]) => [path, typeof text === "string" ? Buffer.from(text) : text]),
    );
  }
  return siteFilesIn(join(import.meta.dirname, BUILT_SITE));
}

export const siteFilesIn = (folder: string): SiteFiles =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file.slice(folder.length + 1).replaceAll("\\", "/"), readFileSync(file)]),
  );

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".yaml": "text/plain; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

/** Throws the error of `listen` if the port is taken. */
export function serveSite(files: SiteFiles, port: number): Promise<LoopbackServer> {
  const compressed = new Map<string, Buffer>();
  const respond = ({ path, request, response, refuse }: PageRequest): void => {
    const name = `${path.slice(1)}${path.endsWith("/") ? "index.html" : ""}`;
    const file = files.get(name);
    if (file === undefined) {
      if (files.has(`${name}/index.html`))
        response.writeHead(301, { ...HEADERS, location: `${path}/` }).end();
      else refuse(404, "the site has no such page");
      return;
    }
    const type = TYPES[extname(name)] ?? "application/octet-stream";
    if (!/\bgzip\b/.test(request.headers["accept-encoding"] ?? "")) {
      response.writeHead(200, { ...HEADERS, "content-type": type }).end(file);
      return;
    }
    const body = compressed.get(name) ?? gzipSync(file);
    compressed.set(name, body);
    response
      .writeHead(200, { ...HEADERS, "content-type": type, "content-encoding": "gzip" })
      .end(body);
  };
  return startLoopback(port, respond);
}
