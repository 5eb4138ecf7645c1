// buscar_eventos: events by day, place, price, kind and words (interface 4, listEvents).
import { EventListResponse } from '../../serializers/wire/answer.ts';
import { LIST_ARGUMENTS, listEvents, toFilterSchema } from './event-filters.ts';
import { toResultSchema } from './schemas.ts';
import { READ_ONLY, type Tool } from './tool.ts';

export const buscarEventos: Tool = {
  name: 'buscar_eventos',
  title: 'mcp.buscar_eventos.title',
  description: 'mcp.buscar_eventos.description',
  annotations: READ_ONLY,
  toInputSchema: (taxonomy) => toFilterSchema(LIST_ARGUMENTS, taxonomy),
  toOutputSchema: () => toResultSchema(EventListResponse),
  response: (args, context) => listEvents(args, LIST_ARGUMENTS, {}, context),
};
