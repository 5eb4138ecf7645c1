// Page enhancements: cache the page for offline use, save events, share or copy the page's address,
// find nearby events, and label today's events that run or have ended. Pages work without them;
// controls that need scripts are hidden until this script runs.
// The components set the data attributes that it reads, and the CSS classes: pick = highlight, row
// = event in a list, when = its time, where = its line with the venue, hour = its start.
import { browserNowMs } from './browser-clock.ts';
import { setUpSaveButtons } from './saved-events.ts';

const queryAll = (selector: string): HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>(selector),
];

function enableButton(button: HTMLElement, onClick: () => void): void {
  button.hidden = false;
  button.addEventListener('click', onClick);
}

/**
 * Registers the service worker.
 * @returns a function that asks the worker to cache a path, such as the current page, which loaded
 * before the worker.
 */
function registerServiceWorker(): (path: string) => void {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return () => {};
  serviceWorker.register('/sw.js').catch(() => {});
  return (path) => void serviceWorker.ready.then(({ active }) => active?.postMessage(path));
}

/**
 * Enables the share and copy buttons of each share bar: `data-text` is the text to share,
 * `data-url` the address, and `data-done` of a copy button its label for four seconds after
 * copying.
 */
function enableSharing(): void {
  for (const share_bar of queryAll('[data-text]')) {
    // Read at each click: saving an event changes the address of the saved list.
    const readUrl = (): string => share_bar.dataset.url ?? '';
    const { text = '' } = share_bar.dataset;
    for (const button of share_bar.querySelectorAll<HTMLElement>('button')) {
      // Only the copy button has a confirmation text.
      const { done: copied_text } = button.dataset;
      if (copied_text === undefined) {
        if ('share' in navigator)
          enableButton(
            button,
            () => void navigator.share({ text, url: readUrl() }).catch(() => {}),
          );
        continue;
      }
      if (!navigator.clipboard) continue;
      const label = button.textContent;
      enableButton(button, async () => {
        await navigator.clipboard.writeText(readUrl());
        button.textContent = copied_text;
        setTimeout(() => {
          button.textContent = label;
        }, 4000);
      });
    }
  }
}

/**
 * Rounds a coordinate to about a hundred meters: precise enough to search, too coarse to locate the
 * visitor.
 */
const roundCoordinate = (degrees: number): string => degrees.toFixed(3);

/**
 * Enables the button that searches around the visitor: `data-near` is the path of the search page,
 * `data-denied` the message without permission for the position.
 */
function enableNearbySearch(): void {
  if (!('geolocation' in navigator)) return;
  for (const button of queryAll('[data-near]')) {
    const { near = '', denied = '' } = button.dataset;
    enableButton(button, () =>
      navigator.geolocation.getCurrentPosition(
        ({ coords }) =>
          location.assign(
            `${near}?near=${roundCoordinate(coords.latitude)},${roundCoordinate(coords.longitude)}`,
          ),
        () => {
          const message = document.createElement('span');
          message.setAttribute('role', 'status');
          message.textContent = denied;
          button.replaceWith(message);
        },
        { maximumAge: 300_000, timeout: 10_000 },
      ),
    );
  }
}

/**
 * Labels the events of today that have started or ended since the page was rendered. A hidden
 * element of agenda-page.astro has the time of rendering (`data-at`, epoch ms) and the labels
 * (`data-now`, `data-ended`).
 */
function updateRowStates(): void {
  const [page_state] = queryAll('[data-ended]');
  if (!page_state) return;
  // The server rendered a fresh page just now, so the difference corrects a wrong device clock. An
  // offline copy is older: its banner `.kept` (service-worker.ts) turns the correction off.
  const rendered_ms = Number(page_state.dataset.at);
  const skew_ms = document.querySelector('.kept') ? 0 : rendered_ms - browserNowMs();
  /** Shows the label before the venue; `kind` is its CSS class. */
  const setState = (row: Element, kind: 'over' | 'on', text: string): void => {
    const where = row.querySelector('.where');
    const previous = row.querySelector('b.state');
    if (!where || previous?.textContent === text) return;
    previous?.remove();
    const state = document.createElement('b');
    state.className = `state ${kind}`;
    state.textContent = text;
    where.prepend(state);
  };
  const update = (): void => {
    for (const row of queryAll('.pick, .row:not(.cancelled, .postponed)')) {
      if (row.closest('.ended')) continue;
      // Set by event-when.astro: the end of the event; `assumed` is absent if a source states this
      // end.
      const { until = '', assumed } = row.querySelector<HTMLElement>('.when')?.dataset ?? {};
      const end_ms = Date.parse(until);
      const start_ms = Date.parse(row.querySelector('.hour')?.getAttribute('datetime') ?? '');
      const now_ms = browserNowMs() + skew_ms;
      const has_ended = end_ms <= now_ms;
      const has_started = start_ms > rendered_ms && start_ms <= now_ms;
      // After an assumed end, the event may still be running: no label.
      if (has_ended && assumed !== undefined) row.querySelector('b.state')?.remove();
      else if (has_ended) setState(row, 'over', page_state.dataset.ended ?? '');
      else if (has_started) setState(row, 'on', page_state.dataset.now ?? '');
    }
  };
  update();
  setInterval(update, 30_000);
}

setUpSaveButtons(registerServiceWorker());
enableSharing();
enableNearbySearch();
updateRowStates();
