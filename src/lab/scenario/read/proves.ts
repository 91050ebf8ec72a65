import { listOf, reportName, formatValue, type Shape } from "../../../kit/reading/shape.ts";
import { scn } from "./codes.ts";
import { REQUIREMENTS } from "../../../limiter/spec/requirements.ts";

const IDS = REQUIREMENTS.map(({ id }) => id);
const knownIds = new Set<string>(IDS);

const requirementId: Shape<string> = {
  called: "the id of a requirement",
  schema: { enum: IDS },
  read: (value, at, problems) => {
    if (typeof value !== "string")
      return scn(problems, "SCN-VALUE", at, `${formatValue(value)} is not the id of a requirement`);
    return knownIds.has(value)
      ? value
      : reportName(
          problems,
          "SCN-REQUIREMENT",
          at,
          `there is no requirement "${value}"`,
          value,
          IDS,
        );
  },
};

export const requirementIds = listOf(requirementId);
