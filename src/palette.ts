// The colours of pages and posters in both themes: those of the style sheet, a town's own in their place, and which of
// them must be told apart to be read.
import { readFileSync } from 'node:fs';

type Colours = Readonly<Record<string, string>>;
export type Palette = Readonly<Record<'light' | 'dark', Colours>>;

const SHEET = new URL('./components/styles/tokens.css', import.meta.url);
const [LIGHT = {}, DARK = {}] = readFileSync(SHEET, 'utf8')
  .split('(prefers-color-scheme: dark)')
  .map((part): Colours => {
    const found = part.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g);
    return Object.fromEntries(Array.from(found, ([, name = '', colour = '']) => [name, colour]));
  });
export const COLOR_NAMES: readonly string[] = Object.keys(LIGHT);

/** What a town leaves out is as in the style sheet; where that has one colour for both themes, as in the light one. */
export const completePalette = ({ light, dark }: Palette): Palette => {
  const own = { ...LIGHT, ...light };
  return { light: own, dark: { ...own, ...DARK, ...dark } };
};

const TEXTS = ['ink', 'soft', 'link', 'bloom', 'mango', 'sargassum', 'leaf'];
/** Grounds, with the colours of what is written on them. */
const READ_ON = {
  sand: TEXTS,
  sky: TEXTS,
  'sky-low': TEXTS,
  lagoon: ['ink'],
  deep: ['foam'],
  paper: ['card-ink'],
};
/** WCAG 2.2, 1.4.3. */
const LEAST_CONTRAST = 4.5;

/** Relative luminance (WCAG 2.2) of `#rrggbb`, with the light that is always there. */
function toLight(colour = ''): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
}

/** Whatever cannot be told from its ground well enough, each with its figures; empty where all can. */
export const findLowContrast = (given: Palette): string =>
  Object.entries(completePalette(given))
    .flatMap(([theme, of]) =>
      Object.entries(READ_ON).flatMap(([ground, texts]) =>
        texts.map((text) => {
          const [low = 0, high = 0] = [toLight(of[text]), toLight(of[ground])].sort(
            (a, b) => a - b,
          );
          const contrast = high / low;
          return contrast >= LEAST_CONTRAST
            ? ''
            : `${text} ${of[text]} on ${ground} ${of[ground]} has a contrast of ${contrast.toFixed(1)} in the ${theme} theme, and needs ${LEAST_CONTRAST}`;
        }),
      ),
    )
    .filter(Boolean)
    .join('; ');
