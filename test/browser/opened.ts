// Pages as a test opens them in the browser.
import { pathToFileURL } from "node:url";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { inject, onTestFinished } from "vitest";
import { NO_CHROMIUM } from "./chromium.ts";

export interface Look extends Pick<
  BrowserContextOptions,
  "bypassCSP" | "colorScheme" | "javaScriptEnabled" | "reducedMotion"
> {
  readonly width?: number;
  readonly height?: number;
  readonly at?: string; // what stands behind the # of the address
  readonly before?: () => void; // in the page, before anything of it
}

/** A busy machine is slow, and no failure. */
const PATIENCE_MS = 30_000;

let connected: Promise<Browser> | undefined;

function browser(): Promise<Browser> {
  const address = inject("browser");
  if (address === null) throw new Error(NO_CHROMIUM);
  connected ??= chromium.connect(address);
  return connected;
}

/** Until the end of the test. What the page complains of, or asks anybody for, fails it. */
export async function open(
  file: string,
  { width = 1280, height = 900, at, before, ...look }: Look = {},
): Promise<Page> {
  const to = await browser();
  const context = await to.newContext({ viewport: { width, height }, offline: true, ...look });
  const complaints: string[] = [];
  onTestFinished(async () => {
    await context.close();
    if (complaints.length > 0) throw new Error(complaints.join("\n"));
  });
  context.setDefaultTimeout(PATIENCE_MS);
  if (before !== undefined) await context.addInitScript(before);
  const page = await context.newPage();
  const address = pathToFileURL(file).href;
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    const url = request.url();
    if (url.replace(/#.*/, "") !== address && !url.startsWith("data:"))
      complaints.push(`asks for ${url}`);
  });
  await page.goto(at === undefined ? address : `${address}#${at}`);
  return page;
}
