// The site in Firefox: the playground runs a scenario to the digest of Node, and one page of each kind is read.
import { expect, onTestFinished, test } from "vitest";
import { runScenario } from "#src/library/weir.node.ts";
import { digest } from "#src/lab/scenario/history/digest.node.ts";
import { writeHistory } from "#src/lab/scenario/history/write.ts";
import { fragmentOf } from "#src/show/site/address.ts";
import { serveSite, siteFiles } from "#src/show/site/site-files.node.ts";
import { TWO_OF_THREE } from "../show/site/two-of-three.ts";
import { startFirefox } from "./firefox.ts";

const PAGES = ["", "docs/start/tutorial.html", "docs/", "algorithms/", "implementations/"];
const OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

test("the playground and one page of each kind work in Firefox", async () => {
  const server = await serveSite(await siteFiles(), 0);
  onTestFinished(() => server.stop());
  const page = await startFirefox(server.url);
  const scenario = { file: "mine/two.yaml", text: TWO_OF_THREE, seed: 3 };
  await page.open(`${server.url}playground/${await fragmentOf(scenario)}`);
  await expect
    .poll(() => page.evaluate("document.getElementById('state').textContent"))
    .toBe("1 variant ran: pass.");
  await page.evaluate("document.getElementById('digests').closest('details').open = true");
  const { variants } = await runScenario(scenario, { seed: 3 });
  await expect
    .poll(() => page.evaluate("document.querySelector('#digests code')?.textContent"))
    .toBe(digest(writeHistory(variants[0]!.history)));
  // Charts are drawn when a reader sees them.
  const scroll = "document.querySelector('#result .drawing')?.scrollIntoView()";
  const drawn = "document.querySelectorAll('#result .drawing.drawn').length";
  await expect.poll(() => page.evaluate(`(${scroll}, ${drawn})`)).toBe(1);
  for (const path of PAGES) {
    await page.open(`${server.url}${path}`);
    expect.soft(await page.evaluate("document.querySelectorAll('h1').length"), path).toBe(1);
    expect.soft(await page.evaluate(OVERFLOW), path).toBe(0);
  }
  expect(page.complaints).toEqual([]);
});
