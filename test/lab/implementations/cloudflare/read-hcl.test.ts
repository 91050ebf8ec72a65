// The reader of Cloudflare on Terraform's own language: sentences of its documentation, with a case each.
import { expect, test } from "vitest";
import { CLOUDFLARE_READER } from "#src/lab/implementations/cloudflare/read.ts";
import { isFailure } from "#src/kit/reading/failure.ts";
import { findReader } from "#src/lab/implementations/readers.ts";
import { openOf, readText, rolesOf, startReading, times } from "../read-and-play.ts";

const { read, decisions } = startReading(CLOUDFLARE_READER);

const START = "does not have where a period begins";

const ruleset = (rules: string, rest = ""): string => `
${rest}
resource "cloudflare_ruleset" "limits" {
  zone_id = var.zone_id
  phase   = "http_ratelimit"
${rules}
}
`;

const rule = (expression: string, rest = ""): string => `
  rules {
    action      = "block" # refuses
    description = "login"
    expression  = ${expression}
    ratelimit {
      characteristics     = ["cf.colo.id", "ip.src"]
      period              = 60
      requests_per_period = ${rest || "1"}
    }
  }
`;

/** The rules but for the question that each rule has. */
const openIn = (text: string): readonly string[] =>
  openOf(read(text)).filter((line) => !line.includes(START));

const SAMPLE = `terraform {
  required_providers { cloudflare = { source = "cloudflare/cloudflare", version = "~> 5" } }
}

provider "cloudflare" { api_token = "hunter2" }

/* Rules of version 5
   are a list. */
resource "cloudflare_ruleset" "limits" {
  zone_id = data.cloudflare_zone.main.id
  phase   = "http_ratelimit"
  rules = [
    {
      ref         = "api"
      action      = "block"
      action_parameters = { response = { status_code = 403, content = jsonencode({ a = "}" }), content_type = "text/plain" } }
      expression  = <<-EOT
        (http.request.uri.path eq "/api"
         or http.request.uri.path eq "/v2")
      EOT
      ratelimit = {
        characteristics     = ["ip.src", "cf.colo.id"],
        period              = 10
        requests_per_period = 2
        mitigation_timeout  = 60
        colour = "red"
      }
    },
    { action = "log", expression = "true", ratelimit = { characteristics = ["ip.src"], period = 60, requests_per_period = 9 } },
  ]
}
`;

test("each statement of a realistic file has its line and a role, and no secret is in them", () => {
  const configuration = read(SAMPLE);
  expect(openOf(configuration)).toEqual([
    expect.stringMatching(new RegExp(`^23 question period: 10: .*${START}`)),
    expect.stringMatching(/^26 not understood colour: red/),
    expect.stringMatching(new RegExp(`^29 question period: 60: .*${START}`)),
  ]);
  expect(rolesOf(configuration).join("\n")).not.toContain("hunter2");
  expect(
    configuration.rules.map(({ id, line, status, isDryRun }) => ({ id, line, status, isDryRun })),
  ).toEqual([
    { id: "rule api", line: 24, status: 403, isDryRun: false },
    { id: "rule at line 29", line: 29, status: 429, isDryRun: true },
  ]);
  expect(decisions(SAMPLE, times(3, { at: 0, path: "/v2" }))).toBe("++-");
});

test("a block that is repeated is a list", () => {
  const path = (is: string): string => rule(`"http.request.uri.path eq \\"${is}\\""`);
  const text = ruleset(path("/a") + path("/b"));
  expect(openIn(text)).toEqual([]);
  const sent = ["/a", "/a", "/b", "/b", "/c", "/c"].map((each) => ({ at: 0, path: each }));
  expect(decisions(text, sent)).toBe("+-+-++");
});

test("strings have escapes, and a template within them is a question", () => {
  expect(
    openIn(ruleset(rule('"http.request.uri.path matches \\"^/\\\\\\\\d$\\"" // digits'))),
  ).toEqual([]);
  const question = [
    expect.stringContaining(
      "does not know the expression (Terraform has a part of it); all is taken",
    ),
  ];
  expect(openIn(ruleset(rule('"http.host eq \\"${var.hosts["a"]}\\""')))).toEqual(question);
  expect(openIn(ruleset(rule('join(" or ", [for p in var.paths : "x"])')))).toEqual(question);
});

