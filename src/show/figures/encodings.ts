// What several templates have in common.
/** Writes large numbers in thousands or millions, and no number with more digits than needed. */
export const NUMBER =
  "abs(datum.value) >= 10000 ? format(datum.value, '.3~s') : format(datum.value, ',.6~r')";

export const own = (field: string): object => ({ field, type: "nominal", scale: null });
export const quantity = (field: string): object => ({ field, type: "quantitative" });
export const tooltip = { field: "tip", type: "nominal" };

const ticksBy70 = { tickCount: { expr: "ceil(width / 70)" } };

export const across = {
  x: {
    ...quantity("from"),
    title: "x",
    scale: { domain: [0, 1], nice: false },
    axis: { grid: false, labelExpr: NUMBER, ...ticksBy70 },
  },
  x2: { field: "to" },
};

/** An axis whose ticks are at least `leastStep` apart: 1 for counts, such as requests, 0 for measured values. */
export const counted = {
  ...across,
  x: {
    ...across.x,
    axis: { ...across.x.axis, tickMinStep: { expr: "leastStep" } },
  },
};

/** Extends a mark from the bottom to the top of the chart, whatever the vertical axis is. */
export const upright = { y: { value: 0 }, y2: { value: { expr: "height" } } };

/** A vertical position in rows. The name is above its row, so that a long name takes no width from the chart. */
export const row = (field: string): object => ({
  ...quantity(field),
  scale: { domain: [0, 1], nice: false },
  axis: null,
});
