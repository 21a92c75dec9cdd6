import { Fragment } from 'react';

/** Characters that are invisible or change how others look. They are made visible, so that no text can look like another. */
const hidden =
  // oxlint-disable-next-line eslint/no-control-regex -- it matches control characters
  /([\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb])/;

/** A foreign text with its hidden characters made visible. Nothing in it is interpreted. */
export function Visible({ text }: { readonly text: string }) {
  const parts = text.split(hidden);
  if (parts.length === 1) return text;
  return parts.map((part, index) =>
    index % 2 === 1 ? (
      <span key={index} className="hidden-character">
        U+{(part.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}
      </span>
    ) : (
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}
