import type { Packed } from "../../html/page.ts";

/** The documents of the page; throws if it was damaged on its way. */
export async function unpack(base64: string): Promise<Packed> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(stream).json()) as Packed;
}
