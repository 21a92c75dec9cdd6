import { StringDecoder } from 'node:string_decoder';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Excerpt } from './excerpt.ts';

/** Instead of a value, where there are only spaces. */
const blank = Symbol('blank');

/** A text that arrives in chunks. They are decoded at once: Node keeps 64 KiB for each, however little is in it. */
export class Pieces {
  #texts: string[] = [];
  /** Made where a text comes in more than one piece: most come whole. */
  #decoder: StringDecoder | undefined;
  #excerpt: Excerpt | undefined;
  bytes = 0;
  /** Nothing but spaces was found where JSON was looked for. */
  isBlank = false;

  /** `last`: nothing follows that could complete half a character. Of the chunk, what lies in between. */
  add(chunk: Buffer, limit: number, last = false, from = 0, to = chunk.length): void {
    this.bytes += to - from;
    if (this.bytes > limit && this.#excerpt === undefined) {
      this.#excerpt = new Excerpt();
      for (const one of this.#texts) this.#excerpt.add(Buffer.from(one));
      this.#texts = [];
    }
    if (this.#excerpt !== undefined) this.#excerpt.add(chunk.subarray(from, to));
    else if (last && this.#decoder === undefined) this.#texts.push(chunk.toString('utf8', from, to));
    else this.#texts.push((this.#decoder ??= new StringDecoder('utf8')).write(chunk.subarray(from, to)));
  }

  /** What is left of it where it is over the limit. */
  get excerpt(): Excerpt | undefined {
    return this.#excerpt;
  }

  /** The JSON in it, once; undefined where it is none. The text is gone by then: beside its value it would double it. */
  json(): unknown {
    const value = parsed(this.text());
    reclaim(this.bytes);
    this.isBlank = value === blank;
    return this.isBlank ? undefined : value;
  }

  /** The whole text, once. */
  text(): string {
    const text = this.#texts.length === 1 ? this.#texts[0]! : this.#texts.join('') + (this.#decoder?.end() ?? '');
    this.#texts = [];
    reclaim(this.bytes);
    return text;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // What the parser says quotes the text, and that may hold a secret.
    return text.trim() === '' ? blank : undefined;
  }
}

const largeBytes = 8 * 1024 * 1024;

export function isLarge(bytes: number): boolean {
  return bytes >= largeBytes;
}

let collect: (() => void) | undefined;

/**
 * After each step that a large message takes (pieces, text, value and back), what the step before needed is garbage that
 * V8 keeps until its heap has grown: a proxied message of 60 MiB took 7 to 10 times its size without this.
 */
export function reclaim(bytes: number): void {
  if (!isLarge(bytes)) return;
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}
