import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { commandsPage } from './docs/commands-page.mjs';
import { errorsPage } from './docs/errors-page.mjs';
import { indexPage } from './docs/index-page.mjs';
import { loadProduct } from './docs/load-product.mjs';
import { toolsetPage } from './docs/toolset-page.mjs';

/** Generates pages and snapshots from the operations. `--check` writes nothing and fails if one is stale. */
const root = path.join(import.meta.dirname, '..');
const references = { en: 'docs/reference', ja: 'docs/ja/reference' };
const folders = [...Object.values(references), 'test/snapshot'];

const wanted = render(await loadProduct(root));
const stale = [...wanted].filter(([file, text]) => text !== readIfThere(file)).map(([file]) => file);
const left = folders.flatMap(filesIn).filter((file) => !wanted.has(file));

if (process.argv.includes('--check')) {
  for (const file of stale) console.log(`${file} is not what the operations say`);
  for (const file of left) console.log(`${file} belongs to nothing any more`);
  if (stale.length + left.length > 0) console.log('Run: npm run docs');
  process.exitCode = stale.length + left.length > 0 ? 1 : 0;
} else {
  for (const file of stale) write(file, wanted.get(file));
  for (const file of left) rmSync(path.join(root, file));
  console.log(`${wanted.size} files, ${stale.length} written, ${left.length} removed`);
}

function render(product) {
  return new Map([
    ...Object.entries(references).flatMap(([lang, folder]) => pagesIn(product, lang, folder)),
    ['docs/reference/openapi.json', `${JSON.stringify(product.openApi(product.operations), null, 1)}\n`],
    ...product.operations.map((one) => [
      `test/snapshot/${one.name}.json`,
      `${JSON.stringify(product.describeTool(one), null, 2)}\n`,
    ]),
  ]);
}

function pagesIn(product, lang, folder) {
  const pages = product.toolsets
    .map((toolset) => [toolset, toolsetPage(product, toolset, lang)])
    .filter(([, text]) => text !== undefined);
  const names = pages.map(([toolset]) => toolset);
  return [
    ...pages.map(([toolset, text]) => [`${folder}/${toolset}.md`, text]),
    [`${folder}/README.md`, indexPage(product, names, lang)],
    [`${folder}/commands.md`, commandsPage(product, lang)],
    [`${folder}/errors.md`, errorsPage(product, lang)],
  ];
}

function filesIn(folder) {
  const whole = path.join(root, folder);
  return existsSync(whole) ? readdirSync(whole).map((name) => `${folder}/${name}`) : [];
}

function readIfThere(file) {
  const whole = path.join(root, file);
  return existsSync(whole) ? readFileSync(whole, 'utf8') : undefined;
}

function write(file, text) {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}
