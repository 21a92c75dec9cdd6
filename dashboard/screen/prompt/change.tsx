import { about, useOperation } from '../../api/queries.ts';
import { Failure } from '../../component/failure.tsx';
import { LazyWordDifference } from '../../component/lazy.tsx';
import { Loading } from '../../component/loading.tsx';

interface Props {
  readonly prompt: string;
  /** 0 for an empty text, before the first version. */
  readonly from: number;
  readonly to: number;
}

/** The difference between two versions by words. */
export function Change({ prompt, from, to }: Props) {
  const concern = about(`prompt:${prompt}`);
  const before = useOperation('show_prompt', { prompt, version: Math.max(1, from) }, concern, { enabled: from > 0 });
  const after = useOperation('show_prompt', { prompt, version: to }, concern);
  const error = before.error ?? after.error;
  if (error !== null) return <Failure error={error} />;
  if (after.data === undefined || (from > 0 && before.data === undefined)) return <Loading />;
  return <LazyWordDifference before={from > 0 ? (before.data?.content ?? '') : ''} after={after.data.content} />;
}
