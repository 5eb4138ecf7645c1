// Tool catalog: lists the tools in the order in which a model should consider them, with their
// descriptions.
import { DEFAULT_LANG, type Lang } from '../../domain/lang.ts';
import { type MessageKey, t } from '../../i18n/translate.ts';
import type { Snapshot } from '../../snapshot/open-snapshot.ts';
import { TOWN } from '../../town.ts';
import { listedOutputSchema } from '../output-schemas.ts';
import type { Tool } from '../tool.ts';
import { avisosHoy } from './avisos-hoy.ts';
import { cambios } from './cambios.ts';
import { detalleEvento } from './detalle-evento.ts';
import { enviarEvento } from './enviar-evento.ts';
import { buscarEventos, eventosFinDeSemana, eventosHoy } from './event-lists.ts';
import { lugares } from './lugares.ts';
import { seguirEnvio } from './seguir-envio.ts';

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

/** JSON Schema in the form that the SDK's types require. */
interface ListedSchema {
  type: 'object';
  [keyword: string]: unknown;
}

/**
 * Formats a message in the default language, followed by the other languages with their names: a
 * model reads all.
 * @param getParts Returns the values of the message's placeholders in a language.
 */
export const bilingualText = (
  key: MessageKey,
  getParts: (lang: Lang) => Readonly<Record<string, string>> = () => ({}),
): string =>
  TOWN.languages
    .map((lang) => {
      const text = t(lang, key, getParts(lang));
      return lang === DEFAULT_LANG ? text : `${t(lang, 'site.language')}: ${text}`;
    })
    .join('\n\n');

/**
 * Lists the tools with the categories and zones of the snapshot; titles, for people, are in the
 * default language.
 */
export const listTools = ({ taxonomy }: Snapshot) =>
  TOOLS.map(({ name, annotations, input, output }, index) => {
    const inputSchema: ListedSchema = input(taxonomy);
    const items = output.properties?.data?.items;
    const is_repeated =
      items !== undefined &&
      TOOLS.slice(0, index).some((tool) => tool.output.properties?.data?.items === items);
    const outputSchema: ListedSchema = listedOutputSchema(output, is_repeated);
    const title = t(DEFAULT_LANG, `mcp.tool.${name}.title`);
    return {
      name,
      title,
      description: bilingualText(`mcp.tool.${name}.description`),
      inputSchema,
      outputSchema,
      // Revision 2025-03-26 has the title here.
      annotations: { title, ...annotations },
    };
  });
