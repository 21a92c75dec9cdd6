import type { ListedTool, Listing } from '../../kernel/application.ts';
import type { Operation } from '../../kernel/operation.ts';
import type { JsonObject } from '../../base/json-object.ts';
import { dotsToUnderscores } from '../../kernel/tool-name.ts';
import type { Toolset } from '../../kernel/toolset.ts';

export function ownTools(tools: readonly ListedTool[], visible: readonly Toolset[]): readonly JsonObject[] {
  const shown = tools.filter((one) => one.toolsets.some((toolset) => visible.includes(toolset)));
  return shown.map(({ tool }) => tool);
}

/** A tool as this client can take it. */
export function toolForClient({ dots, outputSchemas }: Listing, tool: JsonObject): JsonObject {
  const { outputSchema, ...rest } = tool;
  return {
    ...rest,
    ...(outputSchemas && outputSchema !== undefined && { outputSchema }),
    ...(!dots && { name: dotsToUnderscores(String(tool['name'])) }),
  };
}

/** By its wire name, or the same with `_` for `.`, as clients that fold dots send it back. */
export function findTool(operations: readonly Operation[], name: string): Operation | undefined {
  return operations.find((one) => one.name === name || dotsToUnderscores(one.name) === name);
}
