import { expect, test } from "vitest";
import { sample } from "./samples.ts";
import { folderWith, weir } from "./weir.ts";

const broken = (name: string, from: string, to: string): readonly [string, string] => {
  const whole = sample(`limits/${name}`);
  const text = whole.replace(from, to);
  if (text === whole) throw new Error(`${name} changes nothing`);
  return [`scenarios/limits/${name}.yaml`, text];
};

const files = Object.fromEntries([
  broken("misspelt-field", "traffic:", "trafic:"),
  broken("misspelt-member", "rate: 5", "ratee: 5"),
  broken("no-unit", "at: 0s", "at: 1.5"),
  broken("unknown-requirement", "LIM-1", "LIM-99"),
  broken("wrong-id", "id: limits/", "id: ../limits/"),
  broken("tab", "\n  keys:", "\n\tkeys:"),
  broken("unclosed", "at: 0s }", "at: 0s"),
  broken("stranger", "as: alice", "as: bob"),
  broken("missing-flow", "flow: first", "flow: second"),
  broken("no-runs", "5*200 429", "5x200 429"),
  broken("no-axis", "fixed_window", "$algorithm"),
  broken("twice", "burst: 6", "burst: 6, burst: 7"),
  broken("nothing-expected", "expect:", "expected:"),
  broken("rate-of-text", "rate: 5", "rate: five"),
  broken("rate-with-unit", "rate: 5", "rate: 5/s"),
  broken("anchor", "{ orders:", "&all { orders:"),
]);

test("all problems of all files are reported at once, each with its place, and nothing runs", async () => {
  const { code, out, err } = await weir(folderWith(files), ["run"]);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).not.toMatch(/^ +at /m);
  for (const file of Object.keys(files))
    expect(err).toMatch(new RegExp(`^${file}:\\d+:\\d+ error [A-Z]+-[A-Z-]+ .{10}`, "m"));
  await expect(err).toMatchFileSnapshot("golden/broken-files.txt");
});

test("one broken file keeps the good ones from running", async () => {
  const [name, text] = broken("no-unit", "at: 0s", "at: 1.5");
  const folder = folderWith({ [name]: text, "scenarios/limits/one.yaml": sample("limits/one") });
  expect(await weir(folder, ["run"])).toMatchObject({ code: 2, out: "" });
  expect(await weir(folder, ["list"])).toMatchObject({ code: 2, out: "" });
});
