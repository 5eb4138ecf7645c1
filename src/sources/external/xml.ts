// XML of a stranger as plain nodes: names in small letters without their prefix, whatever is wrong with the letters.
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { IMPORT_LIMITS, type ImportProblem } from '../../domain/imported-events.ts';
import { decodeBytes } from './ics-lines.ts';
import { isSchemaOrgNode, type SchemaOrgNode, asArray } from './parse-json-ld.ts';

/** How deep a file is looked into. */
const MAX_DEPTH = 24;
/** `date` of LibCal is the day of an event, that of Dublin Core the day on which it was published. */
const toLocalName = (name: string): string => name.toLowerCase().replace(/^(?!libcal:).*:/, '');

export function parseXml(
  bytes: Uint8Array,
): { readonly problem: ImportProblem } | { readonly root: unknown } {
  if (bytes.length > IMPORT_LIMITS.bytes) return { problem: 'too_large' };
  const text = decodeBytes(bytes)
    .replace(/^\ufeff/, '')
    .trim();
  if (text === '') return { problem: 'empty' };
  if (/^(<!doctype html|<html)\b/i.test(text)) return { problem: 'is_page' };
  // What declares entities of its own may be a bomb; no feed and no alert needs to.
  const markup = text.replace(/<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)/g, '');
  if (!text.startsWith('<') || /<!(DOCTYPE|ENTITY)/i.test(markup)) return { problem: 'not_feed' };
  if (XMLValidator.validate(text) !== true) return { problem: 'cut_off' };
  const options = { ignoreAttributes: false, parseTagValue: false, transformTagName: toLocalName };
  try {
    const root: unknown = new XMLParser(options).parse(text);
    return { root };
  } catch {
    return { problem: 'not_feed' };
  }
}

/** Every element of a name, wherever it stands; within another of that name it is not looked for. */
export function findNodes(value: unknown, name: string, depth = 0): readonly SchemaOrgNode[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((one) => findNodes(one, name, depth + 1));
  if (!isSchemaOrgNode(value)) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    key === name
      ? asArray(one).map((found) => (isSchemaOrgNode(found) ? found : { '#text': found }))
      : findNodes(one, name, depth + 1),
  );
}

/** The words of the first element of a name, those of what is within it among them; empty for none. */
export const elementText = (node: SchemaOrgNode, name: string): string =>
  toWords(asArray(node[name])[0]);

function toWords(value: unknown): string {
  if (!isSchemaOrgNode(value)) return typeof value === 'string' ? value.trim() : '';
  const within = Object.entries(value).filter(([key]) => !key.startsWith('@_'));
  return within
    .flatMap(([, one]) => asArray(one).map(toWords))
    .join(' ')
    .trim();
}

/** The address that an entry leads to: the text of RSS, the attribute of Atom. */
export function entryLink(entry: SchemaOrgNode): string {
  const links = asArray(entry.link);
  const own = links.find(
    (one) => !isSchemaOrgNode(one) || /^(alternate)?$/.test(String(one['@_rel'] ?? '')),
  );
  return isSchemaOrgNode(own) ? String(own['@_href'] ?? '') || toWords(own) : toWords(own);
}
