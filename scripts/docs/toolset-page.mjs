import { block, code, page, table } from './markdown.mjs';
import { schemaRows } from './schema-rows.mjs';

/** Everything one toolset offers; undefined where it offers nothing. */
export function toolsetPage(product, toolset) {
  const mine = (list) => list.filter((one) => one.toolsets.includes(toolset));
  const [operations, resources, prompts] = [product.operations, product.resources, product.prompts].map(mine);
  if (operations.length + resources.length + prompts.length === 0) return undefined;
  return page(
    `# Toolset ${code(toolset)}`,
    toolset === 'admin' ? 'Only a person’s connection has these tools.' : '',
    operations.length === 0 ? '' : toolList(operations),
    operations.flatMap((operation) => toolParts(product, toolset, operation)),
    resources.length === 0 ? '' : resourceParts(resources),
    prompts.length === 0 ? '' : promptParts(prompts),
  );
}

function toolList(operations) {
  return table(
    ['tool', 'effect', 'what it does'],
    operations.map((one) => [`[${code(one.name)}](#${anchor(one.name)})`, one.effect, one.summary.en]),
  );
}

function toolParts(product, toolset, operation) {
  const { inputSchema, outputSchema } = product.describeTool(operation);
  const alias = operation.name.replaceAll('.', '_');
  const facts = [
    operation.effect === 'read'
      ? 'Reads only.'
      : operation.idempotent
        ? 'Writes; the same call again changes nothing more.'
        : 'Writes.',
    alias === operation.name ? '' : `Also called ${code(alias)}.`,
    operation.toolsets.length > 1 ? `In the toolsets ${operation.toolsets.map(code).join(', ')}.` : '',
  ];
  return [
    `## ${operation.name}`,
    operation.summary.en,
    facts.filter(Boolean).join(' '),
    '**Input**',
    inputTable(schemaRows(inputSchema)),
    '**Output**',
    outputTable(schemaRows(outputSchema)),
    '**Command line**',
    block(commandLines(product, toolset, operation, inputSchema)),
  ];
}

function inputTable(rows) {
  if (rows.length === 0) return 'Nothing.';
  const need = (row) =>
    row.required ? 'required' : row.default === undefined ? '' : `default ${code(JSON.stringify(row.default))}`;
  return table(
    ['field', 'type', '', 'meaning'],
    rows.map((row) => [code(row.field), row.type, need(row), row.description]),
  );
}

function outputTable(rows) {
  if (rows.length === 0) return 'An object without fixed fields.';
  const described = rows.some((row) => row.description !== '');
  return table(
    ['field', 'type', ...(described ? ['meaning'] : [])],
    rows.map((row) => [
      `${code(row.field)}${row.required ? '' : ' (optional)'}`,
      row.type,
      ...(described ? [row.description] : []),
    ]),
  );
}

function commandLines(product, toolset, operation, schema) {
  const command = `sekisho ${toolset} ${product.commandName(operation)}`;
  const flags = Object.entries(schema.properties ?? {}).map(([field, property]) => {
    const flag = `--${product.flagName(field)}${property.type === 'boolean' ? '' : ` ${placeholder(property)}`}`;
    return schema.required?.includes(field) ? flag : `[${flag}]`;
  });
  const usage = [command, ...flags].join(' ');
  return operation.example === undefined ? usage : `${usage}\n\n# for example\n${command} ${operation.example}`;
}

function placeholder(property) {
  const kind = property.type ?? property.anyOf?.find((one) => one.type !== 'null')?.type;
  if (property.enum !== undefined) return property.enum.join('|');
  return { object: 'JSON', array: 'VALUE …', integer: 'N', number: 'N' }[kind] ?? 'TEXT';
}

function resourceParts(resources) {
  return [
    '## Resources',
    table(
      ['address', 'type', 'what it is'],
      resources.map((one) => [code(one.uriTemplate), one.mimeType, one.summary.en]),
    ),
  ].join('\n\n');
}

function promptParts(prompts) {
  const args = (prompt) =>
    prompt.arguments.map((one) => `${code(one.name)}${one.required ? '' : ' (optional)'}: ${one.description.en}`);
  return [
    '## Prompts',
    table(
      ['prompt', 'arguments', 'what it is'],
      prompts.map((one) => [code(one.name), args(one).join('\n'), one.summary.en]),
    ),
  ].join('\n\n');
}

/** As GitHub makes it of a heading. */
export function anchor(name) {
  return name.toLowerCase().replaceAll(/[^\w-]/g, '');
}
