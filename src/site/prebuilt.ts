// What is made ahead: the pages of what is to come, each with its Markdown version, and what is no page. The
// rest is rendered when it is requested.
import { LANGS } from '../domain/lang.ts';
import {
  LLMS_PATH,
  ROBOTS_PATH,
  SITEMAP_PATH,
  toDataPath,
  toManifestPath,
  toMarkdownPath,
  WORKER_PATH,
} from '../i18n/paths.ts';
import { DATA_NAMES } from './data-files.ts';
import { KINDS } from './registry.ts';
import type { SiteState } from './state.ts';

/** What is no page: for crawlers, for the installed site. */
const DOCUMENTS: readonly string[] = [
  ...[LLMS_PATH, ROBOTS_PATH, SITEMAP_PATH, WORKER_PATH],
  ...LANGS.map(toManifestPath),
];

/** Whether an address is that of a document or of public data: no page of the agenda. */
export const isDocument = (path: string): boolean =>
  DOCUMENTS.includes(path) || path.startsWith(toDataPath(''));

/** Every address that is made ahead; the public data together, for who makes one of them has all. */
export const listBuiltPaths = (state: SiteState): readonly string[] => [
  ...DATA_NAMES.map(toDataPath),
  ...KINDS.flatMap(({ listBuilt }) => listBuilt(state)).flatMap((path) => [
    path,
    toMarkdownPath(path),
  ]),
  ...DOCUMENTS,
];
