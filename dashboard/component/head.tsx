import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  /** What stands under it, small. */
  readonly about?: ReactNode;
  /** What can be done: one of it primary. */
  readonly children?: ReactNode;
}

/** The head of a screen. */
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
