// The reader of AWS API Gateway: sentences of the documentation of usage plans and throttling, with a case each.
import { expect, test } from "vitest";
import { AWS_API_GATEWAY_READER } from "#src/lab/implementations/aws-api-gateway/read.ts";
import { isFailure } from "#src/kit/reading/failure.ts";
import { openOf, readText, startReading, times, type Sent } from "../read-and-play.ts";

const { read, decisions } = startReading(AWS_API_GATEWAY_READER);

/** A template with one resource. */
const template = (type: string, properties: string, rest = ""): string =>
  `Resources:\n  Few:\n    Type: AWS::${type}\n    Properties: { ${properties} }\n${rest}`;

const plan = (properties: string, rest = ""): string =>
  template("ApiGateway::UsagePlan", properties, rest);

const by = (key: string, rest: Sent = {}): Sent => ({ ...rest, headers: { "x-api-key": key } });

const SAMPLE = `AWSTemplateFormatVersion: "2010-09-09"
Parameters:
  Rate: { Type: Number, Default: 10 }
Resources:
  Plan:
    Type: AWS::ApiGateway::UsagePlan
    DependsOn: Stage
    Properties:
      UsagePlanName: !Sub "\${AWS::StackName}-plan"
      ApiStages:
        - ApiId: !Ref Api
          Stage: prod
          Throttle:
            "/items/GET": { RateLimit: 2, BurstLimit: 4 }
      Throttle: { RateLimit: !Ref Rate, BurstLimit: 20 }
      Quota: { Limit: 1000, Period: MONTH, Offset: 5 }
      Colour: red
  Key:
    Type: AWS::ApiGateway::ApiKey
    Properties: { Value: s3cret, Enabled: true }
  Stage:
    Type: AWS::ApiGateway::Stage
    Properties:
      MethodSettings:
        - { ResourcePath: "/*", HttpMethod: "*", ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 }
`;

test("each field of a realistic template that may change a limit is named, and no secret is", () => {
  const configuration = read(SAMPLE);
  expect(openOf(configuration)).toMatchInlineSnapshot(`
    [
      "9 question UsagePlanName: \${AWS::StackName}-plan: a request is in a usage plan by its API key; header:x-api-key is taken",
      "15 question RateLimit: Rate: it is the variable Rate; 10 is taken",
      "16 not understood Period: MONTH: AWS counts by the calendar; windows of 30 days since 1970 are taken",
      "16 not understood Offset: 5: the first period has less requests, and here all are alike",
      "17 not understood Colour: red: this reader does not know it; if it limits requests, the result is wrong",
      "25 question ThrottlingRateLimit: 50: each method of the API has a bucket of its own; all is taken",
    ]
  `);
  expect(configuration.rules.map(({ id, line, written }) => `${line} ${id}: ${written ?? ""}`))
    .toMatchInlineSnapshot(`
    [
      "14 usage plan Plan, method /items/GET: 2 per 1s, burst 4",
      "15 usage plan Plan: 10 per 1s, burst 20",
      "16 quota of usage plan Plan: ",
      "25 stage Stage, /* *: 50 per 1s, burst 100",
    ]
  `);
});

test("a token bucket for each API key: the burst at once, and then the rate", () => {
  const text = plan("Throttle: { RateLimit: 1, BurstLimit: 2 }");
  const sent = [by("a", { at: 0 }), by("a"), by("a"), by("b"), by("a", { at: 1 }), by("a")];
  expect(decisions(text, sent)).toBe("++-++-");
  expect(decisions(text, times(4, { at: 0 }))).toBe("++++"); // without a key there is no plan
});

test("a rate below 1, and a burst that is left out", () => {
  const text = plan("Throttle: { RateLimit: 0.5, BurstLimit: 1 }");
  expect(decisions(text, [by("a", { at: 0 }), by("a", { at: 1 }), by("a", { at: 2 })])).toBe("+-+");
  expect(openOf(read(plan("Throttle: { RateLimit: 5 }")))).toContainEqual(
    expect.stringContaining("there is no BurstLimit; the rate is taken"),
  );
  expect(openOf(read(plan("Throttle: { BurstLimit: 5 }")))).toContainEqual(
    expect.stringContaining("there is no RateLimit, so that this limit is missing"),
  );
});

test.each([
  ["DAY", 86_400],
  ["WEEK", 604_800],
  ["MONTH", 2_592_000],
])("a quota of a %s is over %i seconds", (period, seconds) => {
  const [rule] = read(plan(`Quota: { Limit: 2, Period: ${period} }`)).rules;
  expect(rule!.limit).toEqual({ rate: 2, perUs: 1_000_000 * seconds });
});

test("a method of a plan has a limit in place of that of the plan", () => {
  const text = plan(
    'ApiStages: [{ ApiId: a, Stage: prod, Throttle: { "/items/{id}/GET": { RateLimit: 1, BurstLimit: 2 } } }], Throttle: { RateLimit: 1, BurstLimit: 1 }',
  );
  const to = (path: string): readonly Sent[] => times(3, by("a", { at: 0, path }));
  expect(decisions(text, to("/items/7"))).toBe("++-");
  expect(decisions(text, to("/prod/items/7"))).toBe("++-");
  expect(decisions(text, to("/items"))).toBe("+--");
});

