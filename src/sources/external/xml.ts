// External XML: parses untrusted XML in any encoding to plain nodes with lower-case names
// without prefixes.
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { IMPORT_LIMITS, type ImportProblem } from '../../domain/imported-events.ts';
import { decodeMarkup } from './decode-text.ts';
import {
  isSchemaOrgNode as isElement,
  type SchemaOrgNode as XmlElement,
  asArray,
} from './schema-org-node.ts';

/** Deeper elements are ignored. */
const MAX_DEPTH = 24;
/** Namespace of pictures and videos (Media RSS), which have titles and texts of their own. */
const MEDIA_NAMESPACE = /\sxmlns:([\w.-]{1,40})\s?=\s?["']https?:\/\/search\.yahoo\.com\/mrss/g;
/** Prefixes that stay: `libcal:date` is the day of an event, unlike `dc:date` (Dublin Core). */
const KEPT_PREFIXES = ['libcal', 'media'];

/** Creates the function that converts the name of an element to `name`, or `:name` if it has a prefix. */
function createNameConverter(text: string): (name: string) => string {
  const media = Array.from(text.matchAll(MEDIA_NAMESPACE), ([, prefix = '']) =>
    prefix.toLowerCase(),
  );
  const prefixes = new Set([...KEPT_PREFIXES, ...media]);
  return (name) => {
    const lower = name.toLowerCase();
    const colon = lower.lastIndexOf(':');
    return colon === -1 || prefixes.has(lower.slice(0, colon)) ? lower : lower.slice(colon);
  };
}

/** Parses XML. `root` has its elements as nested objects, with attributes as `@_name`. */
export function parseXml(
  bytes: Uint8Array,
): { readonly problem: ImportProblem } | { readonly root: unknown } {
  if (bytes.length > IMPORT_LIMITS.bytes) return { problem: 'too_large' };
  const text = decodeMarkup(bytes)
    .replace(/^\ufeff/, '')
    .trim();
  if (text === '') return { problem: 'empty' };
  if (/^(<!doctype html|<html)\b/i.test(text)) return { problem: 'is_page' };
  // Entity declarations may be an expansion attack; no feed or alert needs them.
  const markup = text.replace(/<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)/g, '');
  if (!text.startsWith('<') || /<!ENTITY|<!DOCTYPE[^>[]*\[/i.test(markup))
    return { problem: 'not_feed' };
  const xml = [text, escapeAmpersands(text)].find((one) => XMLValidator.validate(one) === true);
  if (xml === undefined) return { problem: isClosed(markup) ? 'not_feed' : 'cut_off' };
  const transformTagName = createNameConverter(xml);
  const options = { ignoreAttributes: false, parseTagValue: false, transformTagName };
  try {
    const root: unknown = new XMLParser(options).parse(xml);
    return { root };
  } catch {
    return { problem: 'not_feed' };
  }
}

/** Returns true if a file ends with the end tag of its first element. */
function isClosed(markup: string): boolean {
  const [, root] = /<([a-z][\w.:-]{0,99})/i.exec(markup) ?? [];
  return markup.trimEnd().endsWith(`</${root}>`);
}

/** Escapes ampersands that begin no entity. */
const escapeAmpersands = (text: string): string => text.replace(/&(?!#?\w{1,30};)/g, '&amp;');

/** Lists the child elements with a name, those without a prefix first. */
const childrenOf = (node: XmlElement, name: string): readonly unknown[] => [
  ...asArray(node[name]),
  ...asArray(node[`:${name}`]),
];

/**
 * Finds all elements with a name at any depth, but not those nested in another one with this name.
 */
export function findNodes(value: unknown, name: string, depth = 0): readonly XmlElement[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((item) => findNodes(item, name, depth + 1));
  if (!isElement(value)) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    key === name || key === `:${name}`
      ? asArray(child).map((node) => (isElement(node) ? node : { '#text': node }))
      : findNodes(child, name, depth + 1),
  );
}

/** Returns the text of the first child element with a name, with nested text; may be empty. */
export const elementText = (node: XmlElement, name: string): string =>
  collectText(childrenOf(node, name)[0]);

function collectText(value: unknown): string {
  if (!isElement(value)) return typeof value === 'string' ? value.trim() : '';
  const children = Object.entries(value).filter(([key]) => !key.startsWith('@_'));
  return children
    .flatMap(([, child]) => asArray(child).map(collectText))
    .join(' ')
    .trim();
}

/**
 * Returns the URL of an entry: the text of `link` in RSS, its `href` attribute in Atom, where a link
 * without `rel` is the page of the entry, too.
 */
export function entryLink(entry: XmlElement): string {
  const link = childrenOf(entry, 'link').find(
    (node) => !isElement(node) || /^(alternate)?$/.test(String(node['@_rel'] ?? '')),
  );
  return isElement(link) ? String(link['@_href'] ?? '') || collectText(link) : collectText(link);
}
