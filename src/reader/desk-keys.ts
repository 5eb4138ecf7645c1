// The keys of the review desk: one or two letters for each control that names some, and moving through
// the list. Nothing needs them; they can be listed (`?`) and switched off.

/** The second letter comes within this time. */
const PAUSE_MS = 1500;
const OFF = 'desk-keys-off';

const all = (selector: string): HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>(selector),
];
const dialog = document.querySelector<HTMLDialogElement>('dialog#keys');
const off = document.querySelector<HTMLInputElement>('#keys-off');

/** Whether letters belong to what has the focus. */
function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return target.type !== 'checkbox';
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/** Does what a press with the mouse would do. */
function use(control: HTMLElement): void {
  const field = control.matches('input, textarea, select');
  if (control.closest('details')) control.closest('details')?.setAttribute('open', '');
  if (field) control.focus();
  else if (control.dataset.check !== undefined) checkAll();
  else control.click();
}

function checkAll(): void {
  const boxes = document.querySelectorAll<HTMLInputElement>('[data-item] input[type="checkbox"]');
  const is_all = [...boxes].every((box) => box.checked);
  for (const box of boxes) box.checked = !is_all;
}

/** Moves the focus through the list. */
function step(by: 1 | -1): void {
  const links = all('[data-item] .head > a');
  const here = links.findIndex((link) =>
    link.closest('[data-item]')?.contains(document.activeElement),
  );
  links[Math.min(links.length - 1, Math.max(0, here + by))]?.focus();
}

/** The item that has the focus, else the first. */
const findItem = (): Element | null =>
  document.activeElement?.closest('[data-item]') ?? document.querySelector('[data-item]');

const MOVES: Readonly<Record<string, () => void>> = {
  j: () => step(1),
  k: () => step(-1),
  o: () => findItem()?.querySelector<HTMLElement>('.head > a')?.click(),
  z: () => document.querySelector<HTMLElement>('.log form button')?.click(),
  x: () => findItem()?.querySelector<HTMLElement>('input[type="checkbox"]')?.click(),
};

let before = '';
let before_at = 0;

function onKey(event: KeyboardEvent): void {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    document.querySelector<HTMLElement>('[data-keys="a"]')?.click();
    return;
  }
  if (event.key === 'Escape' && isTyping(event.target)) {
    if (event.target instanceof HTMLElement) event.target.blur();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if (dialog?.open || (off?.checked && event.key !== '?')) return;
  const pair = event.timeStamp - before_at < PAUSE_MS ? `${before} ${event.key}` : '';
  const found = all('[data-keys]').find(
    ({ dataset }) => dataset.keys === pair || dataset.keys === event.key,
  );
  [before, before_at] = [event.key, event.timeStamp];
  if (found !== undefined) event.preventDefault();
  if (found !== undefined) use(found);
  else MOVES[event.key]?.();
}

/** Each control with its keys, as it is called on the screen. */
function listKeys(): void {
  const list = dialog?.querySelector('dl');
  for (const control of all('[data-keys]')) {
    const words = control.getAttribute('aria-label') ?? control.textContent ?? '';
    const label = control.id && document.querySelector(`label[for="${control.id}"]`)?.textContent;
    const row = document.createElement('div');
    const [term, meaning, key] = ['dt', 'dd', 'kbd'].map((name) => document.createElement(name));
    if (!term || !meaning || !key) continue;
    key.textContent = control.dataset.keys ?? '';
    meaning.textContent = (words.trim() || label || '').replace(/\s+/g, ' ');
    term.append(key);
    row.append(term, meaning);
    list?.append(row);
  }
}

/** A name that is the same in both languages is written once. */
function offerCopies(): void {
  for (const button of all('[data-copy]')) {
    const [from = '', to = ''] = (button.dataset.copy ?? '').split(' ');
    button.hidden = false;
    button.addEventListener('click', () => {
      const [source, target] = [from, to].map((name) =>
        document.querySelector<HTMLInputElement>(`[name="${name}"]`),
      );
      if (source && target) target.value = source.value;
    });
  }
}

if (dialog && off) {
  for (const line of all('.keys')) line.hidden = false;
  off.checked = localStorage.getItem(OFF) === '1';
  off.addEventListener('change', () => localStorage.setItem(OFF, off.checked ? '1' : '0'));
  document.querySelector('#keys-open')?.addEventListener('click', () => dialog.showModal());
  listKeys();
  offerCopies();
  document.addEventListener('keydown', onKey);
}
