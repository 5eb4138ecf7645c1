// What a reader keeps: the ids of events, in this browser alone, where it may store. Their list is an ordinary page,
// whose address has them.

const KEY = 'saved';
/** As many as an address may name; the oldest goes. */
const MOST = 60;

const all = <E extends HTMLElement>(selector: string): E[] => [
  ...document.querySelectorAll<E>(selector),
];
const read = (): string[] => (localStorage.getItem(KEY) ?? '').split(',').filter(Boolean);
const write = (ids: readonly string[]): void => localStorage.setItem(KEY, ids.join(','));

/** The ribbon of a row, which only scripts bring. */
function addRibbon(row: HTMLElement): HTMLElement {
  const button = document.createElement('button');
  const { keep } = document.querySelector('main')?.dataset ?? {};
  button.type = 'button';
  button.className = 'ribbon';
  button.dataset.save = row.dataset.event;
  button.setAttribute('aria-pressed', 'false');
  button.setAttribute('aria-label', `${keep} ${row.querySelector('h3')?.textContent}`);
  button.innerHTML =
    '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 3h12v18l-6-5-6 5Z"/></svg>';
  row.lastElementChild?.append(button);
  return button;
}

/** Offers to keep events; `keepPage` keeps the page at an address for when there is no network. */
export function setUpSaveButtons(keepPage: (path: string) => void): void {
  const links = all<HTMLAnchorElement>('[data-saved]');
  const buttons: HTMLElement[] = [];
  const { pathname, search } = location;
  const list = links[0]?.pathname ?? '';
  const toList = (ids: readonly string[]): string =>
    ids.length > 0 ? `${list}?ids=${ids.join(',')}` : list;

  const show = (): void => {
    const saved = read();
    for (const link of links) {
      link.href = toList(saved);
      if (saved.length > 0) link.hidden = false;
    }
    for (const button of buttons) {
      const is_kept = listIds(button).every((id) => saved.includes(id));
      button.hidden = false;
      button.classList.toggle('on', is_kept);
      if (button.hasAttribute('aria-pressed')) button.setAttribute('aria-pressed', `${is_kept}`);
    }
  };
  /** On the reader's own list its address, and what passes it on, go with it. */
  const follow = (ids: readonly string[]): void => {
    const change = (text: string): string =>
      text.replace(/(ids(?:=|%3D))[\w,%]+/, `$1${encodeURIComponent(ids.join(','))}`);
    history.replaceState(null, '', toList(ids));
    for (const part of all<HTMLAnchorElement>('a[href*="ids"]:not([data-saved]), [data-url]')) {
      if (part.href) part.href = change(part.href);
      if (part.dataset.url) part.dataset.url = change(part.dataset.url);
    }
  };

  try {
    const before = read();
    write(before);
    buttons.push(...all('[data-save]'), ...all('li[data-event]').map(addRibbon));
    const listed = new URLSearchParams(search).get('ids')?.split(',') ?? [];
    const is_list = pathname === list;
    const is_own = is_list && `${listed.sort()}` === `${[...before].sort()}`;
    if (is_list && search === '' && before.length > 0) location.replace(toList(before));
    for (const button of buttons)
      button.addEventListener('click', () => {
        const ids = listIds(button);
        const others = read().filter((id) => !ids.includes(id));
        const is_kept = button.classList.contains('on');
        const saved = is_kept ? others : [...others, ...ids].slice(-MOST);
        write(saved);
        show();
        if (is_own && saved.length > 0) follow(saved);
        keepPage(toList(saved));
      });
    show();
    // Another page of the same browser, or this one come back to, may have kept something since.
    for (const kind of ['storage', 'pageshow']) addEventListener(kind, show);
    keepPage(is_list ? toList(before) : pathname + search);
  } catch {
    // It may not store: nothing is offered.
    keepPage(pathname + search);
  }
}

const listIds = ({ dataset }: HTMLElement): string[] => (dataset.save ?? '').split(',');
