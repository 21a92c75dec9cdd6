import { kinds, useOperation } from '../../api/queries.ts';
import { useFilter } from '../../app/address.ts';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  filters: { en: 'Filters', ja: '絞り込み' },
  project: { en: 'Project', ja: 'プロジェクト' },
  anyProject: { en: 'All projects', ja: 'すべてのプロジェクト' },
  assignee: { en: 'Assignee', ja: '担当' },
  anyone: { en: 'Anyone', ja: 'すべての担当' },
  label: { en: 'Label', ja: 'ラベル' },
  text: { en: 'Find in title and description', ja: 'タイトルと説明から検索' },
  view: { en: 'View', ja: '表示' },
  board: { en: 'As a board', ja: 'ボード表示' },
  list: { en: 'As a list', ja: 'リスト表示' },
});

/** The filters of the board, kept in the URL. */
export function BoardFilters() {
  const t = useTexts(texts);
  const [project, setProject] = useFilter('project_id');
  const [assignee, setAssignee] = useFilter('assignee');
  const [label, setLabel] = useFilter('label');
  const [text, setText] = useFilter('text');
  const [view, setView] = useFilter('view');
  const { data: all } = useOperation('list_projects', { limit: 500 }, kinds('project.'));
  const { data: pairs } = useOperation('list_instances', { limit: 500 }, kinds('project.', 'identity.'));
  const agents = new Map(pairs?.instances.map((one) => [one.agent_id, one.agent_name]));
  return (
    <search className="filters" aria-label={t.filters}>
      <select aria-label={t.project} value={project} onChange={(event) => setProject(event.target.value)}>
        <option value="">{t.anyProject}</option>
        {all?.projects.map((one) => (
          <option key={one.project_id} value={one.project_id}>
            {one.project_name}
          </option>
        ))}
      </select>
      <select aria-label={t.assignee} value={assignee} onChange={(event) => setAssignee(event.target.value)}>
        <option value="">{t.anyone}</option>
        {[...agents].map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <select aria-label={t.view} value={view} onChange={(event) => setView(event.target.value)}>
        <option value="">{t.board}</option>
        <option value="list">{t.list}</option>
      </select>
      <input
        type="search"
        className="short"
        aria-label={t.label}
        placeholder={t.label}
        value={label}
        onChange={(event) => setLabel(event.target.value)}
      />
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
