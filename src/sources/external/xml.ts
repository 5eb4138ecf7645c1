// External XML: parses untrusted XML in any encoding to plain nodes with lower-case names without
// prefixes.
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { IMPORT_LIMITS, type ImportProblem } from '../../domain/imported-events.ts';
import { decodeBytes } from './ics-lines.ts';
import {
  isSchemaOrgNode as isElement,
  type SchemaOrgNode as XmlElement,
  asArray,
} from './parse-json-ld.ts';

/** Deeper elements are ignored. */
const MAX_DEPTH = 24;
/**
 * Removes the prefix of a name, except for LibCal: its `date` is the day of an event, but `date` in
 * Dublin Core is the publication day.
 */
const removePrefix = (name: string): string => name.toLowerCase().replace(/^(?!libcal:).*:/, '');

/** Parses XML. `root` has its elements as nested objects, with attributes as `@_name`. */
export function parseXml(
  bytes: Uint8Array,
): { readonly problem: ImportProblem } | { readonly root: unknown } {
  if (bytes.length > IMPORT_LIMITS.bytes) return { problem: 'too_large' };
  const text = decodeBytes(bytes)
    .replace(/^\ufeff/, '')
    .trim();
  if (text === '') return { problem: 'empty' };
  if (/^(<!doctype html|<html)\b/i.test(text)) return { problem: 'is_page' };
  // Entity declarations may be an expansion attack; no feed or alert needs them.
  const markup = text.replace(/<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)/g, '');
  if (!text.startsWith('<') || /<!(DOCTYPE|ENTITY)/i.test(markup)) return { problem: 'not_feed' };
  // XML that is not well-formed counts as an incomplete file.
  if (XMLValidator.validate(text) !== true) return { problem: 'cut_off' };
  const options = { ignoreAttributes: false, parseTagValue: false, transformTagName: removePrefix };
  try {
    const root: unknown = new XMLParser(options).parse(text);
    return { root };
  } catch {
    return { problem: 'not_feed' };
  }
}

/**
 * Finds all elements with a name at any depth, but not those nested in another one with this name.
 */
export function findNodes(value: unknown, name: string, depth = 0): readonly XmlElement[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((item) => findNodes(item, name, depth + 1));
  if (!isElement(value)) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    key === name
      ? asArray(child).map((node) => (isElement(node) ? node : { '#text': node }))
      : findNodes(child, name, depth + 1),
  );
}

/** Returns the text of the first child element with a name, with nested text; may be empty. */
export const elementText = (node: XmlElement, name: string): string =>
  collectText(asArray(node[name])[0]);

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
  const link = asArray(entry.link).find(
    (node) => !isElement(node) || /^(alternate)?$/.test(String(node['@_rel'] ?? '')),
  );
  return isElement(link) ? String(link['@_href'] ?? '') || collectText(link) : collectText(link);
}
