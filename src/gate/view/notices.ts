import type { Context } from '../../kernel/context.ts';
import type { Notice } from '../../kernel/notice.ts';
import { valueUnlessProblem } from '../../kernel/problem.ts';
import type { Recorded } from '../../kernel/store/store.ts';
import { phrase } from '../phrase.ts';
import { waitsForPerson } from './missing.ts';
import { readRun } from '../run/runs.ts';
import { titleOf } from './title.ts';
import { viewEvents } from './events.ts';

/** Returns a notification if a run waits for a person after this journal entry. Later changes have entries of their own. */
export async function notices(context: Context, { subject, data }: Recorded): Promise<readonly Notice[]> {
  const { revision = 0 } = JSON.parse(data) as { readonly revision?: number };
  const snapshot = await valueUnlessProblem(readRun(context, subject));
  if (snapshot === undefined || snapshot.run.revision !== revision) return [];
  const { run } = snapshot;
  const judged = (await viewEvents(context, snapshot)).flatMap((view) => view.judged);
  if (waitsForPerson(context, run, judged) === null) return [];
  const process = run.definition.name;
  const title = titleOf(run);
  return [
    {
      topic: 'waiting',
      subject,
      title: title === undefined ? process : `${process}: ${title}`,
      text: phrase.noticeWaiting({ process, state: run.state }),
      path: `/approvals/${subject}`,
    },
  ];
}
