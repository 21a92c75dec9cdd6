import { StringDecoder } from 'node:string_decoder';
import { Excerpt } from './excerpt.ts';

/** A message that arrives in chunks. Above the limit only an excerpt is kept. */
export class ChunkedText {
  readonly #decoder = new StringDecoder('utf8');
  #text = '';
  #excerpt: Excerpt | undefined;
  bytes = 0;

  add(chunk: Buffer, limit: number): void {
    this.bytes += chunk.length;
    if (this.bytes > limit && this.#excerpt === undefined) {
      this.#excerpt = new Excerpt();
      this.#excerpt.add(Buffer.from(this.#text));
      this.#text = '';
    }
    if (this.#excerpt === undefined) this.#text += this.#decoder.write(chunk);
    else this.#excerpt.add(chunk);
  }

  /** The excerpt of a message above the limit; undefined for others. */
  get excerpt(): Excerpt | undefined {
    return this.#excerpt;
  }

  text(): string {
    this.#text += this.#decoder.end();
    return this.#text;
  }

  /** The parsed text; undefined if it is not JSON. */
  json(): unknown {
    try {
      return JSON.parse(this.text()) as unknown;
    } catch {
      return undefined; // The parser's message quotes the text, which can contain a secret.
    }
  }

  isBlank(): boolean {
    return this.text().trim() === '';
  }
}
