import { useId, useMemo } from 'react';
import { type Process, layOut } from '../../../src/graph/layout.ts';
import { type Progress, timeIn } from '../../../src/graph/progress.ts';
import { type Line, type RunPosition, sceneOf } from '../../../src/graph/scene.ts';
import { usePreferences } from '../../app/preferences.ts';
import { defineTexts, useTexts } from '../../text/text.ts';
import { GraphFrame } from '../graph-frame.tsx';
import { useNow } from '../now.ts';
import { ProcessTable } from './process-table.tsx';

const texts = defineTexts({
  label: {
    en: 'The process as a graph. The table below has the same content.',
    ja: 'プロセスの図です。下の表に同じ内容があります。',
  },
});

interface Props {
  readonly process: Process;
  /** The progress of a run; absent for the process alone. */
  readonly progress?: Progress;
  readonly status?: RunPosition['status'];
}

/** The graph of a process, as in `sekisho gate graph --svg`, with a table beside it. */
export default function ProcessGraph({ process, progress, status = 'open' }: Props) {
  const t = useTexts(texts);
  const { lang } = usePreferences();
  const tip = useId();
  const now = useNow();
  const layout = useMemo(() => layOut(process), [process]);
  const stand = progress === undefined ? undefined : { progress, status, now };
  const { width, height, start, arrows, words, boxes } = sceneOf(layout, lang, stand);
  const spent = progress === undefined ? undefined : timeIn(progress, now, status !== 'open');
  return (
    <div className="process-graph">
      <GraphFrame tip={tip} label={t.label} width={width} height={height}>
        {arrows.map(({ key, className, path }) => (
          <path key={key} className={className} d={path} markerEnd={`url(#${tip})`} />
        ))}
        <circle className="start" cx={start.x} cy={start.y} r="5" />
        {words.map(({ key, className, room, lines }) => (
          <g key={key} className={className}>
            <rect className="room" {...room} />
            <Lines lines={lines} />
          </g>
        ))}
        {boxes.map(({ name, className, x, y, width: wide, height: high, isFinal, lines }) => (
          <g key={name} className={className}>
            <rect x={x} y={y} width={wide} height={high} rx="7" />
            {isFinal && <rect className="inner" x={x + 3} y={y + 3} width={wide - 6} height={high - 6} rx="5" />}
            <Lines lines={lines} />
          </g>
        ))}
      </GraphFrame>
      <ProcessTable process={process} progress={progress} spent={spent} />
    </div>
  );
}

function Lines({ lines }: { readonly lines: readonly Line[] }) {
  return lines.map(({ className, text, x, y }) => (
    <text key={y} className={className} x={x} y={y}>
      {text}
    </text>
  ));
}
