// Motifs: validates motifs.yml and the SVG drawings it lists (contract 16.5), and builds the motif
// records. A motif is a drawing of the town that stands in for the picture of events without one.
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
/** Shapes and their colors. No scripts, animations, external references or text. */
const ALLOWED_ELEMENTS: ReadonlySet<string> = new Set(
  `svg defs g path rect circle ellipse line polyline polygon linearGradient radialGradient stop
  clipPath mask use style`.split(/\s+/),
);
const NUMBER = String.raw`[-+]?(?:\d+\.?\d*|\.\d+)`;
const COLOR = '#[0-9a-fA-F]{3,8}|[a-zA-Z]{3,24}';
/**
 * All attributes, with the pattern of their values. Browsers read CSS in these values, so nothing
 * that could load a file may match: no escapes, no functions except for references within the
 * drawing.
 */
const ATTRIBUTE_RULES: readonly (readonly [names: string, pattern: string, accepts: string])[] = [
  ['xmlns', 'http://www\\.w3\\.org/2000/svg', 'http://www.w3.org/2000/svg'],
  ['viewBox', '0 0 200 260', '0 0 200 260'],
  ['id', '[A-Za-z][\\w-]*', 'letters, digits and hyphens'],
  ['class', '[A-Za-z][\\w -]*', 'letters, digits and hyphens'],
  ['href', '#[A-Za-z][\\w-]*', '#ID'],
  ['mask clip-path', 'none|url\\(#[A-Za-z][\\w-]*\\)', 'none or url(#ID)'],
  [
    'fill stroke color stop-color',
    `${COLOR}|url\\(#[A-Za-z][\\w-]*\\)`,
    'a color (#d19a58, red, none) or url(#ID)',
  ],
  [
    `x y x1 y1 x2 y2 cx cy r rx ry fx fy fr width height offset opacity fill-opacity stroke-opacity
    stop-opacity stroke-width stroke-miterlimit stroke-dashoffset`,
    `${NUMBER}%?`,
    'a number (12.5, 50%)',
  ],
  ['points stroke-dasharray', '[-+\\d.,\\s]*', 'numbers'],
  ['d', '[MmLlHhVvCcSsQqTtAaZz\\d\\s.,e+-]*', 'path commands and numbers'],
  [
    'transform gradientTransform',
    '(?:(?:translate|rotate|scale|skewX|skewY|matrix)\\([-+\\d\\s.,e]*\\)[\\s,]*)*',
    'translate, rotate, scale, skewX, skewY or matrix with numbers',
  ],
  [
    `fill-rule clip-rule stroke-linecap stroke-linejoin gradientUnits spreadMethod clipPathUnits
    maskUnits maskContentUnits`,
    '[a-zA-Z]{3,24}',
    'a word',
  ],
];
const ATTRIBUTES = new Map(
  ATTRIBUTE_RULES.flatMap(([names, pattern, accepts]) => {
    const rule = { pattern: new RegExp(`^(?:${pattern})$`), accepts };
    return names.split(/\s+/).map((name) => [name, rule] as const);
  }),
);
/** Colors of classes, also for dark mode, with single spaces. */
const DECLARATION = `(?:fill|stroke|color|stop-color|opacity|fill-opacity|stroke-opacity|stop-opacity) ?: ?(?:${COLOR}|${NUMBER})`;
const STYLE_RULE = String.raw`\.[\w-]+(?: ?, ?\.[\w-]+)* ?\{ ?${DECLARATION}(?: ?; ?${DECLARATION})* ?;? ?\} ?`;
const STYLE_PATTERN = new RegExp(
  String.raw`^(?:${STYLE_RULE}|@media ?\(prefers-color-scheme ?: ?dark\) ?\{ ?(?:${STYLE_RULE})*\} ?)*$`,
);
const STYLE_MESSAGE =
  'has a style that is not allowed. It may have only fill, stroke, color, stop-color and opacities of classes, also in @media(prefers-color-scheme:dark): .sea{fill:#057}';
/** Comments, tags (groups: slash, name, attributes, slash), texts, and any other `<`. */
const TOKEN_PATTERN =
  /<!--(?:[^-]|-[^-])*-->|<(\/?)([A-Za-z][\w:]*)((?:\s+[\w:-]+="[^"<>&]*")*)\s*(\/?)>|[^<\s][^<]*|</g;
const ATTRIBUTE_PATTERN = /([\w:-]+)="([^"]*)"/g;

/** Characters of an invalid value that its message repeats. */
const MAX_QUOTED_LENGTH = 60;
const listElements = (): string => [...ALLOWED_ELEMENTS].map((name) => `<${name}>`).join(', ');

/** Finds the first issue of a start tag. */
function findTagIssue(element: string, attributes: readonly (readonly [string, string])[]) {
  const names = attributes.map(([name]) => name);
  for (const [index, [name, value]] of attributes.entries()) {
    const rule = ATTRIBUTES.get(name);
    if (rule === undefined)
      return `has ${name} in <${element}>. Its attributes may be only ${[...ATTRIBUTES.keys()].join(', ')}`;
    if (!rule.pattern.test(value))
      return `has ${name}="${value.slice(0, MAX_QUOTED_LENGTH)}" in <${element}>. ${name} may be only ${rule.accepts}`;
    if (names.indexOf(name) !== index) return `has ${name} twice in <${element}>`;
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
    const [whole, closing_slash, name, attribute_text = '', self_closing_slash] = token;
    const { index: at } = token;
    const element = open_elements.at(-1);
    if (whole.startsWith('<!--')) continue;
    if (name === undefined && element === 'style' && whole !== '<') {
      if (STYLE_PATTERN.test(whole.replace(/\s+/g, ' '))) continue;
      return { at, message: STYLE_MESSAGE };
    }
    if (name === undefined)
      return {
        at,
        message:
          'has text or invalid markup here. A drawing has only elements, with attributes in double quotes and without entities',
      };
    if (!ALLOWED_ELEMENTS.has(name))
      return { at, message: `has <${name}>. A drawing may have only ${listElements()}` };
    if (closing_slash !== '') {
      if (open_elements.pop() !== name)
        return { at, message: `closes <${name}>, which is not open` };
      continue;
    }
    if (element === undefined && at > 0) return { at, message: `has <${name}> after </svg>` };
    const attributes = Array.from(
      attribute_text.matchAll(ATTRIBUTE_PATTERN),
      ([, key = '', value = '']) => [key, value] as const,
    );
    const message = findTagIssue(name, attributes);
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
