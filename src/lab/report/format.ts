// Separate from the report schema: the threads of a run only write reports and need not load the schema.
export const REPORT_FORMAT = "weir-report/3";
