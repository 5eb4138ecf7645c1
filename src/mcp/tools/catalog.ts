// The table of the tools, in the order in which a model should think of them, and how each is
// listed.
import type { Snapshot } from '../../snapshot/open.ts';
import { DEFAULT_LANG, type Lang, LANGS } from '../../domain/lang.ts';
import { type Key, t } from '../../i18n/translate.ts';
import { avisosHoy } from './avisos-hoy.ts';
import { cambios } from './cambios.ts';
import { detalleEvento } from './detalle-evento.ts';
import { enviarEvento } from './enviar-evento.ts';
import { lugares } from './lugares.ts';
import { seguirEnvio } from './seguir-envio.ts';
import { buscarEventos, eventosFinDeSemana, eventosHoy } from './event-lists.ts';
import type { ObjectSchema, Tool } from './tool.ts';

export const TOOLS: readonly Tool[] = [
  buscarEventos,
  detalleEvento,
  eventosHoy,
  eventosFinDeSemana,
  lugares,
  avisosHoy,
  cambios,
  enviarEvento,
  seguirEnvio,
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
 * Words in the default language with the others behind, each after its name: a model reads all.
 * `partsOf` fills in what differs by language.
 */
export const inAllLangs = (
  key: Key,
  partsOf: (lang: Lang) => Readonly<Record<string, string>> = () => ({}),
): string =>
  LANGS.map((lang) => {
    const words = t(lang, key, partsOf(lang));
    return lang === DEFAULT_LANG ? words : `${t(lang, 'site.language')}: ${words}`;
  }).join('\n\n');

/** The title is in the default language: that is what people see. */
function toListed(tool: Tool, snapshot: Snapshot): ListedTool {
  const title = t(DEFAULT_LANG, `mcp.tool.${tool.name}.title`);
  return {
    name: tool.name,
    title,
    description: inAllLangs(`mcp.tool.${tool.name}.description`),
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
