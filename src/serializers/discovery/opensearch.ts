// The description by which a browser offers our search in its address bar (OpenSearch 1.1).
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { toAbsolute, toOpenSearchPath, toPagePath } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { toXml } from '../xml.ts';

export const OPENSEARCH_TYPE = 'application/opensearchdescription+xml; charset=utf-8';

/** A ShortName has 16 characters at most, a LongName 48, a Description 1024. */
const SHORT_NAME = 16;

/** The whole document. */
export function toOpenSearch(lang: Lang, site: Site): string {
  const search = `${toXml(toAbsolute(site.url, toPagePath('search', lang)))}?q={searchTerms}`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">',
    `<ShortName>${toXml(site.name.slice(0, SHORT_NAME))}</ShortName>`,
    `<Description>${toXml(t(lang, 'opensearch.description'))}</Description>`,
    `<Language>${t(lang, 'site.html_lang')}</Language>`,
    '<InputEncoding>UTF-8</InputEncoding>',
    '<OutputEncoding>UTF-8</OutputEncoding>',
    `<Image height="16" width="16" type="image/svg+xml">${toXml(toAbsolute(site.url, '/favicon.svg'))}</Image>`,
    `<Url type="text/html" template="${search}"/>`,
    `<Url type="application/opensearchdescription+xml" rel="self" template="${toXml(toAbsolute(site.url, toOpenSearchPath(lang)))}"/>`,
    '</OpenSearchDescription>',
    '',
  ].join('\n');
}
