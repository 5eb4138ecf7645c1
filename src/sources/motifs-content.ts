// The drawings of content: what motifs.yml says of each, and what an SVG of ours may hold.
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

/** motifs.yml: `La tortuga` is the name on the card, `alt` what is to be seen. */
export const MotifsSchema = v.array(
  v.strictObject({
    key: slugSchema,
    name: localTextOf(contentLineSchema(40)),
    alt: localTextOf(contentLineSchema(MAX_LENGTHS.summary)),
  }),
);
export type MotifsFile = v.InferOutput<typeof MotifsSchema>;

const toDrawingFile = (key: string): string => `motifs/${key}.svg`;
export const listDrawingFiles = (motifs: MotifSource<MotifsFile> | null): readonly string[] =>
  (motifs?.value ?? []).map(({ key }) => toDrawingFile(key));

/** Some thirty of them stand on a page that is to weigh little. */
const MAX_DRAWING_BYTES = 6 * 1024;
const ROOT = /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 200 260"[\s>]/;
/** Shapes and their colours, those of a dark screen too: nothing that runs, refers elsewhere, or is read. */
const ELEMENTS: ReadonlySet<string> = new Set(
  `svg defs g path rect circle ellipse line polyline polygon linearGradient radialGradient stop
  clipPath mask use style`.split(/\s+/),
);
const TOKEN =
  /<!--(?:[^-]|-[^-])*-->|<(\/?)([A-Za-z][\w:]*)((?:\s+[\w:-]+="[^"<>&]*")*)\s*(\/?)>|[^<\s][^<]*|</g;
const ATTRIBUTE = /([\w:-]+)="([^"]*)"/g;

/** Rules of a style sheet that fetch nothing. */
const isColours = (rules: string): boolean =>
  /^[\w\s@().:,#{};%-]*$/.test(rules) && !/url|import/i.test(rules);

function findAttributeFault(attributes: string): string | null {
  for (const [, name = '', value = ''] of attributes.matchAll(ATTRIBUTE)) {
    if (/^on|^style$/.test(name)) return `has ${name}, which a drawing does not need`;
    if (/href$/.test(name) && !value.startsWith('#')) return 'refers to something outside itself';
    if (/url\((?!#)/.test(value)) return 'refers to something outside itself';
  }
  return null;
}

/** The first thing wrong in a drawing, with where it stands in the text; null of a sound one. */
function findFault(text: string) {
  if (Buffer.byteLength(text) > MAX_DRAWING_BYTES)
    return { at: 0, message: `has more than ${MAX_DRAWING_BYTES} bytes` };
  if (!ROOT.test(text))
    return {
      at: 0,
      message: 'must begin with <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 260">',
    };
  const open: string[] = [];
  for (const token of text.matchAll(TOKEN)) {
    const [whole, slash, name, attributes = '', end] = token;
    const { index: at } = token;
    if (whole.startsWith('<!--')) continue;
    if (name === undefined && open.at(-1) === 'style' && isColours(whole)) continue;
    if (name === undefined) return { at, message: 'is no drawing here, but words or broken marks' };
    if (!ELEMENTS.has(name)) return { at, message: `has <${name}>, which no drawing may hold` };
    if (slash !== '') {
      if (open.pop() !== name) return { at, message: `ends <${name}>, which is not open` };
      continue;
    }
    const message = findAttributeFault(attributes);
    if (message !== null) return { at, message };
    if (end === '') open.push(name);
  }
  return open.length === 0 ? null : { at: text.length, message: `does not end <${open.at(-1)}>` };
}

/** The lines of an SVG. */
export const DrawingSchema = v.pipe(
  v.array(v.string()),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const fault = findFault(dataset.value.join('\n'));
    if (fault === null) return;
    const key = dataset.value.join('\n').slice(0, fault.at).split('\n').length - 1;
    const { value: input } = dataset;
    addIssue({
      message: fault.message,
      path: [{ type: 'array', origin: 'value', input, key, value: input[key] }],
    });
  }),
);

interface MotifSource<T> extends LocatedFile {
  readonly value: T;
}

/** Each motif that has its drawing. Pushes an issue for what stands there twice. */
export function buildMotifs(
  motifs: MotifSource<MotifsFile> | null,
  drawings: readonly MotifSource<readonly string[]>[],
  issues: ContentIssue[],
): readonly MotifWithDrawing[] {
  const entries = motifs?.value ?? [];
  const svgs = new Map(drawings.map(({ file, value }) => [file, value.join('\n')]));
  for (const [at, { key }] of entries.entries())
    if (motifs && entries.findIndex((one) => one.key === key) !== at) {
      const message = `'${key}' stands there before; a motif is written once`;
      issues.push(createIssueAt(motifs, [at, 'key'], message));
    }
  return entries.flatMap((entry) => {
    const svg = svgs.get(toDrawingFile(entry.key));
    if (svg === undefined) return [];
    return [{ ...entry, digest: hash('sha256', svg, 'hex').slice(0, 10), svg }];
  });
}

/** Pushes an issue for each file that names a motif which is not there. */
export function checkMotifReferences(
  named: readonly (readonly [source: LocatedFile, path: FieldPath, key: string])[],
  motifs: readonly MotifWithDrawing[],
  issues: ContentIssue[],
): void {
  const keys = motifs.map(({ key }) => key);
  for (const [source, path, key] of named)
    if (!keys.includes(key)) {
      const message = `'${key}' is no motif: it must be one of ${keys.join(', ')}`;
      issues.push(createIssueAt(source, path, message));
    }
}
