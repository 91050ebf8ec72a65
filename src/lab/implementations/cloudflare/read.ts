// Reads rate limiting rules of Cloudflare: the resource cloudflare_ruleset of Terraform, in HCL and JSON, and rulesets of
// the API.
// By the documentation alone, which leaves open where a period begins. Each data center counts for itself.
import { micros, SECOND } from "../../../kit/units.ts";
import { Failure, isFailure } from "../../../kit/reading/failure.ts";
import { optionsFrom } from "../../../limiter/world/options.ts";
import type {
  ConfigurationFile,
  ConfigurationReader,
  ReadConfiguration,
  ReadRule,
  RequestFacts,
  RequestTest,
} from "../reading.ts";
import { IRRELEVANT } from "../roles.ts";
import { parseHcl } from "../hcl-tree.ts";
import type { Source } from "../sources.ts";
import { WHOLE_FROM_0, WHOLE_FROM_1, YamlReader, type NumberTest } from "../yaml-reader.ts";
import { childrenOf, parseYaml, textIn, type YamlNode } from "../yaml-tree.ts";
import { fieldOf, parseExpression } from "./expressions.ts";

const IN_HCL = /^[ \t\uFEFF]*resource\s+"?(?:cloudflare_ruleset|cloudflare_rate_limit)\b/m;

