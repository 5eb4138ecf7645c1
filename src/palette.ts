// Palette: loads the colors of pages and posters, by name, for the light and the dark theme from
// the style sheet; replaces them with a town's own colors, and checks the contrast.
import { readFileSync } from 'node:fs';

/** Colors as `#rrggbb` by name. */
type Colors = Readonly<Record<string, string>>;
export type Palette = Readonly<Record<'light' | 'dark', Colors>>;

const STYLE_SHEET = new URL('./components/styles/tokens.css', import.meta.url);
/** The colors before and after the media query for the dark theme. */
const [LIGHT = {}, DARK = {}] = readFileSync(STYLE_SHEET, 'utf8')
  .split('(prefers-color-scheme: dark)')
  .map((part): Colors => {
    const declarations = part.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g);
    return Object.fromEntries(
      Array.from(declarations, ([, name = '', color = '']) => [name, color]),
    );
  });
export const COLOR_NAMES: readonly string[] = Object.keys(LIGHT);

/**
 * Completes a town's colors from the style sheet. The dark theme uses the light color if it has
 * none of its own.
 */
export const completePalette = ({ light, dark }: Palette): Palette => {
  const complete_light = { ...LIGHT, ...light };
  return { light: complete_light, dark: { ...complete_light, ...DARK, ...dark } };
};

/** Colors of text on light backgrounds (dark ones in the dark theme). */
const TEXT_COLORS = ['ink', 'soft', 'link', 'bloom', 'mango', 'sargassum', 'leaf'];
/** Text colors used on each background. */
const TEXTS_BY_BACKGROUND = {
  sand: TEXT_COLORS,
  sky: TEXT_COLORS,
  'sky-low': TEXT_COLORS,
  lagoon: ['ink'],
  deep: ['foam'],
  paper: ['card-ink'],
};
/** Minimum contrast ratio of text (WCAG 2.2, 1.4.3). */
const MIN_CONTRAST = 4.5;

/** Computes the relative luminance (WCAG 2.2) of `#rrggbb`, plus the 0.05 of ambient light. */
function computeLuminance(color = ''): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((index) => {
    const channel = Number.parseInt(color.slice(index, index + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
}

/** Describes all text colors with too low contrast; empty if there are none. */
export const findLowContrast = (palette: Palette): string =>
  Object.entries(completePalette(palette))
    .flatMap(([theme, colors]) =>
      Object.entries(TEXTS_BY_BACKGROUND).flatMap(([background, texts]) =>
        texts.map((text) => {
          const [darker = 0, lighter = 0] = [
            computeLuminance(colors[text]),
            computeLuminance(colors[background]),
          ].sort((a, b) => a - b);
          const contrast = lighter / darker;
          return contrast >= MIN_CONTRAST
            ? ''
            : `${text} ${colors[text]} on ${background} ${colors[background]} has a contrast of ${contrast.toFixed(1)} in the ${theme} theme, and needs ${MIN_CONTRAST}`;
        }),
      ),
    )
    .filter(Boolean)
    .join('; ');
