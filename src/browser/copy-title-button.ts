// Copy title button: copies the title to the field of the other language.
const button = document.querySelector<HTMLButtonElement>('button[data-same-title]');
const [source, target] = ['title', 'other_title'].map((name) =>
  document.querySelector<HTMLInputElement>(`input[name="${name}"]`),
);
if (button && source && target) {
  button.hidden = false;
  button.addEventListener('click', () => {
    target.value = source.value;
  });
}
