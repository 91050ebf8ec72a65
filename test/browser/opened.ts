// Pages as a test opens them in the browser.
import { pathToFileURL } from "node:url";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { inject, onTestFinished } from "vitest";
import { NO_CHROMIUM } from "./chromium.ts";

export interface Look extends Pick<
  BrowserContextOptions,
  "bypassCSP" | "colorScheme" | "hasTouch" | "javaScriptEnabled" | "permissions" | "reducedMotion"
> {
  readonly width?: number;
  readonly height?: number;
  readonly at?: string; // the fragment of the address
  readonly before?: () => void; // in the page, before anything of it
}

/** A busy machine is slow, and no failure. */
export const PATIENCE_MS = 50_000;

let connected: Promise<Browser> | undefined;

function browser(): Promise<Browser> {
  const address = inject("browser");
  if (address === null) throw new Error(NO_CHROMIUM);
  connected ??= chromium.connect(address);
  return connected;
}

/** Until the end of the test. A complaint of the page, or a request to another address, fails it. */
export function open(file: string, look: Look = {}): Promise<Page> {
  const address = pathToFileURL(file).href;
  return openPage(address, { ...look, offline: true }, (url) => url === address);
}

/** The same of a page that is served on this machine, which may send more requests to its server. */
export const openServed = (address: string, look: Look = {}, path = ""): Promise<Page> =>
  openPage(`${address}${path}`, look, (url) => url.startsWith(address));

/** The browser reports a server that has ended again and again. */
const AWAY = /net::ERR_(?:CONNECTION_REFUSED|CONNECTION_RESET|INCOMPLETE_CHUNKED_ENCODING)/;

async function openPage(
  address: string,
  { width = 1280, height = 900, at, before, ...look }: Look & { readonly offline?: boolean },
  mayRequest: (url: string) => boolean,
): Promise<Page> {
  const to = await browser();
  const context = await to.newContext({ viewport: { width, height }, ...look });
  const complaints: string[] = [];
  onTestFinished(async () => {
    await context.close();
    if (complaints.length > 0) throw new Error(complaints.join("\n"));
  });
  context.setDefaultTimeout(PATIENCE_MS);
  if (before !== undefined) await context.addInitScript(before);
  const page = await context.newPage();
  page.on("console", (message) => {
    const isComplaint = ["error", "warning"].includes(message.type());
    if (isComplaint && !AWAY.test(message.text())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    const url = request.url();
    if (!mayRequest(url.replace(/#.*/, "")) && !url.startsWith("data:"))
      complaints.push(`asks for ${url}`);
  });
  await page.goto(at === undefined ? address : `${address}#${at}`);
  return page;
}
