import { isUtf8 } from 'node:buffer';

const maxText = 1 << 20;

/** Image types by their first bytes, since a name proves nothing. SVG counts as text, because it can carry scripts. */
const images: readonly { readonly type: string; readonly begins: RegExp }[] = [
  { type: 'image/png', begins: /^\x89PNG\r\n/ },
  { type: 'image/jpeg', begins: /^\xff\xd8\xff/ },
  { type: 'image/webp', begins: /^RIFF[\s\S]{4}WEBP/ },
];

export interface Content {
  readonly is_kept: boolean;
  readonly media_type: string | null;
  readonly text: string | null;
  readonly base64: string | null;
}

/** Returns the content to show: text or a known image. Other content is not shown. */
export function contentOf(bytes: Buffer | undefined): Content {
  const nothing = { is_kept: bytes !== undefined, media_type: null, text: null, base64: null };
  if (bytes === undefined) return nothing;
  const head = bytes.subarray(0, 16).toString('latin1');
  const image = images.find((one) => one.begins.test(head));
  if (image !== undefined) return { ...nothing, media_type: image.type, base64: bytes.toString('base64') };
  if (bytes.includes(0) || !isUtf8(bytes)) return nothing;
  return { ...nothing, media_type: 'text/plain', text: bytes.length > maxText ? null : bytes.toString('utf8') };
}
