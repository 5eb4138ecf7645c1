// Asks an operation of the API from its form in the docs and shows what comes: the status, the headers
// that mean something, the body; the line for curl above it asks the same. Without this module the form
// leads to the answer itself.

interface Words {
  readonly sending: string;
  /** With {status} and {size}. */
  readonly answered: string;
  /** With {shown} and {total}. */
  readonly cut: string;
  readonly failed: string;
  readonly body: string;
}

const HEADERS = [
  ...['content-type', 'cache-control', 'etag', 'link', 'allow', 'www-authenticate'],
  ...['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after'],
] as const;
/** Characters that are read of an answer, and of these shown. */
const MOST_READ = 2_000_000;
const MOST_SHOWN = 20_000;
const PATIENCE_MS = 20_000;

const fill = (sentence: string, parts: Readonly<Record<string, string>>): string =>
  sentence.replace(/\{(\w+)\}/g, (whole, name) => parts[name] ?? whole);

function make(tag: string, text = '', traits: Readonly<Record<string, string>> = {}): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = text;
  for (const [name, value] of Object.entries(traits)) element.setAttribute(name, value);
  return element;
}

/** Fields that stand in the path; they have no name, so that a form without a script leaves them out. */
const findParts = (form: HTMLFormElement): NodeListOf<HTMLInputElement> =>
  form.querySelectorAll<HTMLInputElement>('[data-part]');

/** What the form asks: path and query, without what was left empty. */
function toAddress(form: HTMLFormElement): string {
  let path = form.dataset.path ?? '';
  for (const { dataset, value } of findParts(form))
    path = path.replace(
      `{${dataset.part}}`,
      encodeURIComponent(value.trim()).replaceAll("'", '%27'),
    );
  const asked = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()]] : [],
  );
  return asked.length === 0 ? path : `${path}?${new URLSearchParams(asked)}`;
}

/** The text of an answer, as far as it is read. */
async function readText({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (reader && text.length < MOST_READ) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += decoder.decode(value, { stream: true });
  }
  await reader?.cancel();
  return text;
}

function format(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Body and headers, in the box of a form. */
function show(box: HTMLElement, headers: Headers, text: string, words: Words): void {
  const list = make('dl', '', { class: 'params' });
  for (const name of HEADERS) {
    const value = headers.get(name);
    if (value === null) continue;
    const row = make('div');
    row.append(make('dt', name), make('dd', value));
    list.append(row);
  }
  const body = make('pre', '', { class: 'lines', tabindex: '0', role: 'region' });
  body.setAttribute('aria-label', words.body);
  body.append(make('code', text.slice(0, MOST_SHOWN), { translate: 'no' }));
  const total = text.length;
  const cut = fill(words.cut, { shown: `${MOST_SHOWN}`, total: `${total}` });
  box.replaceChildren(body, ...(total > MOST_SHOWN ? [make('p', cut)] : []), list);
}

/** Sends the form's question; a later one takes its place. */
async function send(form: HTMLFormElement, words: Words, signal: AbortSignal): Promise<void> {
  const said = form.querySelector<HTMLElement>('[role=status]');
  const box = form.querySelector<HTMLElement>('.answered');
  if (!said || !box) return;
  said.textContent = words.sending;
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
    const response = await fetch(toAddress(form), { signal: within });
    const text = await readText(response);
    show(box, response.headers, format(text), words);
    said.textContent = fill(words.answered, {
      status: `${response.status} ${response.statusText}`.trim(),
      size: `${text.length}`,
    });
  } catch {
    if (signal.aborted) return;
    box.replaceChildren();
    said.textContent = words.failed;
  }
}

function watch(form: HTMLFormElement, base_url: string, words: Words): void {
  const line = form.closest('section')?.querySelector('pre.line code');
  let asking = new AbortController();
  for (const part of findParts(form)) part.readOnly = false;
  form.addEventListener('input', () => {
    if (line)
      line.textContent = `${line.textContent}`.replace(
        /'[^']*'/,
        () => `'${new URL(toAddress(form), base_url).href}'`,
      );
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    asking.abort();
    asking = new AbortController();
    void send(form, words, asking.signal);
  });
}

const settings = document.querySelector<HTMLElement>('[data-try]');
if (settings) {
  const { base_url, words } = JSON.parse(settings.dataset.try ?? '{}');
  for (const form of document.querySelectorAll<HTMLFormElement>('form.try'))
    watch(form, base_url, words);
}
