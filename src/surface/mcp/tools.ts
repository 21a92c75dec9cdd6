import * as z from 'zod';
import type { Operation } from '../../kernel/operation.ts';
import type { Plain } from '../../kernel/plain.ts';
import { fold } from '../../kernel/tool-name.ts';

/** Schemas are written once per process: turning zod into JSON Schema is the dear part of a listing. */
const written = new WeakMap<Operation, Readonly<Record<string, unknown>>>();

export function listTools(
  operations: readonly Operation[],
  underscore: boolean,
): readonly Readonly<Record<string, unknown>>[] {
  return operations.map((operation) => ({
    ...describeTool(operation),
    name: underscore ? fold(operation.name) : operation.name,
  }));
}

export function describeTool(operation: Operation): Readonly<Record<string, unknown>> {
  const known = written.get(operation);
  if (known !== undefined) return known;
  const tool = {
    name: operation.name,
    description: operation.summary,
    inputSchema: z.toJSONSchema(operation.input, { io: 'input' }),
    outputSchema: z.toJSONSchema(operation.output, { io: 'output' }),
    annotations: {
      readOnlyHint: operation.effect === 'read',
      destructiveHint: false,
      idempotentHint: operation.effect === 'read' || operation.idempotent === true,
      openWorldHint: false,
    },
  };
  written.set(operation, tool);
  return tool;
}

/** By its wire name, or the same with `_` for `.`, as clients that fold dots send it back. */
export function findTool(operations: readonly Operation[], name: string): Operation | undefined {
  const index = byName.get(operations) ?? indexOf(operations);
  return index.get(name);
}

const byName = new WeakMap<readonly Operation[], ReadonlyMap<string, Operation>>();

function indexOf(operations: readonly Operation[]): ReadonlyMap<string, Operation> {
  const index = new Map(operations.flatMap((one) => [fold(one.name), one.name].map((name) => [name, one] as const)));
  byName.set(operations, index);
  return index;
}

/** A tool that is not ours, for a client that rejects dots. */
export function foldTool(tool: Plain): Plain {
  return { ...tool, name: fold(String(tool['name'])) };
}
