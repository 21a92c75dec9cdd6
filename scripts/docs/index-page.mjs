import { code, page, table } from './markdown.mjs';
import { anchor } from './toolset-page.mjs';

export function indexPage(product, pages) {
  const rows = pages.flatMap((toolset) =>
    product.operations
      .filter((one) => one.toolsets.includes(toolset))
      .map((one) => [toolset, `[${code(one.name)}](${toolset}.md#${anchor(one.name)})`, one.summary.en]),
  );
  return page(
    '# Reference',
    'Every tool is also a command (`sekisho <toolset> <operation>`). [Commands](commands.md) that are no tools, and [error codes](errors.md), have pages of their own. [openapi.json](openapi.json) describes the daemon’s HTTP API for programs.',
    table(['toolset', 'tool', 'what it does'], rows),
  );
}
