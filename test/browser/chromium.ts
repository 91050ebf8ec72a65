// Debian's own Chromium, as the tests of the page and the image in the README use it.
import { accessSync, constants, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium, type BrowserServer } from "playwright-core";

/** The first has no windows to draw, and so takes half of the time. */
const USUAL = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Letters look alike on every machine.
  "--font-render-hinting=none",
  "--disable-lcd-text",
];

export const NO_CHROMIUM =
  "there is no Chromium: `apt-get install -y chromium fonts-dejavu-core`, or name its program in CHROMIUM";

export function chromiumProgram(environment: NodeJS.ProcessEnv = process.env): string | null {
  const named = environment["CHROMIUM"];
  const places = named === undefined ? USUAL : [named];
  return places.find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

// With the fonts of its package alone, a page is broken into the same lines on every machine.
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts/truetype/dejavu</dir>
  <match><edit name="family" mode="append_last"><string>DejaVu Sans</string></edit></match>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
  <cachedir>CACHE</cachedir>
</fontconfig>
`;

/** It has a folder of its own for what it remembers, and ends with this process. */
export function startChromium(program: string, folder: string): Promise<BrowserServer> {
  const fonts = join(folder, "fonts.conf");
  writeFileSync(fonts, FONTS.replace("CACHE", join(folder, "fonts")));
  return chromium.launchServer({
    executablePath: program,
    args: FLAGS,
    env: { ...process.env, FONTCONFIG_FILE: fonts },
    timeout: 50_000,
  });
}
