// Copy title button: copies the title of a submission to the field for its title in the other
// language, on the desk's submission screen. `data-same-title` marks the button, which is hidden
// without scripts.
const button = document.querySelector<HTMLButtonElement>('button[data-same-title]');
const [title_field, translation_field] = ['title', 'other_title'].map((name) =>
  document.querySelector<HTMLInputElement>(`input[name="${name}"]`),
);
if (button && title_field && translation_field) {
  button.hidden = false;
  button.addEventListener('click', () => {
    translation_field.value = title_field.value;
  });
}
