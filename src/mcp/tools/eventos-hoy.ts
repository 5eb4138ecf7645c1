// eventos_hoy: today in Cancún, whatever day it is where the model runs (interface 4, date=today).
import { EventListResponse } from '../../serializers/wire/answer.ts';
import { FIXED_DAY_ARGUMENTS, listEvents, toFilterSchema } from './event-filters.ts';
import { toResultSchema } from './schemas.ts';
import { READ_ONLY, type Tool } from './tool.ts';

export const eventosHoy: Tool = {
  name: 'eventos_hoy',
  title: 'mcp.eventos_hoy.title',
  description: 'mcp.eventos_hoy.description',
  annotations: READ_ONLY,
  toInputSchema: (taxonomy) => toFilterSchema(FIXED_DAY_ARGUMENTS, taxonomy),
  toOutputSchema: () => toResultSchema(EventListResponse),
  response: (args, context) => listEvents(args, FIXED_DAY_ARGUMENTS, { date: 'today' }, context),
};
