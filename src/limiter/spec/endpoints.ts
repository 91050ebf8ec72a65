import { entries, type Requirement } from "./requirement.ts";

export const ENDPOINT_REQUIREMENTS: readonly Requirement[] = [
  ...entries("required", "built", [
    [
      "EPT-1",
      "Per-endpoint limits",
      "The limit of an endpoint concerns its path with its method and no other request.",
    ],
    [
      "EPT-2",
      "Per-endpoint limits",
      "Where an endpoint has no limit, the key's limit for the API or the API's global one is in force.",
    ],
    [
      "EPT-3",
      "Per-endpoint limits",
      "Entries of a classic definition are tried from the top, so a path written out before a pattern is met first.",
    ],
    [
      "EPT-4",
      "Per-endpoint limits",
      "In an OAS document a limit hangs on an operationId, whose path and method are in paths; its window is a duration string.",
    ],
    ["EPT-5", "Per-endpoint limits", "A name in braces in an OAS path matches any string."],
    [
      "EPT-6",
      "Per-endpoint limits",
      "OAS operations without wildcards are tried before those with, in whatever order the file has them.",
    ],
    ["EPT-7", "Per-endpoint limits", "An entry that is not enabled is no limit."],
  ]),
  ...entries("chosen", "built", [
    [
      "EPT-C1",
      "Per-endpoint limits",
      "The path after the listen path has to match as a whole, letter by letter; wildcards take slashes and nothing at all. Characters with a meaning in regular expressions are errors.",
    ],
    [
      "EPT-C2",
      "Per-endpoint limits",
      "Matching goes on after a disabled entry. Two switches that contradict each other are an error.",
    ],
    [
      "EPT-C3",
      "Per-endpoint limits",
      "Between OAS wildcards the longer literal beginning wins, then the larger number of literal characters, then the text.",
    ],
    [
      "EPT-C4",
      "Per-endpoint limits",
      "A duration string is whole hours, minutes, seconds, milliseconds in that order, more than nothing and at most 876,000 hours, like every per; other strings and unknown operationIds are errors.",
    ],
    [
      "EPT-C5",
      "Per-endpoint limits",
      "Keys and policies can limit endpoints too; such limits merge as others do and are counted by key, API and endpoint.",
    ],
    [
      "EPT-C6",
      "Per-endpoint limits",
      "Paths that meet the same entry share one counter; two APIs with the same pattern do not.",
    ],
    [
      "EPT-C7",
      "Per-endpoint limits",
      "Paths are normalised before they are matched and forwarded, so that another spelling is no way around a limit; escapes that stay have capital digits, in entries too; encoded slashes and the like are 400. The option endpoint_matching makes letter case, a last slash, parameters of segments and HEAD no difference to endpoint entries, and to nothing else; by default each is one.",
    ],
  ]),
];
