import { useFilter } from '../app/address.ts';

interface Props {
  readonly label: string;
  /** Of the filter in the address; the first option stands there by nothing. */
  readonly name: string;
  readonly options: readonly { readonly id: string; readonly title: string }[];
}

/** One of a few, in the address. */
export function Choice({ label, name, options }: Props) {
  const [value, set] = useFilter(name);
  return (
    <div className="choice" role="group" aria-label={label}>
      {options.map(({ id, title }, index) => (
        <button
          key={id}
          type="button"
          aria-pressed={value === '' ? index === 0 : value === id}
          onClick={() => set(index === 0 ? '' : id)}
        >
          {title}
        </button>
      ))}
    </div>
  );
}
