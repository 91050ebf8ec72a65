// `npm run picture`: the image in the README, of the report of the complete suite.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { spawnSync } from "node:child_process";
import { chromium } from "playwright-core";
import { chromiumProgram, NO_CHROMIUM, startChromium } from "./chromium.ts";

const root = join(import.meta.dirname, "../..");
const SHOWN = "s-smoothing_ramp-follows-demand";

const program = chromiumProgram();
if (program === null) throw new Error(NO_CHROMIUM);
const folder = mkdtempSync(join(tmpdir(), "weir-picture-"));
const page = join(folder, "suite.html");
const weir = [join(root, "src/cli/weir.node.ts"), "run", "scenarios", "--quiet", "--html", page];
const { status } = spawnSync(process.execPath, weir, { cwd: root, stdio: "inherit" });
if (status !== 0) throw new Error("the suite does not pass: that is no picture for a README");
const server = await startChromium(program, folder);
const browser = await chromium.connect(server.wsEndpoint());
const tab = await browser.newPage({ viewport: { width: 1280, height: 760 }, colorScheme: "light" });
await tab.goto(`${pathToFileURL(page).href}#${SHOWN}`);
await tab.locator(`#${SHOWN} .variant .drawing.drawn`).first().waitFor();
await tab.evaluate(() => (document.activeElement as HTMLElement).blur());
await tab.screenshot({ path: join(root, "docs/report.png") });
await browser.close();
await server.close();
rmSync(folder, { recursive: true });
