// The table of the tools, in the order in which a model should think of them, and how each is
// listed.
import type { Snapshot } from '../../snapshot/open.ts';
import { type Key, t } from '../../i18n/translate.ts';
import { avisosHoy } from './avisos-hoy.ts';
import { detalleEvento } from './detalle-evento.ts';
import { enviarEvento } from './enviar-evento.ts';
import { buscarEventos, eventosFinDeSemana, eventosHoy } from './event-lists.ts';
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
  const title = t('es', `mcp.tool.${tool.name}.title`);
  const description: Key = `mcp.tool.${tool.name}.description`;
  return {
    name: tool.name,
    title,
    description: `${t('es', description)}\n\nEnglish: ${t('en', description)}`,
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
