// Page enhancements: cache the page for offline use, share or copy its address, find nearby events, and update the state of
// today's rows. Pages work without them; controls that need scripts are hidden until this script runs.
import { browserNowMs } from './browser-clock.ts';
import { setUpSaveButtons } from './saved-events.ts';

const queryAll = (selector: string): HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>(selector),
];

/** Shows a button and handles its clicks. */
function enableButton(button: HTMLElement, onClick: () => void): void {
  button.hidden = false;
  button.addEventListener('click', onClick);
}

/**
 * Registers the service worker.
 * @returns a function that asks the worker to cache a path, such as the current page, which loaded before the worker.
 */
function registerServiceWorker(): (path: string) => void {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return () => {};
  serviceWorker.register('/sw.js').catch(() => {});
  return (path) => void serviceWorker.ready.then(({ active }) => active?.postMessage(path));
}

function enableSharing(): void {
  for (const row of queryAll('[data-text]')) {
    // Read at each click: saving an event changes the address of the saved list.
    const readUrl = (): string => row.dataset.url ?? '';
    const { text = '' } = row.dataset;
    for (const button of row.querySelectorAll<HTMLElement>('button')) {
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

/** Rounds a coordinate to about a hundred meters: precise enough to search, too coarse to locate the visitor. */
const roundCoordinate = (degrees: number): string => degrees.toFixed(3);

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

/** Labels rows of today that have started or ended since the page was rendered. */
function updateRowStates(): void {
  const [labels] = queryAll('[data-ended]');
  if (!labels) return;
  // Corrects the device's clock by the server's minute, except on an offline copy, which was rendered earlier.
  const rendered_ms = Number(labels.dataset.at);
  const skew_ms = document.querySelector('.kept') ? 0 : rendered_ms - browserNowMs();
  const setState = (row: Element, kind: string, text: string): void => {
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
      const { until = '', assumed } = row.querySelector<HTMLElement>('.when')?.dataset ?? {};
      const end_ms = Date.parse(until);
      const start_ms = Date.parse(row.querySelector('.hour')?.getAttribute('datetime') ?? '');
      const now_ms = browserNowMs() + skew_ms;
      // After an assumed end, the event may still be running: no label.
      if (end_ms <= now_ms && assumed !== undefined) row.querySelector('b.state')?.remove();
      else if (end_ms <= now_ms) setState(row, 'over', labels.dataset.ended ?? '');
      else if (start_ms > rendered_ms && start_ms <= now_ms)
        setState(row, 'on', labels.dataset.now ?? '');
    }
  };
  update();
  setInterval(update, 30_000);
}

setUpSaveButtons(registerServiceWorker());
enableSharing();
enableNearbySearch();
updateRowStates();
