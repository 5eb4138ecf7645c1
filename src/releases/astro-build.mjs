// Astro's build without the types that it writes for editors: they go into the project's folder, which
// nobody may write to where the service runs. Plain JavaScript: its type does not know `sync`.

/** The path of Astro itself. */
const [, , astro] = process.argv;
const { build } = await import(astro);
await build({}, { sync: false });
