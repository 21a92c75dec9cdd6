import { useFilter } from '../app/address.ts';

interface Props {
  readonly label: string;
  /** The name of the filter in the URL. The first option is not written there. */
  readonly name: string;
  readonly options: readonly { readonly id: string; readonly title: string }[];
}

/** A choice of one option, kept in the URL. */
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
