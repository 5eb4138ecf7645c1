// What changed for users of the interface, newest first, by version; the words of each entry are
// `changelog.entry.<name>` (contract 15.5). CHANGELOG.md has the English ones.

/** The entries of a version; what came after the last one has no day yet. */
interface ApiVersion {
  readonly version: string;
  /** YYYY-MM-DD; null for what came after it. */
  readonly day: string | null;
  readonly entries: readonly string[];
}

export const API_CHANGES = [
  {
    version: '1.0.0',
    day: null,
    entries: [
      'more_filters',
      'further_dates',
      'near',
      'indoor',
      'tonight',
      'mcp_tools',
      'mcp_bounds',
      'mcp_resources',
      'withdrawn',
      'short_description',
      'guides',
      'written_in',
      'identity',
      'chat_marks',
      'submissions',
      'changes',
      'place_lists',
      'search',
      'known_names',
      'certainty',
      'prices',
      'opening',
      'days',
      'detail',
      'calendars',
      'markdown',
      'data_files',
      'pictures',
    ],
  },
  { version: '1.0.0', day: '2026-11-21', entries: ['first'] },
] as const satisfies readonly ApiVersion[];
