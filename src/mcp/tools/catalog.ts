// The six tools, in the order in which a model should think of them.
import type { Snapshot } from '../../snapshot/open.ts';
import { t } from '../../i18n/translate.ts';
import { avisosHoy } from './avisos-hoy.ts';
import { buscarEventos } from './buscar-eventos.ts';
import { detalleEvento } from './detalle-evento.ts';
import { enviarEvento } from './enviar-evento.ts';
import { eventosFinDeSemana } from './eventos-fin-de-semana.ts';
import { eventosHoy } from './eventos-hoy.ts';
import type { ObjectSchema, Tool } from './tool.ts';

export const TOOLS: readonly Tool[] = [
  buscarEventos,
  detalleEvento,
  eventosHoy,
  eventosFinDeSemana,
  avisosHoy,
  enviarEvento,
];

/** A tool as `tools/list` gives it. */
export interface ListedTool {
  name: string;
  title: string;
  description: string;
  inputSchema: ObjectSchema;
  outputSchema: ObjectSchema;
  annotations: {
    title: string;
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

/**
 * Described in Spanish, with English behind: a model reads both, and people meet the Spanish title.
 */
function toListed(tool: Tool, snapshot: Snapshot): ListedTool {
  const title = t('es', tool.title);
  return {
    name: tool.name,
    title,
    description: `${t('es', tool.description)}\n\nEnglish: ${t('en', tool.description)}`,
    inputSchema: tool.toInputSchema(snapshot.taxonomy),
    outputSchema: tool.toOutputSchema(),
    annotations: { title, ...tool.annotations },
  };
}

const LISTED = new WeakMap<Snapshot, ListedTool[]>();

/**
 * All tools, described once for each snapshot, for its categories and zones are in the
 * descriptions.
 */
export function listTools(snapshot: Snapshot): ListedTool[] {
  const listed = LISTED.get(snapshot) ?? TOOLS.map((tool) => toListed(tool, snapshot));
  LISTED.set(snapshot, listed);
  return listed;
}
