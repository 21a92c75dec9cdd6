import { useDeferredValue, useState } from 'react';
import { kinds, useOperation } from '../../api/queries.ts';
import { Failure } from '../../component/failure.tsx';
import { Loading } from '../../component/loading.tsx';
import { Prose } from '../../component/prose.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  none: { en: 'No variables.', ja: '変数はありません。' },
  known: { en: 'set by the project', ja: 'プロジェクトから設定' },
  optional: { en: 'optional', ja: '省略可' },
  needed: { en: 'required', ja: '必須' },
  included: { en: (names: string) => `Includes: ${names}`, ja: (names) => `取り込み: ${names}` },
});

/** A preview of a version as a client would get it. */
export function Preview({ prompt, version }: { readonly prompt: string; readonly version: number }) {
  const t = useTexts(texts);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const given = useDeferredValue(values);
  const query = useOperation('preview_prompt', { prompt, version, values: given }, kinds('prompt.', 'file.'));
  // A separate query, so that the fields stay while the next preview loads.
  const fields = useOperation('preview_prompt', { prompt, version }, kinds('prompt.', 'file.'));
  if (fields.error !== null) return <Failure error={fields.error} />;
  if (fields.data === undefined) return <Loading />;
  const { variables, included } = fields.data;
  return (
    <div className="preview">
      {variables.length === 0 && <p className="dim">{t.none}</p>}
      <div className="fields">
        {variables.map(({ name, is_optional: isOptional, is_filled: isFilled }) => (
          <label key={name}>
            <span>
              <code>
                <Visible text={name} />
              </code>{' '}
              <span className="dim">{isFilled ? t.known : isOptional ? t.optional : t.needed}</span>
            </span>
            <input
              value={values[name] ?? ''}
              onChange={(event) => {
                const { [name]: _, ...rest } = values;
                setValues(event.target.value === '' ? rest : { ...rest, [name]: event.target.value });
              }}
            />
          </label>
        ))}
      </div>
      {included.length > 0 && <p className="dim">{t.included(included.join(', '))}</p>}
      {query.error !== null && <Failure error={query.error} />}
      <Prose text={query.data?.text ?? fields.data.text} />
    </div>
  );
}
