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
      'further_dates',
      'more_filters',
      'zone_middles',
      'include',
      'places_tool',
      'mcp_whole',
      'prompts_withdrawn',
      'geojson_withdrawn',
      'tonight',
      'open_places_kept',
      'indoor',
      'short_description',
      'written_in',
      'same_date',
      'renamed',
      'place_gone',
      'chat_marks',
      'price_note',
      'family_sent',
      'rhythms_sent',
      'guides',
      'error_codes',
      'open_places',
      'follow_submission',
      'twins',
      'data_files',
      'changes',
      'place_lists',
      'totals',
      'nothing',
      'search',
      'known_names',
      'mcp_bounds',
      'mcp_resources',
      'detail',
      'submissions',
      'certainty',
      'hours',
      'prices',
      'recurrence',
      'opening',
      'coordinates',
      'days',
      'notices',
      'calendars',
      'feeds',
      'pictures',
      'markdown',
    ],
  },
  { version: '1.0.0', day: '2026-11-21', entries: ['first'] },
] as const satisfies readonly ApiVersion[];
