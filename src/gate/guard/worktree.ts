import * as z from 'zod';
import { matchesGlob } from '../definition/glob.ts';
import { defineGuard, guardParameters, satisfied, leaveUndecided } from '../guard.ts';
import { phrase } from '../phrase.ts';
import { rule } from '../../kernel/text/rule.ts';
import { words } from '../words.ts';

const globs = z.array(z.string().min(1)).min(1);
const maxShown = 20;

/** Limits or requires changes of files since the state was entered, whichever tool made them. */
export const worktree = defineGuard({
  type: 'worktree',
  looksAtTree: true,
  needsFiles: () => true,
  parameters: guardParameters('worktree', {
    unchanged: globs.optional(),
    changed: globs.optional(),
    changed_only: globs.optional(),
  }).refine(({ unchanged, changed, changed_only }) => unchanged ?? changed ?? changed_only, {
    message: rule(words('it needs unchanged, changed or changed_only')),
  }),
  async check(spec, look) {
    if (!look.deciding) return leaveUndecided(look, phrase.guardWorktreePending());
    const seen = await look.changes();
    if ('fault' in seen) return leaveUndecided(look, phrase.guardWorktreeUnread(seen));
    const paths = seen.changes.map((one) => one.path);
    const among = (list: readonly string[]) => (path: string) =>
      list.some((glob) => matchesGlob(glob.replace(/^\.\//, ''), path));
    const wrong = [
      ...(spec.unchanged === undefined ? [] : paths.filter(among(spec.unchanged))),
      ...(spec.changed_only === undefined ? [] : paths.filter((path) => !among(spec.changed_only ?? [])(path))),
    ];
    const untouched = (spec.changed ?? []).filter((glob) => !paths.some(among([glob])));
    const note = { since: seen.since, changed: seen.changes.slice(0, 100), changes: paths.length };
    if (wrong.length === 0 && untouched.length === 0) return { ...satisfied, note };
    const unique = [...new Set(wrong)];
    const reasons: string[] = [];
    const more = Math.max(0, unique.length - maxShown);
    if (unique.length > 0)
      reasons.push(look.say(phrase.guardWorktreeChanged({ paths: unique.slice(0, maxShown), more })));
    if (untouched.length > 0) reasons.push(look.say(phrase.guardWorktreeUntouched({ globs: untouched.join(', ') })));
    return { satisfied: false, reason: reasons.join('; '), note };
  },
});
