// Separate from the schema, so that threads of a run, which only write reports, need not load it.
export const REPORT_FORMAT = "weir-report/3";
