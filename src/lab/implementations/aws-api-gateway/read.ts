// Reads limits of AWS API Gateway from CloudFormation, SAM and serverless.yml: usage plans, and throttling of stages.
// By the documentation alone: a token bucket for each client and for each method, and quotas of a day, week or month.
// AWS calls them targets, which it may exceed. OpenAPI has no extension for them.
import { escapePattern } from "../regex.ts";
import { isFailure, type Failure } from "../../../kit/reading/failure.ts";
import type {
  ConfigurationReader,
  ReadConfiguration,
  ReadRule,
  RequestFacts,
  RequestTest,
} from "../reading.ts";
import { decode, pathOf } from "../request-parts.ts";
import { IRRELEVANT, UNKNOWN_FIELD } from "../roles.ts";
import type { Source } from "../sources.ts";
import { WHOLE_FROM_0, WHOLE_FROM_1, YamlReader, type NumberTest } from "../yaml-reader.ts";
import { parseYaml, textIn, type YamlNode } from "../yaml-tree.ts";
import { bucketOf, QUOTA_PERIODS, quotaOf } from "./limits.ts";

export const AWS_API_GATEWAY_READER: ConfigurationReader = {
  kind: "aws-api-gateway",
  isProvedBy: "documentation",
  recognizes: ({ text }) =>
    /["']?Type["']?\s*:\s*["']?AWS::(?:ApiGateway(?:V2)?|Serverless)::/.test(text) ||
    /^[ \t]+["']?usagePlan["']?\s*:/m.test(text),
  read: (main, _, values) => {
    const roots = parseYaml(main);
    return isFailure(roots) ? roots : new AwsTemplate(main.file, roots, values).read();
  },
};

const ABOVE_0: NumberTest = { test: (value) => value >= 0.001, words: "a number above 0" };

/** A limit at a place that the reader does not know. */
const LIMIT_FIELD = /(?:^|\.)(?:Throttling(?:Rate|Burst)Limit|(?:Rate|Burst)Limit)$/i;

const PLAN_FIELDS =
  /^(?:UsagePlanName|Description|Tags|CreateUsagePlan|ApiId|Stage|name|keyName|value)$/i;

/** Names differ by letter case between CloudFormation and serverless.yml. */
class AwsTemplate extends YamlReader {
  override readonly isLoose = true;
  readonly #rules: ReadRule[] = [];
  #planCount = 0;

  read(): ReadConfiguration | Failure {
    const plans = this.roots.flatMap((root) => this.#plansIn(root));
    this.#planCount = plans.length;
    for (const { name, node } of plans) this.#readPlan(name, node);
    for (const root of this.roots)
      for (const { name, type, properties } of this.#resourcesIn(root))
        this.#readStage(name, type, properties);
    return this.finish(AWS_API_GATEWAY_READER.kind, "together", this.#rules, (path) =>
      LIMIT_FIELD.test(path) ? UNKNOWN_FIELD : IRRELEVANT,
    );
  }

  #resourcesIn(root: YamlNode): readonly AwsResource[] {
    const inside = this.find(root, "Resources");
    const resources = this.find(inside, "Resources") ?? inside; // serverless.yml nests them
    const own = [...(resources?.fields?.values() ?? [])].flatMap((node): readonly AwsResource[] => {
      const type = textIn(this.find(node, "Type"));
      const properties = this.find(node, "Properties");
      return properties === undefined ? [] : [{ name: node.name, type, properties }];
    });
    const globals = this.find(root, "Globals");
    const ofGlobals = ["Api", "HttpApi"].flatMap((kind): readonly AwsResource[] => {
      const properties = this.find(globals, kind);
      const type = `AWS::Serverless::${kind}`;
      return properties === undefined ? [] : [{ name: `Globals.${kind}`, type, properties }];
    });
    return [...ofGlobals, ...own];
  }

  #plansIn(root: YamlNode): readonly { readonly name: string; readonly node: YamlNode }[] {
    const resources = this.#resourcesIn(root).flatMap(({ name, type, properties }) => {
      if (type === "AWS::ApiGateway::UsagePlan") return [{ name, node: properties }];
      const plan = this.find(this.find(properties, "Auth"), "UsagePlan");
      return type === "AWS::Serverless::Api" && plan !== undefined ? [{ name, node: plan }] : [];
    });
    const provider = this.find(root, "provider");
    const gateway = this.find(provider, "apiGateway");
    const plan = this.find(gateway, "usagePlan") ?? this.find(provider, "usagePlan");
    const named = (plan?.items ?? []).flatMap((item) => [...(item.fields?.values() ?? [])]);
    const list = plan?.items === null ? [plan] : named;
    return [...resources, ...list.map((node) => ({ name: node.name, node }))].filter(({ node }) =>
      this.#hasLimit(node),
    );
  }

  #hasLimit(plan: YamlNode): boolean {
    if (textIn(this.find(plan, "CreateUsagePlan")).toUpperCase() === "NONE") return false;
    const stages = this.find(plan, "ApiStages")?.items ?? [];
    return (
      this.find(plan, "Throttle") !== undefined ||
      this.find(plan, "Quota") !== undefined ||
      stages.some((stage) => this.find(stage, "Throttle") !== undefined)
    );
  }

  #readPlan(name: string, node: YamlNode): void {
    this.notes.note(node, "read");
    this.noteOthers(node, ["Throttle", "Quota", "ApiStages"], PLAN_FIELDS);
    const label =
      this.find(node, "UsagePlanName") ??
      this.find(this.find(node, "Throttle"), "RateLimit") ??
      this.find(this.find(node, "Quota"), "Limit") ??
      node;
    const isIn: RequestTest =
      this.#planCount > 1
        ? this.takeRequests(name, label, "only production has which keys are in this plan")
        : () => true;
    const keyOf = this.takeSource(
      "api_key",
      "header:x-api-key",
      label,
      "a request is in a usage plan by its API key",
    );
    const methods = this.list(node, "ApiStages").flatMap((stage) => {
      this.notes.note(stage, "read");
      this.noteOthers(stage, ["Throttle"], PLAN_FIELDS);
      return [...(this.field(stage, "Throttle")?.fields?.values() ?? [])].map((each) => ({
        node: each,
        isOf: methodTest(each.name),
      }));
    });
    const clientOf =
      (test: RequestTest): Source =>
      (request) =>
        isIn(request) && test(request) ? keyOf(request) : null;
    for (const { node: method, isOf } of methods)
      this.#addBucket(method, `usage plan ${name}, method ${method.name}`, LIMITS, clientOf(isOf));
    const throttle = this.field(node, "Throttle");
    const isElsewhere: RequestTest = (request) => !methods.some(({ isOf }) => isOf(request));
    this.#addBucket(throttle, `usage plan ${name}`, LIMITS, clientOf(isElsewhere));
    this.#addQuota(
      this.field(node, "Quota"),
      name,
      clientOf(() => true),
    );
  }

  #addQuota(node: YamlNode | undefined, name: string, clientOf: Source): void {
    if (node === undefined) return;
    this.noteOthers(node, ["Limit", "Period", "Offset"], /^$/);
    const count = this.#number(node, "Limit", WHOLE_FROM_1);
    const period = this.field(node, "Period");
    const text = textIn(period).toUpperCase();
    const days = QUOTA_PERIODS[text];
    if (days === undefined)
      this.fail(period ?? node, `Period of a quota is "${text}"; write DAY, WEEK or MONTH`);
    const offset = this.field(node, "Offset");
    if (offset !== undefined && textIn(offset) !== "0")
      this.misunderstand(offset, "the first period has less requests, and here all are alike");
    if (days !== undefined && days > 1)
      this.misunderstand(
        period!,
        `AWS counts by the calendar; windows of ${days} days since 1970 are taken`,
      );
    if (count === null || days === undefined) return;
    this.#rules.push({
      ...quotaOf(count, days),
      id: `quota of usage plan ${name}`,
      file: this.file,
      line: this.find(node, "Limit")!.line,
      isDryRun: false,
      status: 429,
      budgetOf: clientOf,
    });
  }

  #readStage(name: string, type: string, properties: YamlNode): void {
    if (/^AWS::(?:ApiGateway::(?:Stage|Deployment)|Serverless::Api)$/.test(type)) {
      const place = this.field(properties, "StageDescription") ?? properties;
      const own = type.endsWith("Deployment") ? this.find(place, "ThrottlingRateLimit") : undefined;
      if (own !== undefined)
        this.#addBucket(place, `stage ${name}`, STAGE_LIMITS, this.#methodsOf(place));
      const settings = this.list(place, "MethodSettings");
      const tests = settings.map((each) =>
        methodTest(`${this.text(each, "ResourcePath")}/${this.text(each, "HttpMethod")}`),
      );
      for (const [index, each] of settings.entries()) {
        if (this.find(each, "ThrottlingRateLimit") === undefined) continue;
        const path = `${this.text(each, "ResourcePath")} ${this.text(each, "HttpMethod")}`;
        const isAny = path.includes("*");
        const budget = isAny ? this.#methodsOf(each) : (): string => "";
        // Settings of one method come before those of all methods.
        const test: RequestTest = (request) =>
          tests[index]!(request) &&
          (!isAny ||
            !settings.some(
              (other, at) =>
                at !== index &&
                !`${this.text(other, "ResourcePath")}${this.text(other, "HttpMethod")}`.includes(
                  "*",
                ) &&
                tests[at]!(request),
            ));
        this.#addBucket(each, `stage ${name}, ${path}`, STAGE_LIMITS, (request) =>
          test(request) ? budget(request) : null,
        );
      }
    }
    if (!/^AWS::(?:ApiGatewayV2::Stage|Serverless::HttpApi)$/.test(type)) return;
    const routes = [...(this.field(properties, "RouteSettings")?.fields?.values() ?? [])].map(
      (node) => ({ node, isOf: routeTest(node.name) }),
    );
    for (const { node, isOf } of routes)
      this.#addBucket(node, `stage ${name}, ${node.name}`, STAGE_LIMITS, (request) =>
        isOf(request) ? "" : null,
      );
    const usual = this.field(properties, "DefaultRouteSettings");
    if (usual === undefined) return;
    const methods = this.#methodsOf(usual);
    this.#addBucket(usual, `stage ${name}`, STAGE_LIMITS, (request) =>
      routes.some(({ isOf }) => isOf(request)) ? null : methods(request),
    );
  }

  /** Each method of an API has a bucket. The template may not have the paths of all methods. */
  #methodsOf(node: YamlNode): Source {
    const field = this.find(node, "ThrottlingRateLimit");
    if (field === undefined) return () => null;
    return this.takeSource(
      "methods",
      "all",
      field,
      "each method of the API has a bucket of its own",
    );
  }

  #addBucket(
    node: YamlNode | undefined,
    id: string,
    [rateName, burstName]: readonly [string, string],
    budgetOf: Source,
  ): void {
    if (node === undefined) return;
    this.notes.note(node, "read");
    const rate = this.#number(node, rateName, ABOVE_0);
    const burst = this.#number(node, burstName, WHOLE_FROM_0);
    if (rate === null) {
      const field = this.find(node, burstName);
      if (field !== undefined)
        this.misunderstand(field, `there is no ${rateName}, so that this limit is missing`);
      return;
    }
    if (burst === null)
      this.misunderstand(this.find(node, rateName)!, `there is no ${burstName}; the rate is taken`);
    this.#rules.push({
      ...bucketOf(rate, burst ?? Math.ceil(rate)),
      id,
      file: this.file,
      line: this.find(node, rateName)!.line,
      isDryRun: false,
      status: 429,
      budgetOf,
    });
  }

  /** A number, or a parameter of the template: !Ref NAME and { Ref: NAME }. */
  #number(node: YamlNode, name: string, isValid: NumberTest): number | null {
    const field = this.field(node, name);
    if (field === undefined) return null;
    const text = textIn(field);
    if (/^[\d.-]+$/.test(text)) return this.number(node, name, isValid);
    const parameter = textIn(this.find(field, "Ref")) || text;
    const defaults = this.roots.map((root) =>
      textIn(this.find(this.find(this.find(root, "Parameters"), parameter), "Default")),
    );
    const isName = /^\w+$/.test(parameter);
    return this.variableNumber(
      field,
      {
        name: isName ? parameter : `${name}_at_line_${field.line}`,
        usual: defaults.find((each) => each !== "") ?? "",
      },
      isValid,
    );
  }
}

