import { createHash } from 'node:crypto';

// Loading a file takes about 0.2 ms. Chunks below this size share a file, because reading a neighbour too is faster.
const small = 16_384;

const reference = /require\("\.\/([\w-]+)\.js"\)/g;

/**
 * Turns chunks into files. Small chunks share a file, as functions that run when needed: one file for a server, and one for
 * the other commands and their texts, so that a client does not wait for those. Only the entry has a fixed name; the others
 * have the build's digest, so that a running process never loads a chunk of another build.
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
    // The entry comes last: files are published in this order, and it needs its chunks.
    ...chunks.filter(({ id }) => id === name).map(({ code }) => ({ name: `${name}.cjs`, code })),
  ];
  return files.map((file) => finish(file, references));

  function fileOf(id) {
    return `${name}.${build}.${id}.cjs`;
  }
}

/** The chunks whose names begin with the prefix, and all chunks that they load, at once or lazily. */
function reached(chunks, prefix) {
  const found = new Set(chunks.map(({ id }) => id).filter((id) => id.startsWith(prefix)));
  const codes = new Map(chunks.map(({ id, code }) => [id, code]));
  // Iterating a set includes members that are added during the iteration.
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
    // esbuild does not escape regular expressions. One character beyond ASCII would make V8 store the whole file, up to a
    // megabyte, with two bytes per character.
    .replaceAll(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
  // The loader identifies a version of a file by its first line.
  return { name, text: `//${digest(text)}\n"use strict";\n${text}` };
}

function digest(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
