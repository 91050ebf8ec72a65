// A page is written where it was asked for, and nothing else is lost for it.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sample } from "./samples.ts";
import { folderWith, weir } from "./weir.ts";

const NO_PAGE = `weir: a page goes to a file that ends in .html, not to "other.yaml"
weir run --help tells what there is
`;

test.each([[["--serve", "0"]], [["--watch"]], [[]]])(
  "with %j a file that is no page is left alone",
  (how) => {
    const folder = folderWith({ "one.yaml": sample("limits/one"), "other.yaml": "kept" });
    const { code, err } = weir(folder, ["run", "one.yaml", ...how, "--html", "other.yaml"]);
    expect({ code, err }).toEqual({ code: 2, err: NO_PAGE });
    expect(readFileSync(join(folder, "other.yaml"), "utf8")).toBe("kept");
  },
);

test.each([[["--serve", "0"]], [[]]])("with %j a folder is named, and is no page", (how) => {
  const folder = folderWith({ "one.yaml": sample("limits/one") });
  mkdirSync(join(folder, "page.html"));
  const { code, err } = weir(folder, ["run", "one.yaml", ...how, "--html", "page.html"]);
  expect({ code, err }).toEqual({
    code: 2,
    err: "weir: page.html: this is a folder\nweir run --help tells what there is\n",
  });
  expect(existsSync(join(folder, "page.html"))).toBe(true);
});
