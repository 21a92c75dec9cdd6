import { Visible } from './visible.tsx';

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** JSON that can be folded. Deep and wide ones are closed at first. */
export function JsonTree({ value, open = true }: { readonly value: unknown; readonly open?: boolean }) {
  if (!isBranch(value)) return <Leaf value={value} />;
  const entries = Object.entries(value);
  if (entries.length === 0) return <code>{Array.isArray(value) ? '[]' : '{}'}</code>;
  return (
    <ul className="json">
      {entries.map(([key, one]) => (
        <li key={key}>
          {isBranch(one) && Object.keys(one).length > 0 ? (
            <details open={open && Object.keys(one).length <= 20}>
              <summary>
                <Visible text={key} /> <span className="dim">{Array.isArray(one) ? `[${one.length}]` : '{…}'}</span>
              </summary>
              <JsonTree value={one} open={false} />
            </details>
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
  );
}

function Leaf({ value }: { readonly value: unknown }) {
  return (
    <code className={`json-leaf ${typeof value}`}>
      <Visible text={typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null')} />
    </code>
  );
}
