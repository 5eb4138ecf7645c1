// The form of the shared filters, for whoever describes them: OpenAPI, the docs page and the MCP
// tools (interface 4).
import {
  EVENT_PARAMETER_NAMES,
  LIMITS,
  MAX_Q_LENGTH,
  NEAR_PATTERN,
  RADIUS_KM,
} from './event-query.ts';
import { AGENDA_WORDS } from '../agenda-words.ts';
import { LANGS } from '../lang.ts';

export type EventParameterName = (typeof EVENT_PARAMETER_NAMES)[number];

export interface ParameterDescription {
  readonly name: string;
  readonly description: string;
  /** JSON Schema 2020-12 of the text as sent. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example: string | number;
}

/** A parameter without its words, which i18n has. */
export interface ParameterForm extends Omit<ParameterDescription, 'description'> {
  readonly name: EventParameterName;
}

const FLAG = { type: 'string', enum: ['1', 'true', '0', 'false'] } as const;
const DAY = { type: 'string', format: 'date' } as const;
const TEXT = { type: 'string' } as const;

const FORMS: Readonly<Record<EventParameterName, Omit<ParameterForm, 'name'>>> = {
  date: { schema: { anyOf: [{ type: 'string', enum: AGENDA_WORDS }, DAY] }, example: 'weekend' },
  from: { schema: DAY, example: '2026-11-21' },
  to: { schema: DAY, example: '2026-11-30' },
  category: { schema: TEXT, example: 'live-music' },
  zone: { schema: TEXT, example: 'isla-mujeres' },
  free: { schema: FLAG, example: '1' },
  family: { schema: FLAG, example: '1' },
  near: { schema: { type: 'string', pattern: NEAR_PATTERN.source }, example: '21.1619,-86.8515' },
  radius_km: {
    schema: {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: RADIUS_KM.max,
      default: RADIUS_KM.fallback,
    },
    example: 3,
  },
  lang: { schema: { type: 'string', enum: LANGS, default: 'es' }, example: 'en' },
  q: { schema: { type: 'string', maxLength: MAX_Q_LENGTH }, example: 'musica' },
  limit: {
    schema: {
      type: 'integer',
      minimum: 1,
      maximum: LIMITS.list.max,
      default: LIMITS.list.fallback,
    },
    example: 20,
  },
};

/** The filters in the interface's order, each with its schema and an example. */
export const EVENT_PARAMETERS: readonly ParameterForm[] = EVENT_PARAMETER_NAMES.map((name) => ({
  name,
  ...FORMS[name],
}));
