import { useFilter } from '../../app/address.ts';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  filters: { en: 'Filters', ja: '絞り込み' },
  kind: { en: 'Kind', ja: '種類' },
  any: { en: 'Any kind', ja: 'すべての種類' },
  run: { en: 'Runs', ja: 'run' },
  hook: { en: 'Hooks', ja: 'フック' },
  task: { en: 'Tasks', ja: 'タスク' },
  agent: { en: 'Agents', ja: 'エージェント' },
  group: { en: 'Groups', ja: 'グループ' },
  execution: { en: 'Executions', ja: '作業の記録' },
  session: { en: 'Sessions', ja: 'セッション' },
  tool: { en: 'Refused tools', ja: '拒否されたツール' },
  upstream: { en: 'Upstreams', ja: '上流サーバー' },
  prompt: { en: 'Prompts', ja: 'プロンプト' },
  file: { en: 'Trusted files', ja: '信頼されたファイル' },
  subject: { en: 'About (id)', ja: '対象の ID' },
  actor: { en: 'Who', ja: '操作者' },
  since: { en: 'From', ja: '開始' },
  until: { en: 'Until', ja: '終了' },
  text: { en: 'Find in kind, subject, actor, data', ja: '種類・対象・操作者・データから検索' },
});

const beginnings = [
  'run',
  'hook',
  'task',
  'agent',
  'group',
  'execution',
  'session',
  'tool',
  'upstream',
  'prompt',
  'file',
] as const;

export function JournalFilters() {
  const t = useTexts(texts);
  const [kind, setKind] = useFilter('kind');
  const [subject, setSubject] = useFilter('subject');
  const [actor, setActor] = useFilter('actor');
  const [text, setText] = useFilter('text');
  const [since, setSince] = useFilter('since');
  const [until, setUntil] = useFilter('until');
  const times = [
    { name: 'since', label: t.since, value: since, set: setSince },
    { name: 'until', label: t.until, value: until, set: setUntil },
  ];
  const fields = [
    { name: 'subject', label: t.subject, value: subject, set: setSubject },
    { name: 'actor', label: t.actor, value: actor, set: setActor },
    { name: 'text', label: t.text, value: text, set: setText },
  ];
  const isListed = kind === '' || beginnings.some((one) => kind === `${one}.`);
  return (
    <search className="filters" aria-label={t.filters}>
      <select aria-label={t.kind} value={kind} onChange={(event) => setKind(event.target.value)}>
        <option value="">{t.any}</option>
        {!isListed && <option value={kind}>{kind}</option>}
        {beginnings.map((one) => (
          <option key={one} value={`${one}.`}>
            {t[one]}
          </option>
        ))}
      </select>
      {fields.map(({ name, label, value, set }) => (
        <input
          key={name}
          type="search"
          aria-label={label}
          placeholder={label}
          value={value}
          onChange={(event) => set(event.target.value)}
          {...(name === 'text' && { 'data-filter': '' })}
        />
      ))}
      <div className="times">
        {times.map(({ name, label, value, set }) => (
          <label key={name} className="compared">
            {label}
            <input type="datetime-local" value={value} onChange={(event) => set(event.target.value)} />
          </label>
        ))}
      </div>
    </search>
  );
}
