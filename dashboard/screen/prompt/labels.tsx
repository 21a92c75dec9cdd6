import { Badge } from '../../component/badge.tsx';
import { Visible } from '../../component/visible.tsx';

interface Props {
  readonly labels: Readonly<Record<string, number>>;
  /** Only those that point at this version, without its number. */
  readonly version?: number;
}

/** Which version each label points at. `latest` moves by itself and is plain. */
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
