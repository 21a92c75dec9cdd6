import { createHash } from 'node:crypto';
import { isJsonObject } from '../../base/json-object.ts';
import { isTextTooDeep, isTooDeep, maxDepth } from '../../kernel/json-limits.ts';
import { type Document, LineCounter, isNode, parseDocument } from 'yaml';
import type { z } from 'zod';
import { type Body, type Head, bodySchema, headSchema } from './schema.ts';
import type { Definition, JsonObject } from './definition.ts';
import { type Finding, type FindingCode, type Path, type RawFinding, type Report, reportInto } from './finding.ts';
import { schemaFault } from './json-schema.ts';
import { compileDefinition } from './compile.ts';
import { lintDefinition } from '../lint/lint.ts';
import { type RepairedBody, repairBody } from './repair.ts';
import { valueAt } from '../../kernel/text/issue.ts';
import type { Sentence } from '../../kernel/text/text.ts';
import { fileText } from './file-text.ts';
import { describeIssue } from './wording.ts';
import { type ReadFault, mostBytes } from '../../machine/regular-file.ts';

export interface DefinitionFile {
  readonly file: string;
  /** SHA-256 of the file's bytes. Runs keep this digest, and a person trusts it. */
  readonly digest: string;
  /** The id that the file declares, if it can be read. */
  readonly id: string | undefined;
  /** Absent if a finding is an error. */
  readonly definition: Definition | undefined;
  readonly findings: readonly Finding[];
}

/** Errors that leave the definition usable: its state machine can still run. */
const toleratedErrors = new Set<FindingCode>(['UNREACHABLE_STATE', 'DEAD_END', 'NO_FINAL_STATE', 'LOCKED_STATE']);

const headKeys = Object.keys(headSchema.shape);

/** Fills in missing or malformed fields of the head, so that lint can check the rest. */
function repairHead(head: Record<string, unknown>, body: Record<string, unknown>): Head | undefined {
  const wrong = headSchema.safeParse(head).error?.issues.map((one) => String(one.path[0])) ?? [];
  const sound = Object.entries(head).filter(([key]) => headKeys.includes(key) && !wrong.includes(key));
  const { states } = body;
  const first: unknown = Array.isArray(states) && isJsonObject(states[0]) ? states[0]['name'] : undefined;
  const stand = { id: 'unnamed', version: '0', initial_state: first ?? 'unnamed' };
  return headSchema.safeParse({ ...stand, ...Object.fromEntries(sound) }).data;
}

function originalPath(path: Path, repaired: RepairedBody | undefined): Path {
  const [section, index, ...rest] = path;
  if (repaired === undefined || typeof section !== 'string' || typeof index !== 'number') return path;
  return [section, repaired.originally(section, index), ...rest];
}

function isWithin(path: Path, outer: Path): boolean {
  return outer.length > 0 && outer.every((key, index) => path[index] === key);
}

