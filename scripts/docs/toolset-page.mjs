import { block, code, page, table } from './markdown.mjs';
import { schemaRows } from './schema-rows.mjs';
import { words } from './words.mjs';

/** The page of one toolset; undefined if it offers nothing. */
export function toolsetPage(product, toolset, lang) {
  const say = words[lang];
  const mine = (list) => list.filter((one) => one.toolsets.includes(toolset));
  const [operations, resources, prompts] = [product.operations, product.resources, product.prompts].map(mine);
  if (operations.length + resources.length + prompts.length === 0) return undefined;
  return page(
    `# ${say.toolsetIs(code(toolset))}`,
    toolset === 'admin' ? say.adminOnly : '',
    operations.length === 0 ? '' : toolList(operations, lang),
    operations.flatMap((operation) => toolParts(product, toolset, operation, lang)),
    resources.length === 0 ? '' : resourceParts(resources, lang),
    prompts.length === 0 ? '' : promptParts(prompts, lang),
  );
}

function toolList(operations, lang) {
  const say = words[lang];
  return table(
    [say.tool, say.effect, say.does],
    operations.map((one) => [`[${code(one.name)}](#${anchor(one.name)})`, say.effects[one.effect], one.summary[lang]]),
  );
}

function toolParts(product, toolset, operation, lang) {
  const say = words[lang];
  const { inputSchema, outputSchema } = product.describeTool(operation, lang);
  const alias = operation.name.replaceAll('.', '_');
  const facts = [
    operation.effect === 'read' ? say.reads : operation.idempotent ? say.writesOnce : say.writes,
    alias === operation.name ? '' : say.alsoCalled(code(alias)),
    operation.toolsets.length > 1 ? say.inToolsets(operation.toolsets.map(code).join(', ')) : '',
  ];
  return [
    `## ${operation.name}`,
    operation.summary[lang],
    facts.filter(Boolean).join(lang === 'ja' ? '' : ' '),
    `**${say.input}**`,
    inputTable(schemaRows(inputSchema, say), say),
    `**${say.output}**`,
    outputTable(schemaRows(outputSchema, say), say),
    `**${say.commandLine}**`,
    block(commandLines(product, toolset, operation, inputSchema, say)),
  ];
}

function inputTable(rows, say) {
  if (rows.length === 0) return say.nothing;
  const need = (row) =>
    row.required ? say.required : row.default === undefined ? '' : say.default(code(JSON.stringify(row.default)));
  return table(
    [say.field, say.type, '', say.meaning],
    rows.map((row) => [code(row.field), row.type, need(row), row.description]),
  );
}

function outputTable(rows, say) {
  if (rows.length === 0) return say.noFixedFields;
  const described = rows.some((row) => row.description !== '');
  return table(
    [say.field, say.type, ...(described ? [say.meaning] : [])],
    rows.map((row) => [
      `${code(row.field)}${row.required ? '' : say.optional}`,
      row.type,
      ...(described ? [row.description] : []),
    ]),
  );
}

function commandLines(product, toolset, operation, schema, say) {
  const command = `sekisho ${toolset} ${product.commandName(operation)}`;
  const flags = Object.entries(schema.properties ?? {}).map(([field, property]) => {
    const flag = `--${product.flagName(field)}${property.type === 'boolean' ? '' : ` ${placeholder(property)}`}`;
    return schema.required?.includes(field) ? flag : `[${flag}]`;
  });
  const usage = [command, ...flags].join(' ');
  return operation.example === undefined ? usage : `${usage}\n\n# ${say.forExample}\n${command} ${operation.example}`;
}

function placeholder(property) {
  const kind = property.type ?? property.anyOf?.find((one) => one.type !== 'null')?.type;
  if (property.enum !== undefined) return property.enum.join('|');
  return { object: 'JSON', array: 'VALUE …', integer: 'N', number: 'N' }[kind] ?? 'TEXT';
}

function resourceParts(resources, lang) {
  const say = words[lang];
  return [
    `## ${say.resources}`,
    table(
      [say.address, say.type, say.is],
      resources.map((one) => [code(one.uriTemplate), one.mimeType, one.summary[lang]]),
    ),
  ].join('\n\n');
}

function promptParts(prompts, lang) {
  const say = words[lang];
  const args = (prompt) =>
    prompt.arguments.map((one) => `${code(one.name)}${one.required ? '' : say.optional}: ${one.description[lang]}`);
  return [
    `## ${say.prompts}`,
    table(
      [say.prompt, say.arguments, say.is],
      prompts.map((one) => [code(one.name), args(one).join('\n'), one.summary[lang]]),
    ),
  ].join('\n\n');
}

/** The anchor that GitHub makes from a heading. */
export function anchor(name) {
  return name.toLowerCase().replaceAll(/[^\w-]/g, '');
}
