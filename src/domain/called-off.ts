// Called-off events: recognizes titles that begin or end with a word such as “Cancelado”, as
// organizers write them who cannot or do not set the state of an event.

/** Words by their meaning; `moved` names another date, which may or may not be the given one. */
const WORDS = {
  cancelled: 'cancelad[oa]s?|cancell?ed|cancell?ation|se cancela|called off|anulad[oa]s?',
  postponed:
    'pospuest[oa]s?|aplazad[oa]s?|diferid[oa]s?|suspendid[oa]s?|postponed|suspended|se (?:pospone|aplaza|suspende)',
  moved:
    'reprogramad[oa]s?|reagendad[oa]s?|rescheduled|cambio de fecha|nueva fecha|new date|date change',
} as const;
export type CalledOff = keyof typeof WORDS;
const ALL_WORDS = Object.values(WORDS).join('|');
const KINDS = (['cancelled', 'postponed', 'moved'] as const).map(
  (kind) => [kind, new RegExp(`^(?:${WORDS[kind]})$`, 'iu')] as const,
);

const START = new RegExp(
  String.raw`^[^\p{L}\p{N}]{0,20}(?:(?:evento|event|concierto|show|funci[oó]n)\s+)?(${ALL_WORDS})(?!\p{L})[^\p{L}\p{N}]{0,20}`,
  'iu',
);
const END = new RegExp(
  String.raw`[^\p{L}\p{N}\s,]\s{0,9}(?:(?:evento|event)\s+)?(${ALL_WORDS})[^\p{L}\p{N}]{0,20}$`,
  'iu',
);

/**
 * Splits a title into its own words (`rest`) and the meaning of the word that calls it off; null if
 * it has none.
 */
export function splitCalledOff(title: string): { rest: string; called_off: CalledOff | null } {
  const [match, word] = START.exec(title) ?? END.exec(title) ?? [];
  if (match === undefined || word === undefined) return { rest: title, called_off: null };
  const [kind = null] = KINDS.find(([, pattern]) => pattern.test(word)) ?? [];
  const rest = title.startsWith(match) ? title.slice(match.length) : title.slice(0, -match.length);
  return { rest: rest.trim(), called_off: kind };
}
