import { readFile } from 'node:fs/promises';

/**
 * The SDK builds some 190 zod schemas when it is loaded, for two public tables that nothing here uses. Building those
 * tables, and each schema, becomes a pure expression (the meaning stays), so that esbuild drops what nothing refers to:
 * a quarter of the time until `initialize` is answered.
 */
export const pruneSchemas = {
  name: 'prune-schemas',
  setup(build) {
    const rewrite = (filter, change) =>
      build.onLoad({ filter }, async ({ path }) => ({
        contents: change(await readFile(path, 'utf8'), path),
        loader: 'js',
      }));
    rewrite(/@modelcontextprotocol\/core\/dist\/(auth|schemas)-[\w-]+\.mjs$/, pureSchemas);
    rewrite(/@modelcontextprotocol\/(client|server)\/dist\/src-[\w-]+\.mjs$/, pureTables);
  },
};

// In the published files a declaration starts in the first column, its inner lines are indented, and it ends with a line
// that starts with a bracket in the first column.
const declaration = /^(const \w+ = )((?:z|\w+Schema)\..*?(?:(?<!;)\n(?:\t.*\n|\n|[)\]}].*(?<!;)\n)*[)\]}].*?)?);$/gm;

function pureSchemas(text, path) {
  return demand(text, text.replaceAll(declaration, '$1/* @__PURE__ */ (() => $2)();'), path);
}

const registration = /^for \(const .*\) register\(key, .*\);\n/gm;
const table = /^const (specTypeSchemas|isSpecType) = Object\.freeze\((\w+)\);$/gm;

function pureTables(text, path) {
  const loops = text.match(registration)?.join('');
  const bare = demand(text, text.replaceAll(registration, ''), path);
  return demand(
    bare,
    bare.replaceAll(table, `const $1 = /* @__PURE__ */ (() => {\n${loops}return Object.freeze($2);\n})();`),
    path,
  );
}

function demand(before, after, path) {
  if (before === after)
    throw new Error(`${path} is not written as expected any more: see scripts/build/prune-schemas.mjs`);
  return after;
}
