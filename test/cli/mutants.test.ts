import { expect, test } from "vitest";
import { folderWith, weir } from "./weir.ts";

test("the mutants of an area are listed, also as a shell completes it, and for a program", async () => {
  const folder = folderWith({});
  const list = async (...args: readonly string[]): Promise<string> => {
    const { code, out, err } = await weir(folder, ["mutants", "--list", ...args]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    return out;
  };
  expect(await list("events")).toMatch(/^events\/[^]*\n\d+ mutants\n$/);
  expect(await list("events/")).toBe(await list("events"));
  const document = JSON.parse(await list("events", "--json")) as {
    readonly format: string;
    readonly mutants: readonly { readonly name: string }[];
  };
  expect(document.format).toBe("weir-mutant-list/1");
  const names = document.mutants.map(({ name }) => name);
  expect(names).toContain("events/refusals-untold");
  expect(names.filter((name) => !name.startsWith("events/"))).toEqual([]);
});
