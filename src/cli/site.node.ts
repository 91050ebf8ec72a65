// `weir site`: serves the site on this machine, or saves it as a folder for any web server.
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { createFolders, whyNoFolder } from "../kit/reading/folder.node.ts";
import { whyUnreadable } from "../kit/reading/text-file.node.ts";
import type { LoopbackServer } from "../show/page/loopback.node.ts";
import { withAddress } from "../show/site/shell.ts";
import { serveSite, siteFiles, type SiteFiles } from "../show/site/site-files.node.ts";
import type { Action } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { openInBrowser } from "./html-option.node.ts";
import { portOf } from "./parse-arguments.node.ts";
import type { Terminal } from "./terminal.ts";

export const site: Action = async ({ switches, values }, terminal, refuse) => {
  const folder = values.get("out");
  if (folder !== undefined && (values.has("port") || switches.has("open")))
    return refuse("--out saves the site and serves nothing; leave --port and --open out");
  const address = addressIn(values.get("address"));
  if (isFailure(address)) return refuse(address.message);
  if (address !== null && folder === undefined)
    return refuse("--address is for a site that is saved; add --out FOLDER");
  const port = portOf("port", values.get("port") ?? "0");
  if (isFailure(port)) return refuse(port.message);
  const unwritable = folder === undefined ? null : whyNoFolder(folder);
  if (unwritable !== null) return refuse(unwritable);
  const files = await siteFiles();
  return folder === undefined
    ? serveUntilSignal(files, port, "", switches.has("open"), terminal)
    : save(address === null ? files : withAddresses(files, address), folder, terminal);
};

/** The address of the root of a hosted site, which ends with a slash. */
function addressIn(value: string | undefined): string | Failure | null {
  if (value === undefined) return null;
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "")
    return new Failure(
      `--address is no address of a site: ${value}; write https://example.org/weir/`,
    );
  return url.href.endsWith("/") ? url.href : `${url.href}/`;
}

const withAddresses = (files: SiteFiles, address: string): SiteFiles =>
  new Map(
    [...files].map(([path, contents]) => [
      path,
      path.endsWith(".html") ? Buffer.from(withAddress(String(contents), path, address)) : contents,
    ]),
  );

function save(files: SiteFiles, folder: string, { err }: Terminal): ExitCode {
  for (const [path, contents] of files) {
    const file = join(folder, path);
    try {
      createFolders(dirname(file));
      writeFileSync(file, contents);
    } catch (error) {
      err(`${file}: ${whyUnreadable(error)}`);
      return EXIT.usage;
    }
  }
  err(`saved: ${files.size} files in ${folder}, for any web server`);
  return EXIT.passed;
}

/** Serves until a signal arrives. `at` is the path of the first page to show. */
export async function serveUntilSignal(
  files: SiteFiles,
  port: number,
  at: string,
  isOpened: boolean,
  { err, out }: Terminal,
): Promise<ExitCode> {
  const ended = Promise.withResolvers<void>();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => ended.resolve());
  let server: LoopbackServer;
  try {
    server = await serveSite(files, port);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why =
      code === "EADDRINUSE" ? "it is in use; leave it out to take any free port" : message;
    err(`port ${port}: ${why}`);
    return EXIT.usage;
  }
  out(`${server.url}${at}`);
  err("serving on this machine only; Ctrl-C ends");
  // Not awaited, because the program that opens the browser may run until the browser is closed.
  if (isOpened)
    void openInBrowser(`${server.url}${at}`).then((problem) =>
      problem === null ? undefined : err(problem),
    );
  await ended.promise;
  await server.stop();
  return EXIT.interrupted;
}
