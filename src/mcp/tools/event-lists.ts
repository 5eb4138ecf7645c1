// The three tools that list events with the shared filters: buscar_eventos, eventos_hoy and
// eventos_fin_de_semana (contract 8.2).
import * as v from 'valibot';
import { formatCursor, parseEventQuery } from '../../domain/query/event-query.ts';
import { TOOL_PARAMETER_NAMES } from '../../domain/query/parameters.ts';
import { EventListResponse } from '../../serializers/wire/responses.ts';
import { readArguments } from '../arguments.ts';
import type { McpContext } from '../context.ts';
import { shorten } from '../shorten.ts';
import { spellArguments } from '../spelled-arguments.ts';
import { readEventList, toEventListFields } from '../lean/event-list.ts';
import { toEventListText } from '../text/event-list.ts';
import { DEFAULT_LIMIT, toExplainedSchema, toNamedSchema } from './filter-properties.ts';
import { PAGING, READ_ONLY, type Tool, type ToolResult, toResultSchema } from './tool.ts';

/** As many events are told rather than fewer with longer texts. */
const LEAST = 5;

/** What every list takes. */
const LIST_ARGUMENTS: readonly string[] = TOOL_PARAMETER_NAMES;
/** What a list of fixed days takes. */
const FIXED_DAY_ARGUMENTS = LIST_ARGUMENTS.filter(
  (name) => name !== 'date' && name !== 'from' && name !== 'to',
);

/**
 * The list that arguments ask for; `fixed` are the days that a tool stands for, and today has its
 * facts beside it. Throws AppError invalid_parameter.
 */
function listEvents(
  args: Readonly<Record<string, unknown>>,
  names: readonly string[],
  fixed: Readonly<Record<string, string>>,
  context: McpContext,
): ToolResult {
  const { snapshot, now_ms } = context;
  const issues: string[] = [];
  const params = { ...spellArguments(readArguments(args, names, issues), context), ...fixed };
  const { filter, lang } = parseEventQuery(params, snapshot, now_ms, 'list', issues);
  const make = (limit: number, allowed: McpContext): ToolResult => {
    const list = readEventList({ ...filter, limit }, lang, fixed.date === 'today', allowed);
    return {
      structured: toEventListFields(list, allowed),
      text: toEventListText(list, allowed),
      lang,
      next_cursor: list.next && formatCursor(list.next),
    };
  };
  const most = params.limit === undefined ? DEFAULT_LIMIT : filter.limit;
  return shorten(make, { most, least: LEAST }, context);
}

/** Events as those of buscar_eventos, which says what each of them has. */
const AsThere = v.array(v.looseObject({}));
const FixedDaysResponse = v.strictObject({ ...EventListResponse.entries, data: AsThere });

/** A tool for the days that `fixed` says, which it then does not ask for. */
const toListTool = (
  name: Tool['name'],
  names: readonly string[],
  fixed: Readonly<Record<string, string>>,
  schema: v.GenericSchema,
): Tool => ({
  name,
  annotations: READ_ONLY,
  toInputSchema: (taxonomy) =>
    names === LIST_ARGUMENTS ? toExplainedSchema(taxonomy) : toNamedSchema(names),
  toOutputSchema: () => toResultSchema(schema, PAGING),
  response: (args, context) => listEvents(args, names, fixed, context),
});

/** Events by day, place, price, kind and words. */
export const buscarEventos = toListTool('buscar_eventos', LIST_ARGUMENTS, {}, EventListResponse);

/** Today in Cancún, whatever day it is where the model runs, with the day itself and the places that are open. */
export const eventosHoy = toListTool(
  'eventos_hoy',
  FIXED_DAY_ARGUMENTS,
  { date: 'today' },
  v.strictObject({ ...FixedDaysResponse.entries, open_places: AsThere, still_on: AsThere }),
);

/** Friday to Sunday, from today on those days. */
export const eventosFinDeSemana = toListTool(
  'eventos_fin_de_semana',
  FIXED_DAY_ARGUMENTS,
  { date: 'weekend' },
  FixedDaysResponse,
);
