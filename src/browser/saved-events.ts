// Saved events: stores the ids of saved events in this browser only, and sets up the save buttons.
// The saved list is an ordinary page with the ids in its address, so that it can be shared.
// Attributes set by the components: `data-save` = comma-separated ids that a button saves or
// removes (several on the saved list); `data-event` = id of a row's event; `data-saved` = a link to
// the saved list; `data-keep` = label of a save button; `data-url` = address that a share bar
// shares. CSS classes: ribbon = save button of a row; on = saved.

const STORAGE_KEY = 'saved';
/** Limit of ids in an address; beyond it, the oldest is dropped. */
const MAX_SAVED = 60;

const queryAll = <E extends HTMLElement>(selector: string): E[] => [
  ...document.querySelectorAll<E>(selector),
];
/** Returns the saved ids, oldest first. Throws if this browser does not allow storage. */
const loadSaved = (): string[] =>
  (localStorage.getItem(STORAGE_KEY) ?? '').split(',').filter(Boolean);
const storeSaved = (ids: readonly string[]): void =>
  localStorage.setItem(STORAGE_KEY, ids.join(','));
/** Returns the ids that a button saves or removes. */
const listButtonIds = ({ dataset }: HTMLElement): string[] => (dataset.save ?? '').split(',');

/** Adds a save button to the row of an event. */
function addRowButton(row: HTMLElement): HTMLElement {
  const button = document.createElement('button');
  const { keep: save_label } = document.querySelector('main')?.dataset ?? {};
  button.type = 'button';
  button.className = 'ribbon';
  button.dataset.save = row.dataset.event;
  button.setAttribute('aria-pressed', 'false');
  button.setAttribute('aria-label', `${save_label} ${row.querySelector('h3')?.textContent}`);
  button.innerHTML =
    '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 3h12v18l-6-5-6 5Z"/></svg>';
  row.lastElementChild?.append(button);
  return button;
}

/**
 * Sets up the save buttons and the links to the saved list.
 * @param cachePage Caches the page at a path for offline use.
 */
export function setUpSaveButtons(cachePage: (path: string) => void): void {
  const links = queryAll<HTMLAnchorElement>('[data-saved]');
  const buttons: HTMLElement[] = [];
  const { pathname, search } = location;
  const saved_list_path = links[0]?.pathname ?? '';
  const buildSavedListPath = (ids: readonly string[]): string =>
    ids.length > 0 ? `${saved_list_path}?ids=${ids.join(',')}` : saved_list_path;

  /**
   * Shows all buttons with their state. Shows the links once an event is saved, and does not hide
   * them again when the last event is removed.
   */
  const update = (): void => {
    const saved = loadSaved();
    for (const link of links) {
      link.href = buildSavedListPath(saved);
      if (saved.length > 0) link.hidden = false;
    }
    for (const button of buttons) {
      const is_saved = listButtonIds(button).every((id) => saved.includes(id));
      button.hidden = false;
      button.classList.toggle('on', is_saved);
      if (button.hasAttribute('aria-pressed')) button.setAttribute('aria-pressed', `${is_saved}`);
    }
  };
  /** Replaces the ids in the address of the visitor's own list, and in the links that share it. */
  const replaceListAddress = (ids: readonly string[]): void => {
    const replaceIds = (text: string): string =>
      text.replace(/(ids(?:=|%3D))[\w,%]+/, `$1${encodeURIComponent(ids.join(','))}`);
    history.replaceState(null, '', buildSavedListPath(ids));
    const selector = 'a[href*="ids"]:not([data-saved]), [data-url]';
    for (const element of queryAll<HTMLAnchorElement>(selector)) {
      if (element.href) element.href = replaceIds(element.href);
      if (element.dataset.url) element.dataset.url = replaceIds(element.dataset.url);
    }
  };

  try {
    const initial = loadSaved();
    // Throws at once if this browser does not allow storage.
    storeSaved(initial);
    buttons.push(...queryAll('[data-save]'), ...queryAll('li[data-event]').map(addRowButton));
    const ids_in_address = new URLSearchParams(search).get('ids')?.split(',') ?? [];
    const is_saved_list_page = pathname === saved_list_path;
    // A list with other ids was received from another visitor.
    const has_own_ids = `${ids_in_address.sort()}` === `${[...initial].sort()}`;
    const is_own_list = is_saved_list_page && has_own_ids;
    // The rest still runs until the browser leaves this page.
    if (is_saved_list_page && search === '' && initial.length > 0)
      location.replace(buildSavedListPath(initial));
    for (const button of buttons)
      button.addEventListener('click', () => {
        const ids = listButtonIds(button);
        const others = loadSaved().filter((id) => !ids.includes(id));
        const was_saved = button.classList.contains('on');
        const saved = was_saved ? others : [...others, ...ids].slice(-MAX_SAVED);
        storeSaved(saved);
        update();
        if (is_own_list && saved.length > 0) replaceListAddress(saved);
        cachePage(buildSavedListPath(saved));
      });
    update();
    // Another tab may have saved events, also while this page was in the back/forward cache.
    for (const kind of ['storage', 'pageshow']) addEventListener(kind, update);
    cachePage(is_saved_list_page ? buildSavedListPath(initial) : pathname + search);
  } catch {
    // Without storage the buttons stay hidden.
    cachePage(pathname + search);
  }
}
