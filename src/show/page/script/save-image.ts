// Saves what is shown as a file: an SVG, or the PNG that the browser draws of it.
import { announce } from "./notices.ts";

/** Pixels of a PNG for each unit of its SVG. */
const SCALE = 2;

export type ImageType = "png" | "svg";

/** A file has an address that only its reader knows: its name is enough. */
export function readAddress(): string {
  const { protocol, pathname, hash, href } = location;
  const name = decodeURIComponent(pathname.slice(pathname.lastIndexOf("/") + 1));
  return protocol === "file:" ? `${name}${hash}` : href;
}

/** The colour of that name in the scheme of the page. */
export const colourOf = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

export async function saveImage(svg: string, title: string, type: ImageType): Promise<void> {
  const file =
    type === "svg" ? new Blob([svg], { type: "image/svg+xml;charset=utf-8" }) : await pngOf(svg);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `${nameOf(title)}.${type}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  announce(`saved: ${link.download}`);
}

const nameOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 80) || "chart";

async function pngOf(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth * SCALE;
  canvas.height = image.naturalHeight * SCALE;
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) =>
      blob === null ? reject(new Error("the browser makes no PNG of it")) : resolve(blob),
    );
  });
}
