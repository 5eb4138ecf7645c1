// The HTML that puts our list on another site: one frame, no script (contract 8.20).
import { toXml } from './xml.ts';

/** The element to be copied, for the frame at an absolute address, with its name. */
export const toSnippet = (url: string, title: string): string =>
  `<iframe src="${toXml(url)}" title="${toXml(title)}" width="100%" height="560" loading="lazy" style="border:0"></iframe>`;