/** Other files of Terraform, which may call the module that has the rules. */
const OF_TERRAFORM =
  /^[ \t\uFEFF#]*(?:module|data|resource|provider|variable|terraform|locals)(?:\s+"[\w.-]*"){0,2}\s*\{/m;
const isWithoutRules = (text: string): boolean =>
  !IN_HCL.test(text) && OF_TERRAFORM.test(text) && /cloudflare/i.test(text);

export const CLOUDFLARE_READER: ConfigurationReader = {
  kind: "cloudflare",
  isProvedBy: "documentation",
  recognizes: ({ text }) =>
    IN_HCL.test(text) ||
    isWithoutRules(text) ||
    /["']?(?:cloudflare_ruleset|cloudflare_rate_limit)["']?\s*:/.test(text) ||
    /["']?phase["']?\s*:\s*["']?http_ratelimit\b/.test(text),
  read: (main, _, values) => {
    if (isWithoutRules(main.text)) return whereRulesAre(main);
    const roots = IN_HCL.test(main.text) ? parseHcl(main) : parseYaml(main);
    return isFailure(roots) ? roots : new CloudflareFile(main.file, roots, values).read();
  },
};

const RENDERED = "or what terraform show -json prints";

function whereRulesAre(main: ConfigurationFile): Failure {
  const roots = parseHcl(main);
  if (isFailure(roots)) return roots;
  const calls = childrenOf(roots[0]!.fields?.get("module") ?? EMPTY).filter(
    ({ fields }) => textIn(fields?.get("source")) !== "",
  );
  const call =
    calls.find(({ name, fields }) => /rate|limit/i.test(name + textIn(fields?.get("source")))) ??
    calls[0];
  return new Failure(
    call === undefined
      ? `${main.file} has no cloudflare_ruleset with rules; name the file that has it, ${RENDERED}`
      : `${main.file}:${call.line}: the rules may be in the module ${textIn(call.fields!.get("source"))}, which is not read; name its file, ${RENDERED}`,
  );
}

const READ_FIELDS = ["expression", "action", "enabled", "ratelimit", "action_parameters"];
const OTHER_FIELDS =
  /^(?:id|ref|version|description|last_updated|logging|exposed_credential_check)$/;
const READ_LIMITS = [
  ..."characteristics period requests_per_period mitigation_timeout".split(" "),
  ..."counting_expression requests_to_origin score_per_period".split(" "),
];

class CloudflareFile extends YamlReader {
  read(): ReadConfiguration | Failure {
    const rules = this.roots.flatMap((root) => this.#rulesIn(root));
    return this.finish(CLOUDFLARE_READER.kind, "in turn", rules, () => IRRELEVANT);
  }

  #rulesIn(node: YamlNode): readonly ReadRule[] {
    if (node.name === "cloudflare_rate_limit")
      this.misunderstand(
        node,
        "this resource was replaced by cloudflare_ruleset, so that its limits are missing",
      );
    const phase = textIn(node.fields?.get("phase"));
    if (phase !== "" && phase !== "http_ratelimit" && !phase.includes("${")) return [];
    const rules = node.fields?.get("rules");
    if (node.name === "dynamic" || typeof rules?.value === "string") {
      this.misunderstand(
        rules ?? node,
        "Terraform makes these rules from a list, so that their limits are missing; render it first (terraform show -json)",
      );
      return [];
    }
    if (!node.fields?.has("ratelimit"))
      return childrenOf(node).flatMap((each) => this.#rulesIn(each));
    if (node.fields.get("enabled")?.value === false) {
      this.notes.noteAll(node, "irrelevant");
      return [];
    }
    return this.#rulesOf(node);
  }

  #rulesOf(node: YamlNode): readonly ReadRule[] {
    this.notes.note(node, "read");
    this.noteOthers(node, READ_FIELDS, OTHER_FIELDS);
    this.field(node, "enabled");
    const written = this.field(node, "ratelimit")!;
    const limit = written.items?.[0] ?? written; // a block of Terraform is a list
    this.notes.note(limit, "read");
    this.noteOthers(limit, READ_LIMITS, /^score_response_header_name$/);
    for (const name of ["score_per_period", "requests_to_origin"]) {
      const field = this.field(limit, name);
      if (field === undefined || field.value === false || field.value === null) continue;
      this.misunderstand(field, MISSING[name]!);
      if (name === "score_per_period") return [];
    }
    const count = this.#number(limit, "requests_per_period", WHOLE_FROM_1);
    const period = this.#number(limit, "period", WHOLE_FROM_1);
    const timeout = this.#number(limit, "mitigation_timeout", WHOLE_FROM_0) ?? 0;
    if (count === null || period === null) {
      for (const name of ["requests_per_period", "period"])
        if (this.find(limit, name) === undefined)
          this.fail(limit, `ratelimit has no ${name}; write one`);
      return [];
    }
    const name = textIn(node.fields?.get("description")) || textIn(node.fields?.get("ref"));
    const applies = this.#test(node, "expression", name || `line_${node.line}`);
    const counts = this.#countingTest(limit, applies, name || `line_${node.line}`);
    const clientOf = this.#clientOf(limit);
    const { isDryRun, status } = this.#readAction(node);
    const block = timeout > 0 ? `, then refused for ${timeout} s` : "";
    return [
      {
        id: `rule ${name || `at line ${node.line}`}`,
        file: this.file,
        line: this.find(limit, "requests_per_period")!.line,
        limit: { rate: count, perUs: micros(period * SECOND) },
        written: `${count} per ${period} s${block}`,
        options: this.#optionsOf(this.find(limit, "period")!, timeout),
        isDryRun,
        status,
        mayRefuse: applies,
        budgetOf: (request) => (counts(request) ? clientOf(request) : null),
      },
    ];
  }

  /** A number, or a variable or local value of Terraform. */
  #number(node: YamlNode, name: string, isValid: NumberTest): number | null {
    const field = this.find(node, name);
    const [, variable] = /^\$\{\s*(?:var|local)\.(\w+)\s*\}$/.exec(textIn(field)) ?? [];
    if (field === undefined || variable === undefined) return this.number(node, name, isValid);
    const usual = this.roots
      .flatMap(({ fields }) => [
        fields?.get("variable")?.fields?.get(variable)?.fields?.get("default"),
        ...childrenOf(fields?.get("locals") ?? EMPTY).map((each) => each.fields?.get(variable)),
      ])
      .map(textIn)
      .find((each) => each !== "");
    return this.variableNumber(field, { name: variable, usual: usual ?? "" }, isValid);
  }

  #test(node: YamlNode, field: string, name: string): RequestTest {
    const written = this.field(node, field);
    const text = textIn(written) || "true";
    const parsed = text.includes("${")
      ? new Failure("Terraform has a part of it")
      : parseExpression(text, {
          headers: this.headers,
          hostOf: (request) => this.hostOf(request, written ?? node),
        });
    return isFailure(parsed)
      ? this.takeRequests(
          `${field === "expression" ? "rule" : "counting"}_${name}`,
          written ?? node,
          `this reader does not know the expression (${parsed.message})`,
        )
      : parsed;
  }

  /** Left out, requests are counted that the expression of the rule matches. */
  #countingTest(limit: YamlNode, applies: RequestTest, name: string): RequestTest {
    if (textIn(this.field(limit, "counting_expression")) === "") return applies;
    const field = limit.fields!.get("counting_expression")!;
    this.misunderstand(
      field,
      "requests that the expression alone matches are refused too, and here they are not",
    );
    return this.#test(limit, "counting_expression", name);
  }

  #clientOf(limit: YamlNode): Source {
    const parts = this.list(limit, "characteristics").flatMap((item): readonly Source[] => {
      const name = textIn(item);
      if (name === "cf.colo.id") return []; // of each data center
      const plain = name === "cf.unique_visitor_id" ? "ip.src" : name;
      const values = fieldOf(plain, {
        headers: this.headers,
        hostOf: (request) => this.hostOf(request, item),
      });
      if (values !== null) return [(request: RequestFacts) => values(request).join()];
      const list = limit.fields!.get("characteristics")!;
      return [this.takeSource(name, "all", list, `a log does not have ${name}`)];
    });
    return (request) => parts.map((part) => part(request) ?? "").join("\n");
  }

  #readAction(node: YamlNode): Pick<ReadRule, "isDryRun" | "status"> {
    const action = this.field(node, "action");
    const name = textIn(action);
    if (/challenge/.test(name))
      this.misunderstand(
        action!,
        "a client that passes the challenge goes on, and here it is refused",
      );
    const parameters = this.field(node, "action_parameters");
    const first = parameters?.items?.[0] ?? parameters;
    if (first !== undefined) this.notes.note(first, "read");
    const response = this.field(first, "response");
    const answer = response?.items?.[0] ?? response;
    const status = this.number(answer, "status_code", WHOLE_FROM_1) ?? 429;
    return { isDryRun: name === "log", status };
  }

  #optionsOf(period: YamlNode, timeout: number): ReadRule["options"] {
    const taken = this.take("window_start", "first_request", period);
    this.notes.note(
      period,
      "question",
      `the documentation does not have where a period begins; ${taken} is taken`,
    );
    if (!/^(?:first_request|clock|sliding)$/.test(taken))
      this.fail(period, `--set window_start=${taken}: write first_request, clock or sliding`);
    const block = timeout > 0 ? { block: `${timeout}s` } : {};
    return optionsFrom(
      taken === "sliding"
        ? { algorithm: "sliding_window_counter", imitate: { refused: "free", ...block } }
        : {
            algorithm: "fixed_window",
            fixed_window_start: taken === "clock" ? "clock" : "first_request",
            imitate: { refused: "free", ...block },
          },
    );
  }
}

const EMPTY: YamlNode = { name: "", line: 1, value: null, fields: null, items: null };

const MISSING: Readonly<Record<string, string>> = {
  score_per_period:
    "it limits scores of responses, which a log does not have, so that this limit is missing",
  requests_to_origin: "requests that the cache answers do not count, and here they count",
};
