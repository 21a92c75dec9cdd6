import { code, page, table } from './markdown.mjs';
import { anchor } from './toolset-page.mjs';
import { words } from './words.mjs';

export function indexPage(product, pages, lang) {
  const say = words[lang];
  const rows = pages.flatMap((toolset) =>
    product.operations
      .filter((one) => one.toolsets.includes(toolset))
      .map((one) => [toolset, `[${code(one.name)}](${toolset}.md#${anchor(one.name)})`, one.summary[lang]]),
  );
  return page(`# ${say.reference}`, say.about, table([say.toolset, say.tool, say.does], rows));
}
