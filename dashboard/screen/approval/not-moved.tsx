import type { Output } from '../../api/operations.ts';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  stays: {
    en: (people: string, state: string) => `Approved by ${people}. The run is still in “${state}”, because:`,
    ja: (people, state) => `${people} が承認しました。run はまだ「${state}」のままです。理由:`,
  },
  waits: {
    en: (people: string, state: string, events: string) =>
      `Approved by ${people}. Nothing is missing: the run leaves “${state}” with the next event (${events}).`,
    ja: (people, state, events) =>
      `${people} が承認しました。不足はありません。次のイベント (${events}) で「${state}」から先へ進みます。`,
  },
});

interface Props {
  readonly run: Output<'describe_run'>;
  /** The answer to this person's approval, if they have just given it. */
  readonly answer: Output<'approve'> | undefined;
}

/** Explains why a run stays in its state although its evidence was approved. */
export function NotMoved({ run, answer }: Props) {
  const t = useTexts(texts);
  const { approvals, current_state: state, is_final: isFinal, ways, revision } = run;
  if (approvals.length === 0 || isFinal) return null;
  const people = approvals.map(({ actor }) => actor).join(', ');
  const onwards = ways.filter(({ event }) => event !== 'reject');
  const unmet = onwards.flatMap(({ guards }) => guards.filter((one) => !one.is_satisfied));
  // The approval has run the guards' programs; reading the run does not.
  const missingGuards = answer?.new_revision === revision ? answer.missing_guards : undefined;
  const missing = [...new Set(missingGuards ?? unmet.map(({ name, reason }) => `${name}: ${reason}`))];
  const events = [...new Set(onwards.filter(({ to }) => to !== state).map(({ event }) => event))].join(', ');
  return (
    <div className="notice" role="status">
      <p>{missing.length === 0 ? t.waits(people, state, events) : t.stays(people, state)}</p>
      {missing.length > 0 && (
        <ul>
          {missing.map((one) => (
            <li key={one}>
              <Visible text={one} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
