// The button of the map with streets: there only where a script runs, and nothing of the map is loaded
// before it is pressed.

/** Loads the map and opens it; what it cannot load it says beside the button. */
async function open(box: HTMLElement, button: HTMLButtonElement): Promise<void> {
  const said = box.querySelector('[role=status]');
  const settings = JSON.parse(box.dataset.streets ?? '{}');
  const tell = (sentence: string): void => {
    if (said) said.textContent = sentence;
  };
  tell('');
  try {
    const { openStreetMap } = await import('./street-map.ts');
    await openStreetMap(settings, button, () => tell(settings.words.failed));
  } catch {
    tell(settings.words.failed);
  }
}

// Without a source of tiles none of this is built (astro.config.mjs).
if (__STREETS__)
  for (const box of document.querySelectorAll<HTMLElement>('[data-streets]')) {
    const button = box.querySelector('button');
    if (!button) continue;
    // Not disabled while it loads: that would take the focus, which the map gives back to it.
    let is_opening = false;
    box.hidden = false;
    button.addEventListener('click', async () => {
      if (is_opening) return;
      is_opening = true;
      await open(box, button);
      is_opening = false;
    });
  }
