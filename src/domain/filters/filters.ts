// The table of the filters: what the REST list, the feeds, the MCP tools, OpenAPI, the docs, the
// calendar page, the names that are nearly right and the scan all read (contract 8).
import { category } from './category.ts';
import { date } from './date.ts';
import { family } from './family.ts';
import type { Parameter, ParameterTexts, QueryContext } from './filter.ts';
import { free } from './free.ts';
import { indoor } from './indoor.ts';
import { lang } from './lang.ts';
import { limit } from './limit.ts';
import { near } from './near.ts';
import { priceMax } from './price-max.ts';
import { q } from './q.ts';
import { status } from './status.ts';
import { organizer, venue } from './thing-filter.ts';
import { updatedSince } from './updated-since.ts';
import { zone } from './zone.ts';

/** By keys of a list of taxa: the calendar page has a menu of each. */
export const TAXON_FILTERS = [category, zone] as const;

/** On or off: the calendar page has a box to tick. */
export const FLAG_FILTERS = [free, family, indoor] as const;

/** Those that the MCP tools do not take, whose every argument is read with every question (contract 13.10). */
const NOT_FOR_TOOLS = [status, priceMax, venue, organizer] as const;

/** All that leave events out by what they are. */
export const EVENT_FILTERS = [
  ...TAXON_FILTERS,
  ...FLAG_FILTERS,
  near,
  q,
  updatedSince,
  ...NOT_FOR_TOOLS,
] as const;

type Asked = Omit<ReturnType<typeof readFilters>, 'lang'>;

/** Whether anything but a zone is asked for. */
export const isNarrowed = (filter: Asked): boolean =>
  EVENT_FILTERS.some(({ name, isOn }) => name !== zone.name && isOn(filter));

/** Whether a filter asks for what only events have, and no place that is open (contract 4.14). */
export const asksOfEvents = (filter: Asked): boolean =>
  [category, near, q, updatedSince].some(({ isOn }) => isOn(filter));

/** All parts of a query in the contract's order. */
export const FILTERS = [
  date,
  ...TAXON_FILTERS,
  ...FLAG_FILTERS,
  near,
  lang,
  q,
  updatedSince,
  ...NOT_FOR_TOOLS,
  limit,
] as const;

/** What leaves nothing out. */
export const ALL_OFF = {
  ...date.off,
  ...category.off,
  ...zone.off,
  ...free.off,
  ...family.off,
  ...indoor.off,
  ...near.off,
  ...q.off,
  ...updatedSince.off,
  ...status.off,
  ...priceMax.off,
  ...venue.off,
  ...organizer.off,
} as const;

/** The values that a query asks for; its issues are pushed to those of the context. */
export const readFilters = (params: ParameterTexts, context: QueryContext) => ({
  ...date.read(params, context),
  ...category.read(params, context),
  ...zone.read(params, context),
  ...free.read(params, context),
  ...family.read(params, context),
  ...indoor.read(params, context),
  ...near.read(params, context),
  ...lang.read(params, context),
  ...q.read(params, context),
  ...updatedSince.read(params, context),
  ...status.read(params, context),
  ...priceMax.read(params, context),
  ...venue.read(params, context),
  ...organizer.read(params, context),
  ...limit.read(params, context),
});

export type EventParameterName = (typeof FILTERS)[number]['parameters'][number]['name'];

/** The parameters in the contract's order; `cursor`, which only lists take, is not among them. */
export const EVENT_PARAMETERS: readonly Parameter<EventParameterName>[] = FILTERS.flatMap(
  ({ parameters }): readonly Parameter<EventParameterName>[] => parameters,
);

export const EVENT_PARAMETER_NAMES: readonly EventParameterName[] = EVENT_PARAMETERS.map(
  ({ name }) => name,
);

export type ListParameterName = EventParameterName | 'cursor';

/** What a list takes. */
export const LIST_PARAMETER_NAMES: readonly ListParameterName[] = [
  ...EVENT_PARAMETER_NAMES,
  'cursor',
];

export type ToolParameterName = Exclude<ListParameterName, (typeof NOT_FOR_TOOLS)[number]['name']>;

/** What a tool that lists events takes. */
export const TOOL_PARAMETER_NAMES: readonly ToolParameterName[] = LIST_PARAMETER_NAMES.filter(
  (name): name is ToolParameterName => NOT_FOR_TOOLS.every((filter) => filter.name !== name),
);
