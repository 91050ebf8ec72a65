// The site as `weir site` serves it, built once for all tests of this folder.
import { onTestFinished } from "vitest";
import type { LoopbackServer } from "#src/show/page/loopback.node.ts";
import { serveSite, siteFiles, type SiteFiles } from "#src/show/site/site-files.node.ts";

let built: Promise<SiteFiles> | undefined;

export const filesOfSite = (): Promise<SiteFiles> => (built ??= siteFiles());

/** Until the end of the test. */
export async function startSite(): Promise<LoopbackServer> {
  const server = await serveSite(await filesOfSite(), 0);
  onTestFinished(() => server.stop());
  return server;
}