test("several plans are a question, because only production has which keys are in them", () => {
  const text = `${plan("Throttle: { RateLimit: 1, BurstLimit: 1 }")}  More:\n    Type: AWS::ApiGateway::UsagePlan\n    Properties: { Throttle: { RateLimit: 1, BurstLimit: 3 } }\n`;
  expect(decisions(text, times(4, by("a", { at: 0 })))).toBe("+---");
  const values = { requests_of_Few: "none" };
  expect(decisions(text, times(4, by("a", { at: 0 })), { values })).toBe("+++-");
});

test("a plan without limits is no question", () => {
  for (const text of [
    plan("UsagePlanName: a"),
    template(
      "Serverless::Api",
      "Auth: { UsagePlan: { CreateUsagePlan: NONE, Quota: { Limit: 1, Period: DAY } } }",
    ),
  ])
    expect(read(text)).toMatchObject({ rules: [], questions: [] });
});

test("throttling of a stage counts all clients together, and settings of a method come first", () => {
  const text = template(
    "ApiGateway::Stage",
    'MethodSettings: [{ ResourcePath: "/*", HttpMethod: "*", ThrottlingRateLimit: 1, ThrottlingBurstLimit: 1 }, { ResourcePath: /~1a, HttpMethod: GET, ThrottlingRateLimit: 1, ThrottlingBurstLimit: 2 }]',
  );
  expect(
    decisions(text, [
      { at: 0, path: "/b" },
      { path: "/b", ip: "192.0.2.2" },
    ]),
  ).toBe("+-");
  expect(decisions(text, times(3, { at: 0, path: "/a" }))).toBe("++-");
  const values = { methods: "path" };
  expect(decisions(text, [{ at: 0, path: "/b" }, { path: "/c" }], { values })).toBe("++");
});

test("routes of an HTTP API, and SAM", () => {
  const text = template(
    "ApiGatewayV2::Stage",
    'DefaultRouteSettings: { ThrottlingRateLimit: 1, ThrottlingBurstLimit: 1 }, RouteSettings: { "GET /a": { ThrottlingRateLimit: 1, ThrottlingBurstLimit: 2 } }',
  );
  expect(decisions(text, times(3, { at: 0, path: "/a" }))).toBe("++-");
  expect(decisions(text, times(3, { at: 0, path: "/b" }))).toBe("+--");
  const sam = template(
    "Serverless::Api",
    "Auth: { UsagePlan: { CreateUsagePlan: PER_API, Throttle: { RateLimit: 1, BurstLimit: 1 } } }",
  );
  expect(decisions(sam, times(2, by("a", { at: 0 })))).toBe("+-");
});

test("a limit at a place that the reader does not know is named", () => {
  const text = template(
    "Serverless::WebSocketApi",
    "DefaultRouteSettings: { ThrottlingRateLimit: 5, ThrottlingBurstLimit: 5 }",
  );
  expect(openOf(read(text)).map((each) => each.slice(0, 42))).toEqual([
    "4 not understood ThrottlingRateLimit: 5: t",
    "4 not understood ThrottlingBurstLimit: 5: ",
  ]);
});

test.each([
  "provider:\n  apiGateway:\n    usagePlan:\n      throttle: { rateLimit: 1, burstLimit: 1 }\n",
  "provider:\n  usagePlan:\n    throttle: { rateLimit: 1, burstLimit: 1 }\n",
  "provider:\n  apiGateway:\n    usagePlan:\n    - few: { throttle: { rateLimit: 1, burstLimit: 1 } }\n",
])("serverless.yml has the same plan in other letters: %j", (text) => {
  expect(AWS_API_GATEWAY_READER.recognizes({ file: "in.txt", text })).toBe(true);
  expect(decisions(text, times(2, by("a", { at: 0 })))).toBe("+-");
});

test("a parameter is a question with its default, and other functions need a number", () => {
  const rest = "Parameters: { Rate: { Default: 2 }, Burst: { Default: 2 } }\n";
  for (const reference of ["!Ref Burst", "{ Ref: Burst }"]) {
    const text = plan(`Throttle: { RateLimit: 1, BurstLimit: ${reference} }`, rest);
    expect(decisions(text, times(3, by("a", { at: 0 })))).toBe("++-");
    const values = { Burst: "1" };
    expect(decisions(text, times(3, by("a", { at: 0 })), { values })).toBe("+--");
  }
  const chosen = plan("Throttle: { RateLimit: !If [Big, 9, 1], BurstLimit: 1 }");
  const failed = readText(AWS_API_GATEWAY_READER, chosen);
  expect(isFailure(failed) ? failed.problems : failed).toEqual([
    expect.stringContaining("write --set RateLimit_at_line_4=NUMBER"),
  ]);
  const values = { RateLimit_at_line_4: "1" };
  expect(decisions(chosen, times(2, by("a", { at: 0 })), { values })).toBe("+-");
});

test.each([
  ["Resources: [", "in.txt:1: this is not YAML:"],
  [plan("Quota: { Limit: 5, Period: YEAR }"), 'Period of a quota is "YEAR"; write DAY, WEEK or'],
  [plan("Throttle: { RateLimit: 0, BurstLimit: 1 }"), 'RateLimit is "0"; write a number above 0'],
])("%j is one problem", (text, problem) => {
  const failed = readText(AWS_API_GATEWAY_READER, text);
  expect(isFailure(failed) ? failed.problems : failed).toEqual([expect.stringContaining(problem)]);
});
