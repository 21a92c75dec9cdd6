import { kinds, useOperation } from '../../api/queries.ts';
import { useFilter } from '../../app/address.ts';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  filters: { en: 'Filters', ja: '絞り込み' },
  which: { en: 'Which runs', ja: '対象' },
  all: { en: 'All runs', ja: 'すべて' },
  open: { en: 'Open', ja: '進行中' },
  waiting: { en: 'Waiting for you', ja: '承認待ち' },
  process: { en: 'Process', ja: 'プロセス' },
  anyProcess: { en: 'Any process', ja: 'すべてのプロセス' },
  text: { en: 'Find in id, state, context', ja: 'ID・状態・コンテキストから検索' },
});

/** The filters of the runs, kept in the URL, so that a view can be shared. */
export function RunFilters() {
  const t = useTexts(texts);
  const [only, setOnly] = useFilter('only');
  const [process, setProcess] = useFilter('process');
  const [text, setText] = useFilter('text');
  const { data } = useOperation('state_gate.list_processes', { limit: 200 }, kinds('file.'));
  return (
    <search className="filters" aria-label={t.filters}>
      <select aria-label={t.which} value={only} onChange={(event) => setOnly(event.target.value)}>
        <option value="">{t.all}</option>
        <option value="open">{t.open}</option>
        <option value="waiting">{t.waiting}</option>
      </select>
      <select aria-label={t.process} value={process} onChange={(event) => setProcess(event.target.value)}>
        <option value="">{t.anyProcess}</option>
        {data?.processes.map((one) => (
          <option key={one.process_id} value={one.process_id}>
            {one.process_id}
          </option>
        ))}
      </select>
      <input
        type="search"
        data-filter=""
        aria-label={t.text}
        placeholder={t.text}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </search>
  );
}
