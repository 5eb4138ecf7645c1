// A caller that reads Markdown alone: /llms.txt, and from there only addresses that what it has read
// leads to.
import { findUnexplained, withoutEscapes } from './explained.ts';
import type { Journey } from './journey.ts';
import { NEXT, type Question } from './question.ts';

const MARKDOWN = /^text\/(markdown|plain)/;

/** A document, and what is wrong with its headers. */
export async function readDocument(
  origin: string,
  address: string,
): Promise<{ readonly text: string; readonly fault: string | null }> {
  const response = await fetch(new URL(address, origin), { headers: { accept: 'text/markdown' } });
  const type = response.headers.get('content-type') ?? '';
  const text = await response.text();
  return { text, fault: MARKDOWN.test(type) ? null : `${address} answers ${type}` };
}

/** The link of a document that goes on, as a path of its own site; null where there is none. */
function findNext(document: string): string | null {
  const link = /\((https?:\/\/[^)\s]*[?&]cursor=[^)\s]*)\)/.exec(withoutEscapes(document))?.[1];
  if (link === undefined) return null;
  const { pathname, search } = new URL(link);
  return `${pathname}${search}`;
}

/** Reads what a question expects to be read. */
export async function askMarkdown(origin: string, question: Question): Promise<Journey> {
  const { text: entry, fault } = await readDocument(origin, '/llms.txt');
  const read: string[] = [];
  const faults = fault === null ? [] : [fault];
  for (const step of question.markdown) {
    const address = step === NEXT ? findNext(read.at(-1) ?? '') : step;
    if (address === null) break;
    const unexplained = step === NEXT ? null : findUnexplained(address, [entry, ...read]);
    if (unexplained !== null) faults.push(unexplained);
    const document = await readDocument(origin, address);
    if (document.fault !== null) faults.push(document.fault);
    read.push(document.text);
  }
  return { entry, read, faults };
}
