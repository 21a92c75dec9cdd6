import type { ReactNode } from 'react';

interface Props {
  /** The id of the arrowhead. */
  readonly tip: string;
  readonly label: string;
  readonly width: number;
  readonly height: number;
  readonly children: ReactNode;
}

/** A drawing that scrolls in its own area. If a table follows, the label says so. */
export function GraphFrame({ tip, label, width, height, children }: Props) {
  return (
    <div className="process-graph-scroll" tabIndex={0} role="group" aria-label={label}>
      <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={label}>
        <defs>
          <marker
            id={tip}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="8"
            markerHeight="8"
            markerUnits="userSpaceOnUse"
            orient="auto"
          >
            <path className="tip" d="M0,0.5 L7.5,4 L0,7.5 z" />
          </marker>
        </defs>
        {children}
      </svg>
    </div>
  );
}
