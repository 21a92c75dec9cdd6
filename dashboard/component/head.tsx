import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  /** A small text under the title. */
  readonly about?: ReactNode;
  /** The buttons, one of them primary. */
  readonly children?: ReactNode;
}

/** The heading of a screen. */
export function Head({ title, about, children }: Props) {
  return (
    <header className="head">
      <div>
        <h1>{title}</h1>
        {about !== undefined && <p className="dim">{about}</p>}
      </div>
      {children !== undefined && <div className="actions">{children}</div>}
    </header>
  );
}
