import { CHANNEL } from './hints.ts';
import { EPOCH_PASSED, MISSED } from './statements.ts';

/** The advisory lock that a transaction holds from its journal entry to its commit. */
const COUNTER = 1397445450;

/**
 * Notes the rows that a statement touched in a setting that ends with the transaction. So all statements and the journal need
 * one round trip, and a change by hand notes nothing that another transaction would record.
 */
const note = `create function sekisho_note(expected bigint, touched bigint, changes text) returns void language plpgsql as $$
  begin
    if touched <> expected then
      raise exception 'touched % rows instead of %', touched, expected using errcode = '${MISSED}';
    end if;
    if changes is not null then
      perform set_config('sekisho.changes',
        coalesce(nullif(current_setting('sekisho.changes', true), '') || ',', '') || changes, true);
    end if;
  end $$`;

/**
 * Takes the advisory lock before the counter row is locked. Waiting for the row itself takes longer: a transaction waits for
 * the one before it and for that one's commit, and then looks up the row again. The lock includes the table's id, since a
 * database can contain several stores.
 */
const inTurn = `perform pg_advisory_xact_lock(${COUNTER}, 'sekisho_head'::regclass::oid::int);`;

/**
 * Appends entries to the journal as chain.ts describes; `starts` are the leaves up to the digest of their data. Leaves are made
 * before the counter row is locked, and the counter is updated last in the transaction: numbers become visible in order, so a
 * follower never skips a late commit. Followers are notified with the commit. For that PostgreSQL serializes commits, which the
 * counter does anyway.
 */
const record = `create function sekisho_record(changed text, projects text[], times text[], actors text[],
    subjects text[], kinds text[], datas text[], salts text[], starts text[], sender text, expected_epoch bigint) returns bigint language plpgsql as $$
  declare
    leaves bytea[];
    number bigint;
    chain bytea;
    found_epoch bigint;
  begin
    for i in 1 .. cardinality(projects) loop
      leaves[i] := sha256('\\x00'::bytea || convert_to(starts[i] || encode(sha256(convert_to(
        salts[i] || '[' || datas[i] || ',' || case when i = 1 then changed else '[]' end || ']', 'UTF8')), 'hex') || '"]', 'UTF8'));
    end loop;
    ${inTurn}
    select seq, decode(link, 'hex'), epoch into strict number, chain, found_epoch from sekisho_head for update;
    if found_epoch <> expected_epoch then
      raise exception 'epoch % instead of %', found_epoch, expected_epoch using errcode = '${EPOCH_PASSED}';
    end if;
    for i in 1 .. cardinality(projects) loop
      number := number + 1;
      chain := sha256(chain || leaves[i]);
      insert into journal (seq, project, at, actor, subject, kind, data, changes, salt, leaf, link) values (number, projects[i],
        times[i], actors[i], subjects[i], kinds[i], datas[i], case when i = 1 then changed else '[]' end, salts[i],
        encode(leaves[i], 'hex'), encode(chain, 'hex'));
    end loop;
    update sekisho_head set seq = number, link = encode(chain, 'hex');
    if sender is not null then
      perform pg_notify('${CHANNEL}', sender);
    end if;
    return number;
  end $$`;

export const functions: Readonly<Record<string, string>> = { sekisho_note: note, sekisho_record: record };

/** The functions of every version. They are dropped before those of the current one are created. */
export const everyFunction = ['sekisho_note', 'sekisho_record', 'sekisho_commit', 'sekisho_commit_line'];
