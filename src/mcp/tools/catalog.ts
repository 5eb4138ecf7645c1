// The table of the tools, in the order in which a model should think of them, and how each is listed.
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

interface ListedSchema {
  type: 'object';
  [keyword: string]: unknown;
}

/**
 * Words in the default language with the others behind, each after its name: a model reads all.
 * `partsOf` fills in what differs by language.
 */
export const bilingualText = (
  key: MessageKey,
  partsOf: (lang: Lang) => Readonly<Record<string, string>> = () => ({}),
): string =>
  TOWN.languages
    .map((lang) => {
      const words = t(lang, key, partsOf(lang));
      return lang === DEFAULT_LANG ? words : `${t(lang, 'site.language')}: ${words}`;
    })
    .join('\n\n');

/** With the categories and zones of the snapshot; the title is in the default language, which people see. */
export const listTools = ({ taxonomy }: Snapshot) =>
  TOOLS.map(({ name, annotations, input, output }) => {
    const inputSchema: ListedSchema = input(taxonomy);
    const outputSchema: ListedSchema = listedOutputSchema(output);
    const title = t(DEFAULT_LANG, `mcp.tool.${name}.title`);
    return {
      name,
      title,
      description: bilingualText(`mcp.tool.${name}.description`),
      inputSchema,
      outputSchema,
      // Where clients of 2025-03-26 look for the title.
      annotations: { title, ...annotations },
    };
  });
