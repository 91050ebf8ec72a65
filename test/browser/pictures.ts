// Saved images of the page. Letters differ a little between machines, so the share of different pixels is compared, not
// whether any differs. `npm run pictures` saves them again.
import { existsSync, mkdirSync, writeFileSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";

const folder = join(import.meta.dirname, "pictures");

/** The share of its pixels that are others; 1 where its size is another. */
export function differenceTo(
  name: string,
  taken: Buffer,
  { isKept = process.env["WEIR_PICTURES"] === "keep" } = {},
): number {
  const file = join(folder, `${name}.png`);
  if (isKept) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, taken);
  }
  if (!existsSync(file)) throw new Error(`${file} is not there: npm run pictures keeps it`);
  const saved = PNG.sync.read(readFileSync(file));
  const found = PNG.sync.read(taken);
  const { width, height } = saved;
  if (found.width !== width || found.height !== height) return 1;
  return pixelmatch(saved.data, found.data, undefined, width, height) / (width * height);
}
