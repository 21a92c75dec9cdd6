import { useState } from 'react';
import { Fold } from './fold.tsx';
import { LongText } from './long-text.tsx';
import { More } from './more.tsx';
import { Visible } from './visible.tsx';

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The number of items that are shown at a time. */
const atOnce = 200;

/** A JSON value that can be folded. Deep and wide values are closed at first, and long ones are shown in parts. */
export function JsonTree({ value, open = true }: { readonly value: unknown; readonly open?: boolean }) {
  const [shown, show] = useState(atOnce);
  if (!isBranch(value)) return <Leaf value={value} />;
  const entries = Object.entries(value);
  if (entries.length === 0) return <code>{Array.isArray(value) ? '[]' : '{}'}</code>;
  return (
    <>
      <ul className="json">
        {entries.slice(0, shown).map(([key, one]) => (
          <li key={key}>
            {isBranch(one) && Object.keys(one).length > 0 ? (
              <Fold title={<Branch name={key} value={one} />} open={open && Object.keys(one).length <= 20}>
                {() => <JsonTree value={one} open={false} />}
              </Fold>
            ) : (
              <>
                <span className="json-key">
                  <Visible text={key} />
                </span>{' '}
                <JsonTree value={one} />
              </>
            )}
          </li>
        ))}
      </ul>
      <More onMore={entries.length > shown ? () => show(shown * 2) : undefined} isLoading={false} />
    </>
  );
}

function Branch({ name, value }: { readonly name: string; readonly value: object }) {
  return (
    <>
      <Visible text={name} /> <span className="dim">{Array.isArray(value) ? `[${value.length}]` : '{…}'}</span>
    </>
  );
}

function Leaf({ value }: { readonly value: unknown }) {
  return (
    <code className={`json-leaf ${typeof value}`}>
      <LongText text={typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null')} />
    </code>
  );
}