interface AwsResource {
  readonly name: string;
  readonly type: string;
  readonly properties: YamlNode;
}

const LIMITS = ["RateLimit", "BurstLimit"] as const;
const STAGE_LIMITS = ["ThrottlingRateLimit", "ThrottlingBurstLimit"] as const;

/** `/items/{id}/GET`; an asterisk is any path or method. A stage writes it as `/~1items~1{id}`. */
function methodTest(text: string): RequestTest {
  const [, path = "/", method = "*"] =
    /^(.*)\/([^/]*)$/.exec(text.replace(/^\/~1/, "/").replaceAll("~1", "/")) ?? [];
  return pathTest(path, method);
}

/** `GET /items/{id}`, or `$default`. */
function routeTest(text: string): RequestTest {
  const [, method = "*", path = "/*"] = /^(\S+) (\S+)$/.exec(text) ?? [];
  return pathTest(path, method);
}

/** The path of a log may begin with the name of the stage. */
function pathTest(path: string, method: string): RequestTest {
  const isAny = path === "/*" || path === "*";
  const source = path
    .split(/(\{\w+\+?\})/)
    .map((part, index) => {
      if (index % 2 === 1) return part.endsWith("+}") ? ".+" : "[^/]+";
      return escapePattern(part);
    })
    .join("");
  const regex = new RegExp(`^(?:/[^/]+)?${source.replace(/\/$/, "")}/?$`);
  const isMethod = (request: RequestFacts): boolean =>
    /^(?:\*|ANY)$/i.test(method) || request.method === method.toUpperCase();
  return (request) => isMethod(request) && (isAny || regex.test(decode(pathOf(request))));
}
