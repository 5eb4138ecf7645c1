// The shared filters in words, for whoever describes them: OpenAPI, the docs page and the MCP tools (interface 4).
import { EVENT_PARAMETER_NAMES, LIMITS, MAX_Q_LENGTH, NEAR_PATTERN, RADIUS_KM } from './event-query.ts';
import { LANGS } from './lang.ts';
import { DATE_WORDS, FROM_ALONE_DAYS, MAX_RANGE_DAYS } from './range.ts';

export interface ParameterDescription {
  readonly name: string;
  readonly description: string;
  /** JSON Schema 2020-12 of the text as sent. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example: string | number;
}

const FLAG = { type: 'string', enum: ['1', 'true', '0', 'false'] } as const;
const DAY = { type: 'string', format: 'date' } as const;

const DESCRIBED: Readonly<Record<(typeof EVENT_PARAMETER_NAMES)[number], Omit<ParameterDescription, 'name'>>> = {
  date: {
    description: `One day or a named range, in Cancún time: ${DATE_WORDS.join(', ')} or YYYY-MM-DD. weekend is Friday to Sunday and starts today on those days; week is today and the 6 days after it. Cannot be combined with from or to.`,
    schema: { anyOf: [{ type: 'string', enum: DATE_WORDS }, DAY] },
    example: 'weekend',
  },
  from: { description: `First day, inclusive. Without to, the range is ${FROM_ALONE_DAYS} days. A range has at most ${MAX_RANGE_DAYS} days, both ends counted.`, schema: DAY, example: '2026-11-21' },
  to: { description: `Last day, inclusive. Without from, the range starts today. At most ${MAX_RANGE_DAYS} days.`, schema: DAY, example: '2026-11-30' },
  category: { description: 'Category key or slug, in Spanish or English; several with commas mean any of them. Case and accents do not matter.', schema: { type: 'string' }, example: 'live-music' },
  zone: { description: 'Zone key or slug, in Spanish or English; several with commas mean any of them. Case and accents do not matter.', schema: { type: 'string' }, example: 'isla-mujeres' },
  free: { description: 'Only free events. An unknown price is not free. 0 and false switch the filter off.', schema: FLAG, example: '1' },
  family: { description: 'Only family plans: category family or tag familia. 0 and false switch the filter off.', schema: FLAG, example: '1' },
  near: { description: 'Only events at a venue within radius_km of this point, lat,lng in degrees. Events without coordinates are left out. The order stays by time.', schema: { type: 'string', pattern: NEAR_PATTERN.source }, example: '21.1619,-86.8515' },
  radius_km: { description: 'Radius for near, in km. Has no effect without near.', schema: { type: 'number', exclusiveMinimum: 0, maximum: RADIUS_KM.max, default: RADIUS_KM.fallback }, example: 3 },
  lang: { description: 'Language of titles, summaries and canonical addresses.', schema: { type: 'string', enum: LANGS, default: 'es' }, example: 'en' },
  q: { description: 'Free text over title, summary and venue: words and word beginnings, all of them, in any order, without regard to case or accents.', schema: { type: 'string', maxLength: MAX_Q_LENGTH }, example: 'musica' },
  limit: { description: 'Most events to answer with.', schema: { type: 'integer', minimum: 1, maximum: LIMITS.list.max, default: LIMITS.list.fallback }, example: 20 },
};

/** The filters in the interface's order, each with its rule in a sentence, its schema and an example. */
export const EVENT_PARAMETERS: readonly ParameterDescription[] = EVENT_PARAMETER_NAMES.map((name) => ({ name, ...DESCRIBED[name] }));
