import { type JsonObject, textOf } from '../../base/json-object.ts';
import type { Fact, StreamReader } from '../agent-cli.ts';
import { jsonLine, list, number, object, usageOf } from './line.ts';

/** Tools of Claude Code and Qwen Code that write a file, with the input field that names it. */
const writers: Readonly<Record<string, string>> = {
  Write: 'file_path',
  Edit: 'file_path',
  MultiEdit: 'file_path',
  NotebookEdit: 'notebook_path',
  write_file: 'file_path',
  edit: 'file_path',
};

/** Reads Claude's `stream-json`. A file counts when its call has succeeded; `subtype` can be "success" in an error. */
export function streamJsonReader(): StreamReader {
  const open = new Map<string, { readonly path: string }>();

  function assistant(line: JsonObject): Fact[] {
    const message = object(line['message']);
    const facts: Fact[] = [];
    for (const part of list(message['content'])) {
      const said = part['type'] === 'text' ? textOf(part['text']) : undefined;
      if (said !== undefined) facts.push({ kind: 'text', text: said });
      if (part['type'] !== 'tool_use') continue;
      const name = textOf(part['name']) ?? 'unknown';
      facts.push({ kind: 'tool', name });
      const input = object(part['input']);
      const field = writers[name];
      const path = field === undefined ? undefined : (textOf(input[field]) ?? textOf(input['file_path']));
      if (path !== undefined && typeof part['id'] === 'string') open.set(part['id'], { path });
    }
    return facts;
  }

  function user(line: JsonObject): Fact[] {
    const facts: Fact[] = [];
    for (const part of list(object(line['message'])['content'])) {
      if (part['type'] !== 'tool_result' || typeof part['tool_use_id'] !== 'string') continue;
      const asked = open.get(part['tool_use_id']);
      open.delete(part['tool_use_id']);
      if (asked === undefined || part['is_error'] === true) continue;
      const result = object(line['tool_use_result']);
      const path = textOf(result['filePath']) ?? asked.path;
      facts.push({ kind: 'file', path, change: result['type'] === 'create' ? 'created' : 'edited' });
    }
    return facts;
  }

  return {
    read(raw) {
      const line = jsonLine(raw);
      if (line === undefined) return [];
      if (line['type'] === 'system' && line['subtype'] === 'init') return started(line);
      if (line['type'] === 'assistant') return assistant(line);
      if (line['type'] === 'user') return user(line);
      if (line['type'] === 'result') return ended(line);
      return [];
    },
  };
}

function started(line: JsonObject): Fact[] {
  const facts: Fact[] = [];
  const id = textOf(line['session_id']);
  const model = textOf(line['model']);
  if (id !== undefined) facts.push({ kind: 'session', id });
  if (model !== undefined) facts.push({ kind: 'model', model });
  return facts;
}

function ended(line: JsonObject): Fact[] {
  const facts: Fact[] = [];
  const answer = textOf(line['result']);
  const usage = object(line['usage']);
  const tokens = usageOf({
    inputTokens: number(usage['input_tokens']),
    outputTokens: number(usage['output_tokens']),
    cachedTokens: number(usage['cache_read_input_tokens']),
    costUsd: number(line['total_cost_usd']),
  });
  for (const one of list(line['permission_denials']))
    facts.push({ kind: 'denied', tool: textOf(one['tool_name']) ?? 'unknown' });
  if (Object.keys(tokens).length > 0) facts.push({ kind: 'usage', usage: tokens });
  if (line['is_error'] === true)
    facts.push({
      kind: 'error',
      message:
        textOf(object(line['error'])['message']) ?? answer ?? textOf(line['subtype']) ?? 'the agent reported an error',
    });
  else if (answer !== undefined) facts.push({ kind: 'answer', text: answer });
  return facts;
}
