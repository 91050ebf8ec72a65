// The files of the site, and their server. A build writes them next to this file, compressed together: their pages and
// scripts have much in common. From source, they are those of a build of the same sources, or Weir builds them each time,
// so that no page is older than its source.
import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, constants, gzipSync } from "node:zlib";
import {
  HEADERS,
  startLoopback,
  type LoopbackServer,
  type PageRequest,
} from "../page/loopback.node.ts";

export type SiteFiles = ReadonlyMap<string, Buffer>; // by path from the root of the site

/** The file of a build, relative to this file. */
export const BUILT_SITE = "site.br";

export async function siteFiles(): Promise<SiteFiles> {
  if (extname(import.meta.filename) === ".ts") {
    const { ownBuild } = await import("../../studies/queue/code.node.ts");
    const dist = ownBuild();
    if (dist !== null) return readSite(join(dist, "show/site"));
    const { buildSite } = await import("./build-site.node.ts");
    const { files } = await buildSite(join(import.meta.dirname, "../../.."));
    return files;
  }
  return readSite(import.meta.dirname);
}

const readSite = (folder: string): SiteFiles => decodeSite(readFileSync(join(folder, BUILT_SITE)));

/** A higher quality takes ten times as long for a tenth of the size. */
const PARAMS = {
  [constants.BROTLI_PARAM_QUALITY]: 9,
  [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
};

/** One line with the path and the size of each file, then all files. */
export function encodeSite(files: SiteFiles): Buffer {
  const sizes = [...files].map(([path, { length }]) => [path, length]);
  const contents = [Buffer.from(`${JSON.stringify(sizes)}\n`), ...files.values()];
  return brotliCompressSync(Buffer.concat(contents), { params: PARAMS });
}

export function decodeSite(encoded: Buffer): SiteFiles {
  const contents = brotliDecompressSync(encoded);
  let end = contents.indexOf("\n") + 1;
  const sizes = JSON.parse(contents.toString("utf8", 0, end)) as readonly [string, number][];
  return new Map(sizes.map(([path, size]) => [path, contents.subarray(end, (end += size))]));
}

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
