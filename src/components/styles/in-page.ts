// The style that stands in every page, so that its first screen waits for no other file, and the
// hash by which the content security policy lets it in. The style sheets are the one source.
import { createHash } from 'node:crypto';
import font_url from '@fontsource/big-shoulders-display/files/big-shoulders-display-latin-800-normal.woff2?url';
import first_style from './first.css?inline';
import rest_url from './rest.css?url';

/** The text of the style element, to be written as it is. */
export const FIRST_STYLE: string = first_style;
/** Address of what comes after the first screen. */
export const REST_URL: string = rest_url;
/** Address of the display font, which the first screen uses. */
export const FONT_URL: string = font_url;

/** Sources for `style-src` (CSP3, 8.3): the hash of each style element of a page. */
export const STYLE_HASHES: readonly string[] = [
  `'sha256-${createHash('sha256').update(FIRST_STYLE).digest('base64')}'`,
];
