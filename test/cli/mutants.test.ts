import { expect, test } from "vitest";
import { sample } from "./samples.ts";
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

test("how much there is to run is printed before the first result, and nothing of one scenario", async () => {
  const folder = folderWith({ "a/one.yaml": sample("a/one"), "a/two.yaml": sample("a/two") });
  const linesOf = async (within: string): Promise<readonly string[]> => {
    const { err } = await weir(folder, ["mutants", "limits/one-too-many", "--scenarios", within]);
    return err.trimEnd().split("\n");
  };
  const [begun, ...lines] = await linesOf("a");
  expect(begun).toBe("running 2 scenarios against 1 mutant");
  expect(lines.pop()).toMatch(/^2 pairs of scenario and mutant in /);
  for (const line of lines) expect(line).toBe("1 of 2 scenarios remains"); // on a slow machine
  expect(await linesOf("a/one.yaml")).toEqual([
    expect.stringMatching(/^1 pair of scenario and mutant in /),
  ]);
});
