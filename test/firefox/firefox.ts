// Debian's own Firefox over WebDriver BiDi: JSON messages over a WebSocket, which Node has, so no client is installed.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

const FIREFOX = process.env["FIREFOX"] ?? "/usr/bin/firefox-esr";

function requireFirefox(): void {
  if (!existsSync(FIREFOX))
    throw new Error(
      `there is no Firefox at ${FIREFOX}: \`apt-get install -y firefox-esr\`, or name its program in FIREFOX`,
    );
}

interface BidiMessage {
  readonly id?: number;
  readonly error?: string;
  readonly message?: string;
  readonly method?: string;
  readonly params?: {
    readonly text?: string;
    readonly level?: string;
    readonly request?: { readonly url: string };
  };
  readonly result?: {
    readonly contexts?: readonly { readonly context: string }[];
    readonly result?: { readonly value?: unknown };
  };
}

export interface FirefoxPage {
  readonly open: (address: string) => Promise<void>;
  /** The string that an expression has in the page; it may be a promise. */
  readonly evaluate: (expression: string) => Promise<unknown>;
  /** Errors and warnings of the console, and requests to other addresses. */
  readonly complaints: readonly string[];
}

/** One tab, until the end of the test. `origin` is the only address that pages may request. */
export async function startFirefox(origin: string): Promise<FirefoxPage> {
  requireFirefox();
  const profile = mkdtempSync(join(tmpdir(), "weir-firefox-"));
  const flags = ["--headless", "--profile", profile, "--remote-debugging-port", "0"];
  const program = spawn(FIREFOX, flags, { stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise<void>((resolve) => program.once("exit", () => resolve()));
  onTestFinished(async () => {
    program.kill();
    await ended;
    rmSync(profile, { recursive: true, force: true });
  });
  const address = await new Promise<string>((resolve, reject) => {
    let text = "";
    program.once("exit", () => reject(new Error(`Firefox has ended: ${text}`)));
    program.stderr.on("data", (data: Buffer) => {
      text += data.toString();
      const found = /WebDriver BiDi listening on (ws:\S+)/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve) => socket.addEventListener("open", resolve));
  const complaints: string[] = [];
  const waiting = new Map<number, (message: BidiMessage) => void>();
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(data as string) as BidiMessage;
    const { id, method, params } = message;
    if (id !== undefined) waiting.get(id)?.(message);
    else if (method === "log.entryAdded" && ["error", "warn"].includes(params?.level ?? ""))
      complaints.push(params?.text ?? "");
    else if (method === "network.beforeRequestSent") {
      const url = params?.request?.url ?? "";
      if (!url.startsWith(origin) && !/^(?:data|blob):/.test(url))
        complaints.push(`requests ${url}`);
    }
  });
  let last = 0;
  const send = async (method: string, params: object): Promise<BidiMessage["result"]> => {
    last += 1;
    const id = last;
    const reply = new Promise<BidiMessage>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const { error, message, result } = await reply;
    if (error !== undefined) throw new Error(`${method}: ${error}: ${message ?? ""}`);
    return result;
  };
  await send("session.new", { capabilities: {} });
  await send("session.subscribe", { events: ["log.entryAdded", "network.beforeRequestSent"] });
  const context = (await send("browsingContext.getTree", {}))?.contexts?.[0]?.context;
  return {
    complaints,
    open: async (url) =>
      void (await send("browsingContext.navigate", { context, url, wait: "complete" })),
    evaluate: async (expression) => {
      const target = { context };
      const reply = await send("script.evaluate", { expression, target, awaitPromise: true });
      return reply?.result?.value;
    },
  };
}
