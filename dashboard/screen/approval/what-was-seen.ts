import type { Output } from '../../api/operations.ts';

interface Bound {
  readonly expected_revision?: number | undefined;
  readonly evidence?: readonly { readonly path: string; readonly digest: string }[] | undefined;
}

/** Whether the question is about exactly what the page showed. */
export function isWhatWasSeen(
  { expected_revision: revision, evidence = [] }: Bound,
  seen: Output<'describe_run'>,
): boolean {
  const digests = new Map(seen.artifacts.map(({ path, digest }) => [path, digest]));
  return (
    revision === seen.revision &&
    evidence.length === digests.size &&
    evidence.every(({ path, digest }) => digests.get(path) === digest)
  );
}
