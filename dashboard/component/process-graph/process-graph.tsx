import { useId, useMemo } from 'react';
import { usePreferences } from '../../app/preferences.ts';
import { defineTexts, useTexts } from '../../text/text.ts';
import { GraphFrame } from '../graph-frame.tsx';
import { duration } from '../ago.ts';
import { useNow } from '../now.ts';
import type { Arrow, Box, Process } from './layout.ts';
import { layOut, wordHeight } from './layout.ts';
import type { Progress } from './progress.ts';
import { markOf, signs, stepKey, stepsTaken, timeIn } from './progress.ts';
import { ProcessTable } from './process-table.tsx';

const texts = defineTexts({
  label: {
    en: 'The process as a graph; the table below says the same.',
    ja: 'プロセスの図です。下の表に同じ内容があります。',
  },
});

interface Props {
  readonly process: Process;
  /** Of a run; absent: the process alone. */
  readonly progress?: Progress;
  readonly isOver?: boolean;
}

/** A process: where the run is (filled), the path it took (bold), what may come next (dashed), and what that misses. */
export default function ProcessGraph({ process, progress, isOver = false }: Props) {
  const t = useTexts(texts);
  const { lang } = usePreferences();
  const tip = useId();
  const now = useNow();
  const layout = useMemo(() => layOut(process), [process]);
  const taken = progress === undefined ? undefined : stepsTaken(progress);
  const spent = progress === undefined ? undefined : timeIn(progress, now, isOver);
  const arrowClass = ({ from, event, to }: Arrow): string => {
    if (taken?.has(stepKey(from, event, to)) === true) return 'arrow taken';
    return from === progress?.current && !isOver ? 'arrow next' : 'arrow';
  };
  const boxClass = ({ name }: Box): string => {
    if (name === progress?.current) return isOver ? 'box current over' : 'box current';
    return spent?.has(name) === true ? 'box visited' : 'box';
  };
  return (
    <div className="process-graph">
      <GraphFrame tip={tip} label={t.label} width={layout.width} height={layout.height}>
        {layout.arrows.map((arrow) => (
          <path
            key={`${stepKey(arrow.from, arrow.event, arrow.to)} ${arrow.path}`}
            className={arrowClass(arrow)}
            d={arrow.path}
            markerEnd={`url(#${tip})`}
          />
        ))}
        {layout.arrows.map((arrow) => (
          <Words
            key={`${arrow.x} ${arrow.y} ${arrow.event}`}
            arrow={arrow}
            progress={progress}
            className={arrowClass(arrow)}
          />
        ))}
        {layout.boxes.map((box) => {
          const ms = spent?.get(box.name);
          const middle = box.x + box.width / 2;
          return (
            <g key={box.name} className={boxClass(box)}>
              <rect x={box.x} y={box.y} width={box.width} height={box.height} rx="7" />
              {box.isFinal && (
                <rect
                  className="inner"
                  x={box.x + 3}
                  y={box.y + 3}
                  width={box.width - 6}
                  height={box.height - 6}
                  rx="5"
                />
              )}
              <text x={middle} y={box.y + (ms === undefined ? 27 : 20)}>
                {box.name}
              </text>
              {ms !== undefined && (
                <text className="spent" x={middle} y={box.y + 36}>
                  {duration(ms, lang)}
                </text>
              )}
            </g>
          );
        })}
      </GraphFrame>
      <ProcessTable process={process} progress={progress} spent={spent} />
    </div>
  );
}

interface WordsProps {
  readonly arrow: Arrow;
  readonly progress: Progress | undefined;
  readonly className: string;
}

/** The event, and under it what it asks for. */
function Words({ arrow, progress, className }: WordsProps) {
  const { from, event, to, guards, x, y } = arrow;
  const top = y - ((guards.length + 1) * wordHeight) / 2 + 11;
  return (
    <g className={`words ${className}`}>
      <text x={x} y={top}>
        {event}
      </text>
      {guards.map((guard, index) => {
        const mark = progress === undefined ? 'unknown' : markOf(progress, from, event, to, guard);
        return (
          <text key={guard} className={`guard ${mark}`} x={x} y={top + (index + 1) * wordHeight}>
            {mark === 'unknown' ? guard : `${signs[mark]} ${guard}`}
          </text>
        );
      })}
    </g>
  );
}
