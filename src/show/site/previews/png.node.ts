// Draws a preview as a PNG. Rectangles of a few colours need no library: a palette, and a byte for each pixel.
import { crc32, deflateSync } from "node:zlib";
import { PREVIEW, PREVIEW_COLOURS, type PreviewRect } from "./preview.ts";

const NAMES = Object.keys(PREVIEW_COLOURS);
const PALETTE = Buffer.concat(
  Object.values(PREVIEW_COLOURS).map((colour) => Buffer.from(colour.slice(1), "hex")),
);
const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");

export function previewPng(rects: readonly PreviewRect[]): Buffer {
  const { width, height } = PREVIEW;
  const row = width + 1; // a row begins with its filter: 0 is none
  const pixels = Buffer.alloc(row * height); // 0 is the colour of the page
  for (const rect of rects) {
    const [left, right] = [rect.x, rect.x + rect.width].map((x) => clamp(x, width)) as [
      number,
      number,
    ];
    const [top, bottom] = [rect.y, rect.y + rect.height].map((y) => clamp(y, height)) as [
      number,
      number,
    ];
    for (let y = top; y < bottom; y++)
      pixels.fill(NAMES.indexOf(rect.colour), y * row + 1 + left, y * row + 1 + right);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8); // bits of a pixel; colours by palette
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", PALETTE),
    chunk("IDAT", deflateSync(pixels, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const clamp = (value: number, most: number): number =>
  Math.max(0, Math.min(most, Math.round(value)));

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
