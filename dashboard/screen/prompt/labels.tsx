import { Badge } from '../../component/badge.tsx';
import { Visible } from '../../component/visible.tsx';

interface Props {
  readonly labels: Readonly<Record<string, number>>;
  /** Shows only the labels of this version, without its number. */
  readonly version?: number;
}

/** The labels and their versions. `latest` moves by itself and has a plain badge. */
export function Labels({ labels, version }: Props) {
  return (
    <span className="meta">
      {Object.entries(labels)
        .filter(([, at]) => version === undefined || at === version)
        .map(([label, at]) => (
          <Badge key={label} tone={label === 'production' ? 'held' : 'plain'}>
            <Visible text={label} />
            {version === undefined && ` → ${at}`}
          </Badge>
        ))}
    </span>
  );
}
