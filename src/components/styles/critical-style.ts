// Critical style: selects the inline style of a page's first screen, which therefore waits for no
// other file, and hashes it for the content security policy.
import { createHash } from 'node:crypto';
import font_url from '@fontsource/big-shoulders-display/files/big-shoulders-display-latin-800-normal.woff2?url';
import days from './critical/days.css?inline';
import event from './critical/event.css?inline';
import form from './critical/form.css?inline';
import notices from './critical/notices.css?inline';
import place from './critical/place.css?inline';
import submit from './critical/submit.css?inline';
import text from './critical/text.css?inline';
import long_name from './long-site-name.css?inline';
import no_sea from './no-sea.css?inline';
import deferred_url from './deferred.css?url';
import { townColor, TOWN } from '../../town.ts';

const STYLES = { days, notices, event, place, form, submit, text } as const;

/** Look of a page's first screen, by kind of page. Each page inlines only the style of its look. */
export type PageLook = keyof typeof STYLES;

const TOWN_COLORS = Object.keys({ ...TOWN.colours?.light, ...TOWN.colours?.dark });
/** Builds the rule that overrides the default colors; empty if the town does not override any. */
const colorRule = (selector: string, format: (name: string) => string): string =>
  TOWN_COLORS.length === 0
    ? ''
    : `${selector}{${TOWN_COLORS.map((name) => `--${name}:${format(name)}`).join(';')}}`;
const dark_rule = colorRule(':root', (name) => townColor(name, 'dark'));
/** Characters of a site name that fit into the masthead of a phone. */
const MAX_SHORT_NAME_LENGTH = 11;
/** Rules of this town, after the style of the look. */
const TOWN_STYLE = [
  TOWN.scene === 'sea' ? '' : no_sea,
  TOWN.site_name.length > MAX_SHORT_NAME_LENGTH ? long_name : '',
  colorRule(':root', (name) => townColor(name)),
  dark_rule && `@media screen and (prefers-color-scheme:dark){${dark_rule}}`,
].join('');
/**
 * Colors of this town for embed frames. Its selector outranks their style sheet, which loads later;
 * `--sand` is `--ground`.
 */
export const FRAME_STYLE = colorRule(
  'html:root',
  (name) => `light-dark(${townColor(name)},${townColor(name, 'dark')})`,
).replace('--sand:', '--ground:');

/** Returns the unescaped content of the style element of a look. */
export const criticalStyle = (look: PageLook): string => STYLES[look] + TOWN_STYLE;

/** URL of the style sheet for everything below the first screen. */
export const DEFERRED_STYLESHEET_URL: string = deferred_url;
/** URL of the display font, which the first screen uses. */
export const FONT_URL: string = font_url;

/** Sources for `style-src` (CSP3, 8.3): the hash of each inline style. */
export const STYLE_HASHES: readonly string[] = [
  ...Object.values(STYLES).map((style) => style + TOWN_STYLE),
  ...(FRAME_STYLE ? [FRAME_STYLE] : []),
].map((style) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`);
