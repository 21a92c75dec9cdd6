import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** The licences of the packages whose code is in the bundles. The licences require it. */
export function thirdPartyLicenses(root, inputs) {
  const folders = new Set(inputs.flatMap((input) => packageFolder(input) ?? []));
  const sections = [...folders].toSorted().map((folder) => section(path.join(root, folder)));
  return `Sekisho contains code of the packages below.\n\n${sections.join('\n')}`;
}

function packageFolder(input) {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
}

function section(folder) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const body = texts.map((file) => readFileSync(path.join(folder, file), 'utf8').trim());
  return [`${'='.repeat(100)}\n${name} ${version} (${license})`, ...body, ''].join('\n\n');
}
