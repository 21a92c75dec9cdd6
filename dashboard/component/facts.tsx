import type { ReactNode } from 'react';

export interface Fact {
  readonly title: string;
  readonly value: ReactNode;
}

/** A list of names and values. Unknown values are left out. */
export function Facts({ facts }: { readonly facts: readonly (Fact | undefined)[] }) {
  return (
    <dl className="facts">
      {facts.flatMap((fact) =>
        fact === undefined
          ? []
          : [
              <div key={fact.title}>
                <dt>{fact.title}</dt>
                <dd>{fact.value}</dd>
              </div>,
            ],
      )}
    </dl>
  );
}
