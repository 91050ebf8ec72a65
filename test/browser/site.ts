// The site as `weir site` serves it, by one server for all tests of this folder.
import type { LoopbackServer } from "#src/show/page/loopback.node.ts";
import { serveSite, siteFiles, type SiteFiles } from "#src/show/site/site-files.node.ts";
import { entry } from "../built.ts";

let files: Promise<SiteFiles> | undefined;

export function filesOfSite(): Promise<SiteFiles> {
  entry(); // built, so that no page is rendered once more
  return (files ??= siteFiles());
}

let server: Promise<LoopbackServer> | undefined;

/** It ends with the process, and what a test left in the browser is gone before the next one (opened.ts). */
export const startSite = async (): Promise<Pick<LoopbackServer, "url">> =>
  (server ??= serveSite(await filesOfSite(), 0));
