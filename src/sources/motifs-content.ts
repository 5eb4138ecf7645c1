// Motifs: validates motifs.yml and the SVG drawings it lists, and builds the motif records.
import { hash } from 'node:crypto';
import * as v from 'valibot';
import type { MotifWithDrawing } from '../domain/pictures.ts';
import { type ContentIssue, createIssueAt, type LocatedFile, type FieldPath } from '../yaml.ts';
import {
  contentLineSchema,
  localTextOf,
  MAX_LENGTHS,
  slugSchema,
} from './content-field-schemas.ts';

/** motifs.yml: `name` appears on the card (`La tortuga`), `alt` describes the drawing. */
export const MotifsSchema = v.array(
  v.strictObject({
    key: slugSchema,
    name: localTextOf(contentLineSchema(40)),
    alt: localTextOf(contentLineSchema(MAX_LENGTHS.summary)),
  }),
);
export type MotifsFile = v.InferOutput<typeof MotifsSchema>;

const drawingFile = (key: string): string => `motifs/${key}.svg`;
export const listDrawingFiles = (motifs: MotifSource<MotifsFile> | null): readonly string[] =>
  (motifs?.value ?? []).map(({ key }) => drawingFile(key));

/** Larger drawings are rejected: a page contains about thirty of them. */
const MAX_DRAWING_BYTES = 6 * 1024;
const ROOT_PATTERN = /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 200 260"[\s>]/;
/**
 * Shapes and their colors, including those for dark mode. No scripts, external references or text.
 */
const ALLOWED_ELEMENTS: ReadonlySet<string> = new Set(
  `svg defs g path rect circle ellipse line polyline polygon linearGradient radialGradient stop
  clipPath mask use style`.split(/\s+/),
);
/** Comments, tags (groups: slash, name, attributes, slash), texts, and any other `<`. */
const TOKEN_PATTERN =
  /<!--(?:[^-]|-[^-])*-->|<(\/?)([A-Za-z][\w:]*)((?:\s+[\w:-]+="[^"<>&]*")*)\s*(\/?)>|[^<\s][^<]*|</g;
const ATTRIBUTE_PATTERN = /([\w:-]+)="([^"]*)"/g;

/** Returns true for style rules that load nothing. */
const isSafeStyle = (rules: string): boolean =>
  /^[\w\s@().:,#{};%-]*$/.test(rules) && !/url|import/i.test(rules);

function findAttributeIssue(attributes: string): string | null {
  for (const [, name = '', value = ''] of attributes.matchAll(ATTRIBUTE_PATTERN)) {
    if (/^on|^style$/.test(name)) return `has ${name}, which is not allowed in a drawing`;
    if (/href$/.test(name) && !value.startsWith('#')) return 'has an external reference';
    if (/url\((?!#)/.test(value)) return 'has an external reference';
  }
  return null;
}

/**
 * Finds the first issue of a drawing, with its index in the text.
 * @returns null if the drawing is valid.
 */
function findDrawingIssue(text: string) {
  if (Buffer.byteLength(text) > MAX_DRAWING_BYTES)
    return { at: 0, message: `has more than ${MAX_DRAWING_BYTES} bytes` };
  if (!ROOT_PATTERN.test(text))
    return {
      at: 0,
      message: 'must begin with <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 260">',
    };
  const open_elements: string[] = [];
  for (const token of text.matchAll(TOKEN_PATTERN)) {
    const [whole, closing_slash, name, attributes = '', self_closing_slash] = token;
    const { index: at } = token;
    if (whole.startsWith('<!--')) continue;
    if (name === undefined && open_elements.at(-1) === 'style' && isSafeStyle(whole)) continue;
    if (name === undefined) return { at, message: 'has text or invalid markup here' };
    if (!ALLOWED_ELEMENTS.has(name))
      return { at, message: `has <${name}>, which is not allowed in a drawing` };
    if (closing_slash !== '') {
      if (open_elements.pop() !== name)
        return { at, message: `closes <${name}>, which is not open` };
      continue;
    }
    const message = findAttributeIssue(attributes);
    if (message !== null) return { at, message };
    if (self_closing_slash === '') open_elements.push(name);
  }
  return open_elements.length === 0
    ? null
    : { at: text.length, message: `does not close <${open_elements.at(-1)}>` };
}

/** An SVG as its lines. */
export const DrawingSchema = v.pipe(
  v.array(v.string()),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const issue = findDrawingIssue(dataset.value.join('\n'));
    if (issue === null) return;
    const { value: input } = dataset;
    const line_index = input.join('\n').slice(0, issue.at).split('\n').length - 1;
    addIssue({
      message: issue.message,
      path: [{ type: 'array', origin: 'value', input, key: line_index, value: input[line_index] }],
    });
  }),
);

interface MotifSource<T> extends LocatedFile {
  readonly value: T;
}

/** Builds the motifs that have a drawing. Pushes an issue for each duplicate key. */
export function buildMotifs(
  motifs: MotifSource<MotifsFile> | null,
  drawings: readonly MotifSource<readonly string[]>[],
  issues: ContentIssue[],
): readonly MotifWithDrawing[] {
  const entries = motifs?.value ?? [];
  const svgs = new Map(drawings.map(({ file, value }) => [file, value.join('\n')]));
  for (const [index, { key }] of entries.entries())
    if (motifs && entries.findIndex((entry) => entry.key === key) !== index) {
      const message = `'${key}' is a duplicate. List each motif once`;
      issues.push(createIssueAt(motifs, [index, 'key'], message));
    }
  return entries.flatMap((entry) => {
    const svg = svgs.get(drawingFile(entry.key));
    if (svg === undefined) return [];
    return [{ ...entry, digest: hash('sha256', svg, 'hex').slice(0, 10), svg }];
  });
}

/** Pushes an issue for each reference to a motif that does not exist. */
export function checkMotifReferences(
  references: readonly (readonly [source: LocatedFile, path: FieldPath, key: string])[],
  motifs: readonly MotifWithDrawing[],
  issues: ContentIssue[],
): void {
  const keys = motifs.map(({ key }) => key);
  for (const [source, path, key] of references)
    if (!keys.includes(key)) {
      const message = `'${key}' is not a motif: it must be one of ${keys.join(', ')}`;
      issues.push(createIssueAt(source, path, message));
    }
}
