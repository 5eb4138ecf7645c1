// The page of the public data as Markdown: files with their digests, terms, columns.
import type { PhrasingContent, Table } from 'mdast';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { PAGE_PATHS, toAbsolute } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { toDocument } from './document.ts';
import { heading, inlineCode, link, list, paragraph, plain, text } from './nodes.ts';

export interface DataDocument {
  readonly files: readonly {
    readonly name: string;
    readonly path: string;
    readonly about: string;
    readonly size: string;
    readonly sha256: string;
  }[];
  readonly checksums: { readonly name: string; readonly path: string };
  /** Sentences: how it is made, what to mind. */
  readonly notes: readonly string[];
  readonly terms: readonly string[];
  readonly commands: string;
  readonly tables: readonly {
    readonly name: string;
    readonly title: string;
    readonly rows: string;
    readonly columns: readonly {
      /** The same in each language where it has several. */
      readonly names: readonly string[];
      readonly type: string;
      readonly about: string;
    }[];
  }[];
}

const table = (rows: readonly (readonly PhrasingContent[][])[]): Table => ({
  type: 'table',
  children: rows.map((row) => ({
    type: 'tableRow',
    children: row.map((cell) => ({ type: 'tableCell', children: cell })),
  })),
});

export function toDataMarkdown(data: DataDocument, lang: Lang, site: Site): string {
  const { files, checksums, notes, terms, commands, tables } = data;
  const toLink = ({ path, name }: { readonly path: string; readonly name: string }) =>
    link(toAbsolute(site.url, path), name);
  const heads = (['file', 'about', 'size', 'sha256'] as const).map((head) => [
    plain(t(lang, `data.head.${head}`)),
  ]);
  return toDocument(
    {
      title: t(lang, 'data.title'),
      about: t(lang, 'data.description'),
      terms: t(lang, 'openapi.license'),
      path: PAGE_PATHS.data,
    },
    [
      heading(2, plain(t(lang, 'data.files'))),
      table([
        heads,
        ...files.map((file) => [
          [toLink(file)],
          [plain(file.about)],
          [plain(file.size)],
          [inlineCode(file.sha256)],
        ]),
      ]),
      paragraph(text(`${t(lang, 'data.checksums')}: `), toLink(checksums)),
      ...notes.map((note) => paragraph(plain(note))),
      heading(2, plain(t(lang, 'data.how'))),
      { type: 'code', lang: 'sh', value: commands },
      heading(2, plain(t(lang, 'terms'))),
      list(terms.map((term) => [plain(term)])),
      ...tables.flatMap(({ name, title, rows, columns }) => [
        heading(2, plain(title)),
        paragraph(inlineCode(name), text(`: ${rows}`)),
        list(
          columns.map(({ names, type, about }) => [
            ...names.flatMap((each, at) => [...(at > 0 ? [text(', ')] : []), inlineCode(each)]),
            text(` (${type}): ${about}`),
          ]),
        ),
      ]),
    ],
    lang,
    site,
  );
}
