// What each event of a list has beside its fields where it is asked for (contract 8.38).

/** Most occurrences of one event: more than one on each day of the longest range. */
export const MAX_INCLUDED = 100;

/** The parameter `include` without its words, which i18n has. */
export const INCLUDE = {
  name: 'include',
  schema: { type: 'string', enum: ['occurrences'] },
  example: 'occurrences',
} as const;
