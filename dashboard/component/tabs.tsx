import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';

export interface Tab {
  readonly id: string;
  readonly title: string;
  readonly view: () => ReactNode;
}

/** Tabs. Arrow keys switch between them. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  const base = useId();
  const [chosen, setChosen] = useState('');
  const at = Math.max(
    0,
    tabs.findIndex((one) => one.id === chosen),
  );
  const current = tabs[at];
  const onKey = (event: KeyboardEvent<HTMLDivElement>): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = step === undefined ? undefined : tabs[(at + step + tabs.length) % tabs.length];
    if (next === undefined) return;
    setChosen(next.id);
    document.getElementById(`${base}-${next.id}`)?.focus();
  };
  if (current === undefined) return null;
  return (
    <div className="tabs">
      <div role="tablist" aria-label={label} onKeyDown={onKey}>
        {tabs.map(({ id, title }) => (
          <button
            key={id}
            id={`${base}-${id}`}
            type="button"
            role="tab"
            aria-selected={id === current.id}
            aria-controls={`${base}-panel`}
            tabIndex={id === current.id ? 0 : -1}
            onClick={() => setChosen(id)}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${current.id}`}>
        {current.view()}
      </div>
    </div>
  );
}
