import type { ReactNode } from 'react';
import { Copyable } from './copyable.tsx';

interface Props {
  readonly title: string;
  /** Why the list is empty, and how it gets entries. */
  readonly why: string;
  readonly command?: string;
  readonly children?: ReactNode;
}

export function Empty({ title, why, command, children }: Props) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      <p>{why}</p>
      {command !== undefined && <Copyable text={command} />}
      {children}
    </div>
  );
}
