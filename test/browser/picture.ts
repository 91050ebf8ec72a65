// `npm run picture`: the image in the README, a part of the page of a replay: clients, and a limit between them.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { spawnSync } from "node:child_process";
import { chromium } from "playwright-core";
import { SAMPLE_LOG } from "#src/cli/first-steps.ts";
import { chromiumProgram, NO_CHROMIUM, startChromium } from "./chromium.ts";

const MARGIN = 10;
const root = join(import.meta.dirname, "../..");

const program = chromiumProgram();
if (program === null) throw new Error(NO_CHROMIUM);
const folder = mkdtempSync(join(tmpdir(), "weir-picture-"));
const page = join(folder, "replay.html");
const weir = join(root, "src/cli/weir.node.ts");
const args = ["replay", SAMPLE_LOG, "--limit", "60/1m", "--html", page];
const { status } = spawnSync(process.execPath, [weir, ...args], { cwd: root });
if (status !== 0) throw new Error(`weir ${args.join(" ")} fails`);
const server = await startChromium(program, folder);
const browser = await chromium.connect(server.wsEndpoint());
const tab = await browser.newPage({
  viewport: { width: 960, height: 760 },
  colorScheme: "light",
});
await tab.goto(pathToFileURL(page).href);
const section = tab.locator("section").filter({ has: tab.locator(".limit") });
await section.scrollIntoViewIfNeeded();
await section.locator(".drawing.drawn").waitFor();
// From the chart to the sentence that counts the clients above the limit.
const chart = (await section.locator("figure").boundingBox())!;
const sentence = (await section.locator(".counts p").boundingBox())!;
const height = sentence.y + sentence.height - chart.y;
const clip = {
  x: chart.x - MARGIN,
  y: chart.y - MARGIN,
  width: chart.width + 2 * MARGIN,
  height: height + 2 * MARGIN,
};
await tab.screenshot({ path: join(root, "docs/limit.png"), clip });
await browser.close();
await server.close();
rmSync(folder, { recursive: true });
