// Astro build: runs Astro's build without generating editor types, because the service cannot write
// to the project folder. Plain JavaScript, because Astro's types lack `sync`. Argument: the path of
// Astro's entry module.

const [, , astro] = process.argv;
const { build } = await import(astro);
await build({}, { sync: false });
