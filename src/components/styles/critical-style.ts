// The style that stands in every page, so that its first screen waits for no other file, and the
// hashes by which the content security policy lets it in. The style sheets are the one source.
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
import plain from './no-sea.css?inline';
import rest_url from './deferred.css?url';
import { townColor, TOWN } from '../../town.ts';

const STYLES = { days, notices, event, place, form, submit, text } as const;

/** What a page's first screen looks like; each look carries the style of its own and no other. */
export type PageLook = keyof typeof STYLES;

const OWN_COLOURS = Object.keys({ ...TOWN.colours?.light, ...TOWN.colours?.dark });
const toRule = (place: string, write: (name: string) => string): string =>
  OWN_COLOURS.length === 0
    ? ''
    : `${place}{${OWN_COLOURS.map((name) => `--${name}:${write(name)}`).join(';')}}`;
const dark = toRule(':root', (name) => townColor(name, 'dark'));
/** Letters of a name that has room beside the tools on a telephone. */
const SHORT_NAME = 11;
/** What comes behind the style sheet in this town. */
const OF_TOWN = [
  TOWN.scene === 'sea' ? '' : plain,
  TOWN.site_name.length > SHORT_NAME ? long_name : '',
  toRule(':root', (name) => townColor(name)),
  dark && `@media screen and (prefers-color-scheme:dark){${dark}}`,
].join('');
/** The same for a frame, which calls the sand ground and whose sheet comes behind it. */
export const FRAME_STYLE = toRule(
  'html:root',
  (name) => `light-dark(${townColor(name)},${townColor(name, 'dark')})`,
).replace('--sand:', '--ground:');

/** The text of the style element of a look, to be written as it is. */
export const criticalStyle = (look: PageLook): string => STYLES[look] + OF_TOWN;

/** Address of what comes after the first screen. */
export const DEFERRED_STYLESHEET_URL: string = rest_url;
/** Address of the display font, which the first screen uses. */
export const FONT_URL: string = font_url;

/** Sources for `style-src` (CSP3, 8.3): the hash of each style that stands in a page. */
export const STYLE_HASHES: readonly string[] = [
  ...Object.values(STYLES).map((style) => style + OF_TOWN),
  ...(FRAME_STYLE ? [FRAME_STYLE] : []),
].map((style) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`);
