// Public data page: lists the files with all public records to download, with their digests, the
// columns of their tables and the terms of use (contract 17). data-files.ts builds the files.
import type { Lang } from '../domain/lang.ts';
import type { Site } from '../domain/site.ts';
import { PAGE_PATHS, absoluteUrl, dataFilePath } from '../i18n/paths.ts';
import { formatNumber } from '../i18n/format-price.ts';
import { t, localeOf } from '../i18n/translate.ts';
import { TERMS_OF_USE_KEYS } from '../serializers/docs-chapters.ts';
import { renderDocument } from '../serializers/markdown/document.ts';
import {
  code,
  inlineCode,
  joinInline,
  link,
  list,
  paragraph,
  section,
  table,
} from '../serializers/markdown/nodes.ts';
import { CHECKSUMS_NAME, type DataFile, buildPublicData } from './data-files.ts';
import {
  definePage,
  listPagePaths,
  type LoadedPage,
  type PageRequest,
  pageRoutes,
} from './page-definition.ts';
import { buildPageMeta } from './page-meta.ts';
import type { PageContext } from './page-context.ts';
import { pageResult } from './visitor-request.ts';

/** Message keys of the notes about the files: `data.note.made` and so on. */
const NOTES = ['made', 'whole', 'spreadsheets'] as const;

/** Loads the page: files, notes, terms, example commands and tables. */
function loadData(context: PageContext, { lang }: PageRequest) {
  const { site } = context;
  const { files, tables } = buildPublicData(context);
  return pageResult({
    meta: buildPageMeta(context, lang, PAGE_PATHS.data, {
      title: t(lang, 'data.title'),
      description: t(lang, 'data.description'),
      json_ld: datasetJsonLd(files, lang, site),
      entry: 'data',
    }),
    files: files.map((file) => buildFileView(file, lang)),
    checksums: { name: CHECKSUMS_NAME, path: dataFilePath(CHECKSUMS_NAME) },
    notes: NOTES.map((note) => t(lang, `data.note.${note}`)),
    terms: TERMS_OF_USE_KEYS.map((term) => t(lang, `terms.${term}`, { site: site.name })),
    commands: formatCommands(files, lang, site),
    tables: tables.map((table) => buildTableView(table, lang)),
  });
}

export type PublicDataView = LoadedPage<typeof loadData>;

/** Columns of the list of files; also the ends of their message keys. */
const FILE_COLUMNS = ['file', 'about', 'size', 'sha256'] as const;

function renderData({ meta, files, checksums, notes, terms, commands, tables }: PublicDataView) {
  const { lang, site, description } = meta;
  const linkTo = ({ path, name }: PublicDataView['checksums']) =>
    link(absoluteUrl(site.url, path), name);
  const column_heads = FILE_COLUMNS.map((column) => t(lang, `data.head.${column}`));
  const rows = files.map((file) => [linkTo(file), file.about, file.size, inlineCode(file.sha256)]);
  return renderDocument(
    { ...meta, about: description, terms: 'openapi.license' },
    section(
      t(lang, 'data.files'),
      table([column_heads, ...rows]),
      paragraph(`${t(lang, 'data.checksums')}: `, linkTo(checksums)),
      notes,
    ),
    section(t(lang, 'data.how'), code('sh', commands)),
    section(t(lang, 'terms'), list(terms)),
    tables.map(({ name, title, rows: count, columns }) =>
      section(
        title,
        paragraph(inlineCode(name), `: ${count}`),
        list(
          columns.map(({ names, type, about }) => [
            joinInline(names.map(inlineCode), ', '),
            ` (${type}): ${about}`,
          ]),
        ),
      ),
    ),
  );
}

/** Builds a file with its path and formatted size. */
const buildFileView = ({ name, table, size, sha256 }: DataFile, lang: Lang) => ({
  name,
  sha256,
  path: dataFilePath(name),
  about: t(lang, table === null ? 'data.file.all' : `data.table.${table}`),
  size: formatSize(size, lang),
});

/** A table with its columns and number of rows, without the rows. */
type TableOutline = ReturnType<typeof buildPublicData>['tables'][number];

/**
 * Builds the view of a table. Columns that differ only in language, such as `title_es` and
 * `title_en`, share a line; `base` is their common name.
 */
function buildTableView({ name, columns, row_count }: TableOutline, lang: Lang) {
  const by_base = Map.groupBy(columns, ({ base }) => base);
  return {
    name,
    title: t(lang, `data.table.${name}`),
    rows: t(lang, 'data.rows', { count: formatNumber(row_count, lang) }),
    columns: [...by_base].map(([base, versions]) => ({
      names: versions.map((column) => column.name),
      type: t(lang, `data.type.${versions[0]?.type ?? 'text'}`),
      about: t(lang, `data.column.${base}`),
    })),
  };
}

/** Formats a size as `1.2 MB` or `340 kB`, with 1000 bytes per kB, as file managers do. */
function formatSize(bytes: number, lang: Lang): string {
  const format = new Intl.NumberFormat(localeOf(lang), { maximumFractionDigits: 1 });
  const kilobytes = Math.max(1, Math.round(bytes / 1000));
  return kilobytes < 1000 ? `${format.format(kilobytes)} kB` : `${format.format(bytes / 1e6)} MB`;
}

/** Formats shell commands that download the database, verify it and query it. */
function formatCommands(files: readonly DataFile[], lang: Lang, site: Site): string {
  const [database] = files;
  const urlOf = (name: string): string => absoluteUrl(site.url, dataFilePath(name));
  const name = database?.name ?? '';
  return [
    `curl --compressed -O '${urlOf(name)}'`,
    `curl -s '${urlOf(CHECKSUMS_NAME)}' | sha256sum --check --ignore-missing`,
    `sqlite3 ${name} "select e.title_${lang}, o.start from events e join occurrences o on o.event = e.id where o.date = '2026-11-21' and e.is_free order by o.start"`,
  ].join('\n');
}

/** Describes the files as a Dataset of schema.org. */
const datasetJsonLd = (files: readonly DataFile[], lang: Lang, site: Site): object => ({
  '@context': 'https://schema.org',
  '@type': 'Dataset',
  name: `${site.name}: ${t(lang, 'data.title')}`,
  description: t(lang, 'data.description'),
  url: absoluteUrl(site.url, PAGE_PATHS.data[lang]),
  license: `${absoluteUrl(site.url, PAGE_PATHS.data[lang])}#terms`,
  isAccessibleForFree: true,
  creator: { '@type': 'Organization', name: site.name, url: site.url },
  distribution: files.map(({ name, form, size, sha256 }) => ({
    '@type': 'DataDownload',
    name,
    contentUrl: absoluteUrl(site.url, dataFilePath(name)),
    encodingFormat: MEDIA_TYPES[form],
    contentSize: `${size} B`,
    sha256,
  })),
});

const MEDIA_TYPES = {
  sqlite: 'application/vnd.sqlite3',
  csv: 'text/csv',
  jsonl: 'application/jsonl',
} as const;

export const dataPage = definePage({
  name: 'data',
  routes: pageRoutes('data'),
  load: loadData,
  toMarkdown: renderData,
  listWarmPaths: () => listPagePaths('data'),
});
