import type { readEntries } from "#src/limiter/world/endpoints.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof readEntries> = {
  about: "a disabled entry hides later ones for the same path and method",
  breaks: ["EPT-C2"],
  replaces: "limiter/world/endpoints.ts#readEntries",
  by: (right, place, name, leftOut) => {
    const all = (place.raw[name] ?? []) as readonly { path?: string; enabled?: boolean }[];
    const off = all.filter(({ enabled }) => enabled === false).map(({ path }) => path);
    return right(place, name, leftOut).filter(({ limit }) => !off.includes(limit.pattern.text));
  },
};
