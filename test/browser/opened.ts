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
  readonly isNew?: boolean; // in a process that has shown nothing before: it is measured, or its clock is changed
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

/** A tab of the browser, which shows one page after the other. */
interface Tab {
  readonly page: Page;
  readonly kind: string | null; // null: it is shown once
}

/** A new context takes a third of what it takes to show a page: tabs of ended tests go on, by what cannot be changed of them. */
const idle = new Map<string, Tab[]>();

type Offline = Look & { readonly offline?: boolean };

async function tabFor({ before, isNew, ...fixed }: Offline): Promise<Tab> {
  const isOnce = before !== undefined || isNew === true;
  const kind = isOnce ? null : JSON.stringify(fixed);
  const known = kind === null ? undefined : idle.get(kind)?.pop();
  if (known !== undefined) return known;
  const context = await (await browser()).newContext(fixed);
  context.setDefaultTimeout(PATIENCE_MS);
  if (before !== undefined) await context.addInitScript(before);
  const page = await context.newPage();
  return { page, kind };
}

/** Leaves nothing of what it showed: neither a page that goes on, nor what that page kept. */
async function leave({ page, kind }: Tab, hasFailed: boolean): Promise<void> {
  for (const event of ["console", "pageerror", "request"]) page.removeAllListeners(event);
  const others = page.context().pages().length > 1;
  if (kind === null || hasFailed || others || page.isClosed()) {
    await page.context().close();
    return;
  }
  const { origin } = new URL(page.url());
  await page.goto("about:blank");
  if (origin !== "null") {
    const session = await page.context().newCDPSession(page);
    await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
    await session.detach();
  }
  idle.set(kind, [...(idle.get(kind) ?? []), { page, kind }]);
}

async function openPage(
  address: string,
  {
    width = 1280,
    height = 900,
    at,
    colorScheme = "light",
    reducedMotion = "no-preference",
    ...look
  }: Offline,
  mayRequest: (url: string) => boolean,
): Promise<Page> {
  const tab = await tabFor(look);
  const { page } = tab;
  const complaints: string[] = [];
  onTestFinished(async ({ task }) => {
    await leave(tab, task.result?.state === "fail");
    if (complaints.length > 0) throw new Error(complaints.join("\n"));
  });
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
  await page.mouse.move(0, 0);
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ media: null, colorScheme, reducedMotion });
  await page.goto(at === undefined ? address : `${address}#${at}`);
  return page;
}
