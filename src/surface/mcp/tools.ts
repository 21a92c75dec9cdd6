import type { ListedTool, Listing } from '../../kernel/application.ts';
import type { Operation } from '../../kernel/operation.ts';
import type { JsonObject } from '../../base/json-object.ts';
import { dotsToUnderscores } from '../../kernel/tool-name.ts';
import type { Toolset } from '../../kernel/toolset.ts';

export function ownTools(tools: readonly ListedTool[], visible: readonly Toolset[]): readonly JsonObject[] {
  const shown = tools.filter((one) => one.toolsets.some((toolset) => visible.includes(toolset)));
  return shown.map(({ tool }) => tool);
}

/** Adapts a tool to a client that cannot handle dots in names or output schemas. */
export function toolForClient({ dots, outputSchemas }: Listing, tool: JsonObject): JsonObject {
  const { outputSchema, ...rest } = tool;
  return {
    ...rest,
    ...(outputSchemas && outputSchema !== undefined && { outputSchema }),
    ...(!dots && { name: dotsToUnderscores(String(tool['name'])) }),
  };
}

/** Finds an operation by its tool name, or by that name with `_` for `.`, as some clients send it. */
export function findTool(operations: readonly Operation[], name: string): Operation | undefined {
  return operations.find((one) => one.name === name || dotsToUnderscores(one.name) === name);
}
