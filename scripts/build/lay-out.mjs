import { createHash } from 'node:crypto';

// Loading a file costs about 0.2 ms; below this size that is more than reading a neighbour along with it.
const small = 16_384;

const reference = /require\("\.\/([\w-]+)\.js"\)/g;

/**
 * Turns chunks into files. Small chunks share a file, as functions that have not run: one for what a server may need, one
 * for the other commands and their texts, which a client would wait for in vain. Only the entry has a lasting name: the
 * others carry the build's digest, so that a running process never loads a chunk of another build.
 */
export function layOut(name, chunks) {
  const build = digest(chunks.map(({ code }) => code).join('')).slice(0, 8);
  const lazy = chunks.filter(({ id }) => id !== name);
  const packed = lazy.filter(({ code }) => code.length < small);
  const served = reached(lazy, 'mcp-');
  const packs = [
    { name: `${name}.${build}.cjs`, chunks: packed.filter(({ id }) => served.has(id)) },
    { name: `${name}.${build}.commands.cjs`, chunks: packed.filter(({ id }) => !served.has(id)) },
  ].filter((pack) => pack.chunks.length > 0);
  const references = new Map([
    ...lazy.map(({ id }) => [id, `require("./${fileOf(id)}")`]),
    ...packs.flatMap((pack) => pack.chunks.map(({ id }) => [id, `require("./${pack.name}")("${id}")`])),
  ]);
  const files = [
    ...packs.map((pack) => ({ name: pack.name, code: packOf(pack.chunks) })),
    ...lazy.filter((chunk) => !packed.includes(chunk)).map(({ id, code }) => ({ name: fileOf(id), code })),
    // Last: files are published in this order, and an entry must not appear before its chunks.
    ...chunks.filter(({ id }) => id === name).map(({ code }) => ({ name: `${name}.cjs`, code })),
  ];
  return files.map((file) => finish(file, references));

  function fileOf(id) {
    return `${name}.${build}.${id}.cjs`;
  }
}

/** The chunks whose names begin so, and whatever they load, at once or later. */
function reached(chunks, prefix) {
  const found = new Set(chunks.map(({ id }) => id).filter((id) => id.startsWith(prefix)));
  const codes = new Map(chunks.map(({ id, code }) => [id, code]));
  // A set that grows while it is walked is walked to its end.
  for (const id of found) for (const [, next] of (codes.get(id) ?? '').matchAll(reference)) found.add(next);
  return found;
}

function packOf(chunks) {
  const parts = chunks.map(({ id, code }) => `"${id}"(exports,require,module){\n${code}}`);
  return `const parts={${parts.join(',\n')}},loaded={};
module.exports=(id)=>{
if(loaded[id])return loaded[id].exports;
const part=loaded[id]={exports:{}};
parts[id](part.exports,require,part);
return part.exports
};\n`;
}

function finish({ name, code }, references) {
  const text = code
    .replaceAll(reference, (whole, id) => references.get(id) ?? whole)
    // esbuild leaves regular expressions as they are. One letter beyond ASCII would make V8 keep the whole file, up to a
    // megabyte, in two bytes a letter.
    .replaceAll(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
  // The loader knows a version of a file by its first line.
  return { name, text: `//${digest(text)}\n"use strict";\n${text}` };
}

function digest(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
