import type { Packed } from "../../html/page.ts";

/** What the page was drawn from; a page that was damaged on its way says so. */
export async function unpacked(base64: string): Promise<Packed> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(stream).json()) as Packed;
}
