/** `#12`; nothing for a task of an older version that has no number yet. */
export function TaskNumber({ number }: { readonly number: number | null }) {
  return number === null ? null : <span className="dim">{`#${number} `}</span>;
}
