// eventos_fin_de_semana: Friday to Sunday, from today on those days (interface 4, date=weekend).
import { EventListResponse } from '../../serializers/wire/answer.ts';
import { FIXED_DAY_ARGUMENTS, listEvents, toFilterSchema } from './event-filters.ts';
import { toResultSchema } from './schemas.ts';
import { READ_ONLY, type Tool } from './tool.ts';

export const eventosFinDeSemana: Tool = {
  name: 'eventos_fin_de_semana',
  title: 'mcp.eventos_fin_de_semana.title',
  description: 'mcp.eventos_fin_de_semana.description',
  annotations: READ_ONLY,
  toInputSchema: (taxonomy) => toFilterSchema(FIXED_DAY_ARGUMENTS, taxonomy),
  toOutputSchema: () => toResultSchema(EventListResponse),
  response: (args, context) => listEvents(args, FIXED_DAY_ARGUMENTS, { date: 'weekend' }, context),
};
