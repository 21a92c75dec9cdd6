import { type ReactNode, useId } from 'react';

interface Props {
  readonly title: string;
  readonly children: ReactNode;
  /** Content beside the title. */
  readonly side?: ReactNode;
  readonly className?: string;
}

/** A titled section of a screen. */
export function Panel({ title, children, side, className = '' }: Props) {
  const id = useId();
  return (
    <section className={`panel ${className}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {side}
      </header>
      {children}
    </section>
  );
}
