import type { ReactNode } from 'react';

export interface Fact {
  readonly title: string;
  readonly value: ReactNode;
}

/** Names and what is known under them; what is not known is left out. */
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
