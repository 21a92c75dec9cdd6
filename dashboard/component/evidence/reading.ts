import { useCallback, useMemo, useState } from 'react';
import type { Output } from '../../api/operations.ts';

export type Artifact = Output<'describe_run'>['artifacts'][number];

/** `unshown`: the file was opened but cannot be shown. `accepted`: the reader accepts it unseen. */
type Mark = 'shown' | 'unshown' | 'accepted';

/** The state of a person's review of the evidence. */
export interface Reading {
  /** The number of files that were neither shown nor accepted unseen. */
  readonly left: number;
  readonly markOf: (artifact: Artifact) => Mark | undefined;
  /** Records that the content of a file is on the screen, or that it cannot be shown. */
  readonly note: (artifact: Artifact, isShown: boolean) => void;
  readonly accept: (artifact: Artifact, isAccepted: boolean) => void;
}

/** Tracks which files were reviewed. Marks belong to a digest: a changed file must be reviewed again. */
export function useReading(artifacts: readonly Artifact[]): Reading {
  const [marks, setMarks] = useState<ReadonlyMap<string, Mark>>(new Map());
  const set = useCallback((artifact: Artifact, change: (before: Mark | undefined) => Mark) => {
    const key = keyOf(artifact);
    setMarks((before) => {
      const mark = change(before.get(key));
      return mark === before.get(key) ? before : new Map(before).set(key, mark);
    });
  }, []);
  const note = useCallback(
    (artifact: Artifact, isShown: boolean) => set(artifact, (before) => (isShown ? 'shown' : (before ?? 'unshown'))),
    [set],
  );
  const accept = useCallback(
    (artifact: Artifact, isAccepted: boolean) => set(artifact, () => (isAccepted ? 'accepted' : 'unshown')),
    [set],
  );
  return useMemo(() => {
    const markOf = (artifact: Artifact) => marks.get(keyOf(artifact));
    const isRead = (artifact: Artifact) => ['shown', 'accepted'].includes(markOf(artifact) ?? '');
    return { left: artifacts.filter((one) => !isRead(one)).length, markOf, note, accept };
  }, [artifacts, marks, note, accept]);
}

function keyOf({ path, digest }: Artifact): string {
  return `${digest} ${path}`;
}
