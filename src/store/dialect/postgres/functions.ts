import { CHANNEL, LISTENERS } from './hints.ts';
import { MISSED } from './statements.ts';

/** Whoever commits has it until the commit. */
const COUNTER = 1397445450;

const missed = (touched: string, expected: string, write: string): string =>
  `raise exception 'touched % rows instead of %', ${touched}, ${expected} using errcode = '${MISSED}', detail = ${write};`;

/**
 * What a statement touched is noted in a setting that ends with the transaction: one round trip is enough for all statements
 * and the journal, and a change by hand notes nothing that anybody else would take for its own.
 */
const note = `create function sekisho_note(expected bigint, touched bigint, changes text) returns void language plpgsql as $$
  begin
    if touched <> expected then
      ${missed('touched', 'expected', `''`)}
    end if;
    if changes is not null then
      perform set_config('sekisho.changes',
        coalesce(nullif(current_setting('sekisho.changes', true), '') || ',', '') || changes, true);
    end if;
  end $$`;

/** Asked last, when the counter lets in one at a time: nobody takes another one who commits for somebody who listens. */
const notified = `if sender is not null and not pg_try_advisory_xact_lock(${LISTENERS}) then
      perform pg_notify('${CHANNEL}', sender);
    end if;`;

/**
 * Before the counter is looked at: who waits for a row waits twice, for the one in front of it and for that one's transaction,
 * and then looks for the row once more. By the table, since a database may hold several stores.
 */
const inTurn = `perform pg_advisory_xact_lock(${COUNTER}, 'sekisho_head'::regclass::oid::int);`;

const columns = `projects text[], times text[], actors text[], subjects text[], kinds text[],
    datas text[], salts text[], starts text[], sender text`;

/**
 * chain.ts has the meaning; `starts` are the leaves up to the digest of their data. Leaves are made before the counter row is
 * locked, and the counter is updated last in the transaction: numbers become visible in their order, so a follower never skips
 * a late commit. Followers are notified with the commit: for that PostgreSQL lets one transaction after the other commit, and the
 * counter does so anyway.
 */
const record = `create function sekisho_record(changed text, ${columns}) returns bigint language plpgsql as $$
  declare
    leaves bytea[];
    number bigint;
    chain bytea;
  begin
    for i in 1 .. cardinality(projects) loop
      leaves[i] := sha256('\\x00'::bytea || convert_to(starts[i] || encode(sha256(convert_to(
        salts[i] || '[' || datas[i] || ',' || case when i = 1 then changed else '[]' end || ']', 'UTF8')), 'hex') || '"]', 'UTF8'));
    end loop;
    ${inTurn}
    select seq, decode(link, 'hex') into strict number, chain from sekisho_head for update;
    for i in 1 .. cardinality(projects) loop
      number := number + 1;
      chain := sha256(chain || leaves[i]);
      insert into journal (seq, project, at, actor, subject, kind, data, changes, salt, leaf, link) values (number, projects[i],
        times[i], actors[i], subjects[i], kinds[i], datas[i], case when i = 1 then changed else '[]' end, salts[i],
        encode(leaves[i], 'hex'), encode(chain, 'hex'));
    end loop;
    update sekisho_head set seq = number, link = encode(chain, 'hex');
    ${notified}
    return number;
  end $$`;

/** Where all writes are one statement, it ends in this call. */
const commit = `create function sekisho_commit(expected bigint[], touched bigint[], changes text[], ${columns}) returns bigint language plpgsql as $$
  begin
    for i in 1 .. cardinality(touched) loop
      if touched[i] <> expected[i] then
        ${missed('touched[i]', 'expected[i]', '(i - 1)::text')}
      end if;
    end loop;
    return sekisho_record('[' || array_to_string(changes, ',') || ']', projects, times, actors, subjects, kinds, datas, salts, starts, sender);
  end $$`;

/**
 * The same for one line, which is what most commits have, in as few steps as can be: while it has the counter everybody else
 * waits. \`changes\` is the list of them without its brackets.
 */
const commitLine = `create function sekisho_commit_line(expected bigint[], touched bigint[], changes text, in_project text, in_at text,
    in_actor text, in_subject text, in_kind text, in_data text, in_salt text, in_start text, sender text) returns bigint language plpgsql as $$
  declare
    changed text := '[' || changes || ']';
    in_leaf bytea;
    number bigint;
  begin
    if touched <> expected then
      for i in 1 .. cardinality(touched) loop
        if touched[i] <> expected[i] then
          ${missed('touched[i]', 'expected[i]', '(i - 1)::text')}
        end if;
      end loop;
    end if;
    in_leaf := sha256('\\x00'::bytea || convert_to(in_start || encode(sha256(convert_to(
      in_salt || '[' || in_data || ',' || changed || ']', 'UTF8')), 'hex') || '"]', 'UTF8'));
    ${inTurn}
    with head as (update sekisho_head set seq = seq + 1, link = encode(sha256(decode(link, 'hex') || in_leaf), 'hex')
      returning seq, link)
    insert into journal (seq, project, at, actor, subject, kind, data, changes, salt, leaf, link) select seq, in_project, in_at,
      in_actor, in_subject, in_kind, in_data, changed, in_salt, encode(in_leaf, 'hex'), link from head returning seq into strict number;
    ${notified}
    return number;
  end $$`;

export const functions: Readonly<Record<string, string>> = {
  sekisho_note: note,
  sekisho_record: record,
  sekisho_commit: commit,
  sekisho_commit_line: commitLine,
};