test.each([
  ["variable", 'variable "few" { default = 2 }', "var.few"],
  ["local value", "locals {\n  few = 2\n}", "local.few"],
])("a %s is a question with its default", (_, definition, name) => {
  const text = ruleset(rule('"true"', name), definition);
  expect(decisions(text, times(3, { at: 0 }))).toBe("++-");
  expect(decisions(text, times(3, { at: 0 }), { values: { few: "1" } })).toBe("+--");
});

test("rules that Terraform makes from a list are named as missing", () => {
  const computed = ruleset("  rules = [\n    for r in var.all : { ratelimit = r.limit }\n  ]");
  expect(openIn(computed)).toEqual([expect.stringMatching(/^6 not understood rules: .*missing/)]);
  expect(openIn(computed.replace("http_ratelimit", "http_request_firewall_custom"))).toEqual([]);
  const text = ruleset(
    `  dynamic "rules" {\n    for_each = var.all\n    content {\n      ratelimit { period = rules.value.period }\n    }\n  }`,
  );
  expect(read(text).rules).toEqual([]);
  expect(openIn(text)).toEqual([expect.stringMatching(/^6 not understood .*limits are missing/)]);
});

test("a map with a name that only Terraform computes is an expression, and reading it ends", () => {
  for (const value of ["{ (var.zone) = 1 }", "[{ (var.zone) = 1 }, { a = 1 }]", "[{ %s }]"]) {
    const text = ruleset(rule('"true"'), `locals {\n  zones = ${value}\n}`);
    expect(read(text).rules).toHaveLength(1);
  }
});

test("a file of Terraform is recognized, and one without limits of Cloudflare is not", () => {
  const kindOf = (text: string): string | undefined => {
    const found = findReader({ file: "main.tf", text }, null);
    return isFailure(found) || found === null ? undefined : found.kind;
  };
  expect(kindOf(SAMPLE)).toBe("cloudflare");
  expect(kindOf('resource "aws_s3_bucket" "b" {\n}\n')).toBeUndefined();
});

test.each([
  ["rules {\n", "in.txt:3: this is not HCL: an attribute or a block is missing"],
  [
    'a = 1\na = 2\nresource "cloudflare_ruleset" "a" {}',
    'in.txt:2: this is not HCL: "a" is given twice',
  ],
  ["a =\n", "in.txt:1: this is not HCL: a value is missing after ="],
  ["rules 5 {}\n", 'in.txt:1: this is not HCL: "rules" has no = and no {'],
  ["a {\n".repeat(100), "blocks are nested more than 64 deep"],
  [`a = ${"[".repeat(100)}`, "values are nested more than 64 deep"],
])("%j is a problem", (text, problem) => {
  const failure = readText(CLOUDFLARE_READER, `${text}\nresource "cloudflare_ruleset" "limits" {}`);
  expect(isFailure(failure) && failure.message).toContain(problem);
});

test.each([
  [
    `provider "cloudflare" {}
module "dns" { source = "./modules/dns" }
module "edge" {
  source  = "./modules/rate_limits"
  zone_id = var.zone_id
}
`,
    "in.txt:3: the rules may be in the module ./modules/rate_limits, which is not read; name its file, or what terraform show -json prints",
  ],
  [
    `data "cloudflare_rulesets" "all" { zone_id = "a" }`,
    "in.txt has no cloudflare_ruleset with rules; name the file that has it, or what terraform show -json prints",
  ],
  [
    `# resource "cloudflare_ruleset" "off" {
#   phase = "http_ratelimit"
# }
`,
    "in.txt has no cloudflare_ruleset with rules; name the file that has it, or what terraform show -json prints",
  ],
])("a file without rules has a sentence where they may be: %s", (text, message) => {
  expect(findReader({ file: "in.txt", text }, null)).toBe(CLOUDFLARE_READER);
  expect(readText(CLOUDFLARE_READER, text)).toMatchObject({ message });
});

test("what terraform show -json prints of a module is read", () => {
  const limit = { period: 60, requests_per_period: 1, characteristics: ["ip.src"] };
  const rules = [{ action: "block", expression: "true", ratelimit: [limit] }];
  const values = { phase: "http_ratelimit", rules };
  const resources = [{ type: "cloudflare_ruleset", name: "limits", values }];
  const root = { child_modules: [{ address: "module.edge", resources }] };
  const text = JSON.stringify({ format_version: "1.0", values: { root_module: root } });
  expect(findReader({ file: "in.txt", text }, null)).toBe(CLOUDFLARE_READER);
  expect(decisions(text, times(2, { at: 0 }))).toBe("+-");
});