export function readDefinition(file: string, text: string): DefinitionFile {
  const digest = digestOf(text);
  const lines = new LineCounter();
  const options = { lineCounter: lines, uniqueKeys: true, strict: true };
  const document = isTextTooDeep(text) ? undefined : parseDocument(text, options);
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(1, line), column: Math.max(1, col) };
  };
  const yamlError = (message: Sentence, remedy: Sentence, offset = 0): Finding => ({
    code: 'YAML',
    severity: 'error',
    message,
    remedy,
    ...place(offset),
  });
  const refuse = (...findings: readonly Finding[]) => ({
    file,
    digest,
    id: undefined,
    definition: undefined,
    findings,
  });
  const tooDeep = yamlError(fileText.tooDeep({ most: maxDepth }), fileText.nestLess());
  if (document === undefined) return refuse(tooDeep);
  const broken = [...document.errors, ...document.warnings].map(({ code, message, pos }) =>
    code === 'MULTIPLE_DOCS'
      ? yamlError(fileText.severalDocuments(), fileText.oneProcess(), pos[0])
      : yamlError(fileText.asParsed({ message: message.split('\n', 1)[0] ?? '' }), fileText.correctYaml(), pos[0]),
  );
  let root: unknown;
  try {
    root = broken.length > 0 ? undefined : document.toJS({ maxAliasCount: 50 });
  } catch (error) {
    broken.push(yamlError(fileText.asParsed({ message: String(error) }), fileText.fewerAliases()));
  }
  if (isTooDeep(root)) broken.push(tooDeep);
  if (broken.length > 0) return refuse(...broken);

  if (!isJsonObject(root)) {
    const empty = root === null || root === undefined;
    return refuse(yamlError(empty ? fileText.empty() : fileText.noKeys(), fileText.beginWith()));
  }

  const { head, body, at } = splitHead(root);
  const findings: RawFinding[] = [];
  const report = reportInto(findings);
  const parsedHead = check(headSchema, head, at, report);
  const parsedBody = check(bodySchema, body, [], report);
  let definition: Definition | undefined;
  const wholeBody = parsedBody === undefined ? repairBody(bodySchema, body) : undefined;
  const usedHead = parsedHead ?? repairHead(head, body);
  const usedBody = parsedBody ?? (wholeBody?.value as Body | undefined);
  if (usedHead !== undefined && usedBody !== undefined) {
    definition = compileDefinition(usedHead, usedBody);
    const headPath = (path: Path): Path =>
      path.length === 1 && headKeys.includes(String(path[0])) ? [...at, ...path] : path;
    findings.push(
      ...[
        ...lintDefinition(usedHead, usedBody, definition).map((one) => ({ ...one, path: headPath(one.path) })),
        ...schemaFindings(definition, at),
      ]
        .map((one) => ({ ...one, path: originalPath(one.path, wholeBody) }))
        // Parts that were removed for their form are reported already; skip findings that only follow from the removal.
        .filter((one) => !findings.some((before) => isWithin(one.path, before.path))),
    );
  }
  const id = typeof head['id'] === 'string' ? head['id'] : undefined;
  const failed = findings.some((one) => one.severity === 'error' && !toleratedErrors.has(one.code));
  const placed = findings.map(({ path, ...rest }): Finding => ({ ...rest, ...place(offsetOf(document, path)) }));
  placed.sort((a, b) => a.line - b.line || a.column - b.column);
  return { file, digest, id, definition: failed ? undefined : definition, findings: placed };
}

/** Returns the digest that runs keep and that a person trusts. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function unreadableDefinition(file: string, fault: ReadFault): DefinitionFile {
  const message =
    fault === 'irregular'
      ? fileText.irregular()
      : fault === 'large'
        ? fileText.tooLarge({ most: mostBytes })
        : fileText.unreadable({ fault });
  const place = { file, line: 1, column: 1 };
  const finding: Finding = { code: 'YAML', severity: 'error', message, remedy: fileText.putFile(), ...place };
  return { file, digest: digestOf(''), id: undefined, definition: undefined, findings: [finding] };
}

/** Separates the head from the body. The head's keys are under `process:` or at the top level. */
function splitHead(root: Record<string, unknown>): {
  head: Record<string, unknown>;
  body: Record<string, unknown>;
  at: Path;
} {
  const { process: nested, ...beside } = root;
  if (isJsonObject(nested)) return { head: nested, body: beside, at: ['process'] };
  const head: Record<string, unknown> = {};
  const body: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(root)) (headKeys.includes(key) ? head : body)[key] = value;
  return { head, body, at: [] };
}

function check<T>(schema: z.ZodType<T>, value: unknown, at: Path, report: Report): T | undefined {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) {
    const path = [...at, ...(issue.path as (string | number)[])];
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys)
        report.error('UNKNOWN_FIELD', [...path, key], fileText.noField({ key }), fileText.checkSpelling());
    else if (valueAt(value, issue.path) === undefined) {
      const missing = fileText.missing({ path: path.join('.') });
      report.error('MISSING_FIELD', path, missing, fileText.add({ field: String(path.at(-1)) }));
    } else {
      const wrong = fileText.wrong({ wrong: describeIssue(issue, value) });
      report.error('BAD_FIELD', path, wrong, fileText.seeFields());
    }
  }
  return undefined;
}

function schemaFindings(definition: Definition, at: Path): readonly RawFinding[] {
  const found: RawFinding[] = [];
  const look = (schema: JsonObject | undefined, path: Path) => {
    const fault = schema === undefined ? undefined : schemaFault(schema);
    if (fault !== undefined)
      reportInto(found).error('BAD_SCHEMA', path, fileText.badSchema({ fault }), fileText.correctSchema());
  };
  look(definition.context_schema, [...at, 'context_schema']);
  definition.events.forEach((event, index) => look(event.payload_schema, ['events', index, 'payload_schema']));
  definition.artifacts.forEach((artifact, index) => look(artifact.schema, ['artifacts', index, 'schema']));
  return found;
}

/** Returns the offset of a path in the file, or of its nearest parent if the path is missing. */
function offsetOf(document: Document, path: Path): number {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range != null) return node.range[0];
  }
  return 0;
}
